# --- How moves are judged ---

TIME_LIMIT, HARD_LIMIT, SHORTEST_MOVE, LONGEST_MOVE = 5, None, 2, 100
LOST_FOR = ("malformed", "hostile")  # these faults lose the game, others the turn


def play(state, move):
    """(None, the position after the move), or (what is wrong with it, None)."""
    if result(state):
        why = "both sides have used 200 moves" if state[2] >= LAST_PLY else "a side has all its pieces on its target region"
        return "the game is over: " + why, None
    side = state[2] % 2
    if move == PASS and successors(state)[0][0] != PASS:
        return "%s may not pass: it has a valid move" % SIDES[side], None
    if move in (PASS, SKIP):
        return None, (state[0], state[1], state[2] + 1)
    if not SHORTEST_MOVE <= len(move) <= LONGEST_MOVE:
        return "a move names 2 to 100 squares, not %d: the start and at most 99 hops" % len(move), None
    if not state[side] >> move[0] & 1:
        if state[1 - side] >> move[0] & 1:
            return "the piece on square %s is not %s's" % (name(move[0]), SIDES[side]), None
        return "square %s, where the move starts, is empty" % name(move[0]), None
    captured, why = follow(state[side] & ~(1 << move[0]), state[1 - side], move)
    return (why, None) if why else (None, after(state, move[0], move[-1], captured))


def follow(own, enemy, move):
    """(the pieces that the move captures, what is wrong with it or None). `own` is without the piece that moves."""
    captured = 0
    for i, (begin, end) in enumerate(zip(move, move[1:])):
        way, pieces = (name(begin), name(end)), own | enemy & ~captured
        over = (begin + end) // 2
        if end in STEPS[begin] and i > 0:
            return 0, "steps and hops do not mix: from square %s to %s is a step" % way
        if end in STEPS[begin] and pieces >> end & 1:
            return 0, "square %s is not empty: a step from %s needs an empty square" % (way[1], way[0])
        if end in STEPS[begin]:
            return 0, ("the step from square %s to %s ends the move, but %s follows" % (way + (name(move[2]),))
                       if len(move) > 2 else None)
        if (1 << over, end) not in HOPS[begin]:
            return 0, ("from square %s to %s is neither a step to the next square nor a hop over one, "
                       "along a row or column" % way)
        if not pieces >> over & 1:
            return 0, "square %s is empty: there is nothing to hop over between %s and %s" % ((name(over),) + way)
        if pieces >> end & 1:
            return 0, "square %s, where the hop over %s lands, is not empty" % (way[1], name(over))
        if not MAY_LOOP and end in move[:i + 1]:
            return 0, "square %s is visited twice, which hop-noloop forbids" % way[1]
        captured |= enemy & 1 << over
    return captured, None


def replacement(state):
    """What the judge plays for a side that lost its turn."""
    return PASS if successors(state)[0][0] == PASS else SKIP


def position(state):
    return "%s %s %d %d" % (board_text(state), "bw"[to_move(state)], (state[2] + 1) // 2, state[2] // 2)


def letter(state, square):
    return "X" if state[0] >> square & 1 else "O" if state[1] >> square & 1 else "."


def wire(state):
    """The cells as the judge sends them."""
    return [".XO".index(letter(state, square)) for square in range(64)]


def status(state):
    return "moves used: Black %d, White %d" % ((state[2] + 1) // 2, state[2] // 2)


def evaluate(state):
    """How good the position looks for the side to move: pieces, and columns that they have gone."""
    black = sum(40 + 10 * min(square % 8, 6) + square % 8 // 7 for square in squares_of(state[0]))
    white = sum(40 + 10 * min(7 - square % 8, 6) + (7 - square % 8) // 7 for square in squares_of(state[1]))
    return black - white if state[2] % 2 == BLACK else white - black
