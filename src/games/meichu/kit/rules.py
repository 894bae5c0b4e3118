# --- The rules ---
# A square is row * 9 + column. A position is (81 letters, Black's budget, White's budget, the side to move); capital
# letters are Black's. A move is a tuple of two squares.

ROWS = COLUMNS = 9
TIME_LIMIT, HARD_LIMIT = 30, 120
SHORTEST_MOVE = LONGEST_MOVE = 2
LOST_FOR = ("invalid", "crashed", "malformed", "hostile")  # a late move counts when it comes
BUDGET, MAX_PRICE = 150, 140
PIECES = {"F": "flag", "S": "soldier", "B": "barrier"}
OWN = ("FSB", "fsb")
START = "..sbfbs...b.sbs.b..b..s..b...bbbbb.............BBBBB...B..S..B..B.SBS.B...SBFBS.."


def rays(square):
    """The squares up, left, right and down of a square, the nearest first."""
    row, column = divmod(square, 9)
    return [list(range(square - 9, -1, -9)), list(range(square - 1, 9 * row - 1, -1)),
            list(range(square + 1, 9 * row + 9)), list(range(square + 9, 81, 9))]


RAYS = [rays(square) for square in range(81)]


def start(budgets=(BUDGET, BUDGET)):
    return START, budgets[0], budgets[1], BLACK


def to_move(state):
    return state[3]


def way_price(begin, end):
    return 1 + abs(begin // 9 - end // 9) + abs(begin % 9 - end % 9)


def surcharge(state, side, end):
    """3 more for an enemy barrier, 3 back for an own one."""
    return {"Bb"[side]: -3, "bB"[side]: 3}.get(state[0][end], 0)


def can_pay(state, side, begin, end):
    return way_price(begin, end) + max(0, surcharge(state, side, end)) <= state[1 + side]


def find_moves(state, side):
    for begin in range(81):
        if state[0][begin] == "Ss"[side]:
            for ray in RAYS[begin]:
                for end in ray:
                    if state[0][end] in "FSfs" and state[0][end] in OWN[side]:
                        break
                    if can_pay(state, side, begin, end):
                        yield begin, end
                    if state[0][end] != ".":
                        break


def can_move(state, side):
    return next(find_moves(state, side), None) is not None


def is_decided(state):
    return not all(piece in state[0] for piece in "FfSs")


def result(state):
    """None while the game is on, else (Black's score, White's score, reason)."""
    if not is_decided(state) and (can_move(state, BLACK) or can_move(state, WHITE)):
        return None
    reason = "flag" if ("F" in state[0]) != ("f" in state[0]) else "no-soldiers" if is_decided(state) else "no-moves"
    for black, white in ("Ff", "Ss", "Bb"):
        lead = state[0].count(black) - state[0].count(white)
        if lead:
            return int(lead > 0), int(lead < 0), reason
    return 0, 0, reason


def scores(state):
    return (0, 0) if not result(state) else result(state)[:2]


def after(state, begin, end):
    side, cells, budgets = state[3], list(state[0]), list(state[1:3])
    budgets[side] -= way_price(begin, end) + surcharge(state, side, end)
    cells[end], cells[begin] = cells[begin], "."
    return "".join(cells), budgets[0], budgets[1], 1 - side


def successors(state):
    """A list of (move, position after it): every legal move, in order. A side without one passes. The list is empty
    when the game is over."""
    if is_decided(state):
        return []
    moves = sorted(find_moves(state, state[3]))
    if moves:
        return [(move, after(state, *move)) for move in moves]
    return [(PASS, state[:3] + (1 - state[3],))] if can_move(state, 1 - state[3]) else []


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


def auction(bids, lot):
    """What follows from two bids (colour, price): the colour of the first player, and both budgets by colour. `lot` is
    the colour that the first player gets when the bids are equal."""
    (colour, price), (other_colour, other_price) = [(colour, min(price, MAX_PRICE)) for colour, price in bids]
    budgets = [BUDGET, BUDGET]
    if colour != other_colour:
        return colour, budgets
    budgets[colour] -= max(0, min(price, other_price)) + 1
    return (lot if price == other_price else colour if price > other_price else 1 - colour), budgets


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
