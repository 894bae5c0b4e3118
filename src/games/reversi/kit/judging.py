# --- How moves are judged ---

TIME_LIMIT, HARD_LIMIT = 5, None
SHORTEST_MOVE = LONGEST_MOVE = 1
LOST_FOR = ("malformed", "hostile")  # these faults lose the game; for others the judge plays the first legal square


def play(state, move):
    """(None, the position after the move), or (what is wrong with it, None)."""
    side = state[2]
    legal = legal_squares(state[side], state[1 - side])
    if not legal and not legal_squares(state[1 - side], state[side]):
        return "the game is over: neither side has a legal square", None
    if move == PASS and legal:
        first = name(next(squares_of(legal)))
        return "%s may not pass: it has legal squares, %s for instance" % (SIDES[side], first), None
    if move == PASS:
        return None, (state[0], state[1], 1 - side)
    if move == SKIP or len(move) != 1:
        return "a move is one square of the board", None
    if not legal >> move[0] & 1:
        return refuse_square(state, move[0], legal), None
    return None, after(state, move[0])


def refuse_square(state, square, legal):
    where, side = "square " + name(square), SIDES[state[2]]
    if HOLES >> square & 1:
        return where + " is a corner: corners are holes and never occupied"
    if (state[0] | state[1]) >> square & 1:
        return where + " is not empty: it has a %s disc" % ("black" if state[0] >> square & 1 else "white")
    if not legal:
        return where + ": %s has no legal square and must pass" % side
    if FREE:
        return (where + " is on the border and a %s disc there would flip nothing: border squares need a flip"
                % side.lower())
    return where + ": a %s disc there would flip nothing, and every move must flip" % side.lower()


def replacement(state):
    """What the judge plays for a side that lost its turn."""
    return successors(state)[0][0]


def position(state):
    return "%s %s" % (board_text(state), "bw"[state[2]])


def letter(state, square):
    return "X" if state[0] >> square & 1 else "O" if state[1] >> square & 1 else "#" if HOLES >> square & 1 else "."


def wire(state):
    """The cells as the judge sends them."""
    return [".XO#".index(letter(state, square)) if not HOLES >> square & 1 else -1 for square in range(64)]


def status(state):
    return "discs: Black %d, White %d" % (bin(state[0]).count("1"), bin(state[1]).count("1"))


def evaluate(state):
    """How good the position looks for the side to move: moves to choose from, safe squares, and at the end discs."""
    own, other = state[state[2]], state[1 - state[2]]
    if bin(own | other).count("1") > 54:
        return 10 * (bin(own).count("1") - bin(other).count("1"))
    safe = CORNERS if not HOLES else 0x4281000000008142  # in Reversi those next to the corners are never flipped
    return (6 * (bin(legal_squares(own, other) & ~FREE).count("1") - bin(legal_squares(other, own) & ~FREE).count("1"))
            + 40 * (bin(own & safe).count("1") - bin(other & safe).count("1")))
