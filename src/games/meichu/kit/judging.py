# --- How moves are judged ---

TIME_LIMIT, HARD_LIMIT = 30, 120
SHORTEST_MOVE = LONGEST_MOVE = 2
LOST_FOR = ("invalid", "crashed", "malformed", "hostile")  # a late move counts when it comes


def play(state, move):
    """(None, the position after the move), or (what is wrong with it, None)."""
    if result(state):
        decided = "a flag was taken or a side has no soldier left"
        return "the game is over: " + (decided if is_decided(state) else "neither side can move"), None
    if move == PASS:
        if can_move(state, state[3]):
            return "%s may not pass: it can move" % SIDES[state[3]], None
        return None, state[:3] + (1 - state[3],)
    if move == SKIP or len(move) != 2:
        return "a move is two squares of the board", None
    why = refuse_soldier(state, move[0]) or refuse_way(state, *move) or refuse_price(state, *move)
    return (why, None) if why else (None, after(state, *move))


def refuse_soldier(state, begin):
    piece, mover = state[0][begin], SIDES[state[3]]
    if piece == ".":
        return "square %s, where the move starts, is empty" % name(begin)
    if piece not in OWN[state[3]]:
        return "the %s on square %s is not %s's" % (PIECES[piece.upper()], name(begin), mover)
    if piece.upper() != "S":
        return "only soldiers move: there is a %s on square %s" % (PIECES[piece.upper()], name(begin))
    return None


def refuse_way(state, begin, end):
    ray = next((ray for ray in RAYS[begin] if end in ray), None)
    if ray is None:
        return "from square %s to %s is not along a row or column" % (name(begin), name(end))
    for square in ray[:ray.index(end)]:
        if state[0][square] != ".":
            return ("the way from square %s to %s is blocked: there is a %s on %s"
                    % (name(begin), name(end), PIECES[state[0][square].upper()], name(square)))
    piece = state[0][end]
    if piece in OWN[state[3]] and piece.upper() in "FS":
        return "square %s holds %s's own %s" % (name(end), SIDES[state[3]], PIECES[piece.upper()])
    return None


def refuse_price(state, begin, end):
    side = state[3]
    if can_pay(state, side, begin, end):
        return None
    extra = {3: " and 3 more for the enemy barrier", -3: " before the 3 for the own barrier come back", 0: ""}
    return ("from square %s to %s costs %d%s, but %s has %d"
            % (name(begin), name(end), way_price(begin, end), extra[surcharge(state, side, end)], SIDES[side],
               state[1 + side]))


def replacement(state):
    """What the judge plays for a side that cannot move."""
    return PASS


def position(state):
    return "%s %s %d %d" % (board_text(state), "bw"[state[3]], state[1], state[2])


def letter(state, square):
    return state[0][square]


def status(state):
    return "budgets: Black %d, White %d" % state[1:3]


def evaluate(state):
    """How good the position looks for the side to move: soldiers, barriers, money, and ways to the enemy's flag."""
    total = 0
    for side in (BLACK, WHITE):
        flag = state[0].find("fF"[side])
        value = 100 * state[0].count("Ss"[side]) + 8 * state[0].count("Bb"[side]) + 4 * min(state[1 + side], 60)
        if flag < 0:
            value += 100000
        else:
            value -= sum(6 * way_price(square, flag) for square in range(81) if state[0][square] == "Ss"[side])
        total += value if side == state[3] else -value
    return total
