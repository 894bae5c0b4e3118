# --- The rules ---
# A square is row * 8 + column, a set of squares is a number with a bit for each. A position is (Black's discs, White's
# discs, the side to move), a move is a tuple with one square.

ROWS = COLUMNS = 8
TIME_LIMIT, HARD_LIMIT = 5, None
SHORTEST_MOVE = LONGEST_MOVE = 1
LOST_FOR = ("malformed", "hostile")  # these faults lose the game; for others the judge plays the first legal square
ALL = (1 << 64) - 1
CORNERS = 0x8100000000000081
HOLES = CORNERS if GAME == "reversi" else 0  # squares that are never occupied
FREE = 0x007E7E7E7E7E7E00 if GAME == "reversi" else 0  # squares where a disc need not flip
# Each direction: how far a square's number changes, and the squares that have a neighbour before them on the board.
LEFTMOST, RIGHTMOST = 0x0101010101010101, 0x8080808080808080
DIRECTIONS = ((1, ALL & ~LEFTMOST), (-1, ALL & ~RIGHTMOST), (8, ALL), (-8, ALL),
              (9, ALL & ~LEFTMOST), (-9, ALL & ~RIGHTMOST), (7, ALL & ~RIGHTMOST), (-7, ALL & ~LEFTMOST))


def start():
    return (0, 0, BLACK) if GAME == "reversi" else (1 << 28 | 1 << 35, 1 << 27 | 1 << 36, BLACK)


def to_move(state):
    return state[2]


def squares_of(discs):
    while discs:
        yield (discs & -discs).bit_length() - 1
        discs &= discs - 1


def shift(squares, by, mask):
    return (squares << by if by > 0 else squares >> -by) & mask


def legal_squares(own, other):
    reached = 0
    for by, mask in DIRECTIONS:
        line = shift(own, by, mask) & other
        for _ in range(5):
            line |= shift(line, by, mask) & other
        reached |= shift(line, by, mask)
    return (FREE | reached) & ~(own | other | HOLES) & ALL


def flipped(own, other, square):
    flips = 0
    for by, mask in DIRECTIONS:
        line, at = 0, shift(1 << square, by, mask)
        while at & other:
            line |= at
            at = shift(at, by, mask)
        if at & own:
            flips |= line
    return flips


def result(state):
    """None while the game is on, else (Black's score, White's score, reason)."""
    if legal_squares(state[0], state[1]) or legal_squares(state[1], state[0]):
        return None
    lead = scores(state)[0]
    if not HOLES and lead:
        empty = 64 - bin(state[0] | state[1]).count("1")
        lead += empty if lead > 0 else -empty
    return lead, -lead, "no-moves"


def scores(state):
    lead = bin(state[0]).count("1") - bin(state[1]).count("1")
    return lead, -lead


def after(state, square):
    side = state[2]
    flips = flipped(state[side], state[1 - side], square)
    own, other = state[side] | flips | 1 << square, state[1 - side] & ~flips
    return (own, other, WHITE) if side == BLACK else (other, own, BLACK)


def successors(state):
    """A list of (move, position after it): every legal move, in order. A side without one passes. The list is empty
    when the game is over."""
    side = state[2]
    legal = legal_squares(state[side], state[1 - side])
    if legal:
        return [((square,), after(state, square)) for square in squares_of(legal)]
    return [(PASS, (state[0], state[1], 1 - side))] if legal_squares(state[1 - side], state[side]) else []


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
