# --- The rules ---
# A square is row * 8 + column, a set of squares is a number with a bit for each. A position is (Black's discs, White's
# discs, the side to move), a move is a tuple with one square.

ROWS = COLUMNS = 8
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
