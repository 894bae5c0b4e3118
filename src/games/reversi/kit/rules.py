# --- The rules ---
# A square is row * 8 + column, a set of squares is a number with a bit for each. A position is (Black's discs, White's
# discs, the side to move), a move is a tuple with one square.

ROWS = COLUMNS = 8
ALL = (1 << 64) - 1
CORNERS = 0x8100000000000081
HOLES = CORNERS if GAME == "reversi" else 0  # squares that are never occupied
FREE = 0x007E7E7E7E7E7E00 if GAME == "reversi" else 0  # squares where a disc need not flip


def ray(square, rows, columns):
    """The squares from a square to the edge, without itself."""
    row, column = square // 8 + rows, square % 8 + columns
    is_on_board = 0 <= row < 8 and 0 <= column < 8
    return 1 << 8 * row + column | ray(8 * row + column, rows, columns) if is_on_board else 0


UP, DOWN = [[[ray(square, to * rows, to * columns) for rows, columns in ((0, 1), (1, -1), (1, 0), (1, 1))]
             for square in range(64)] for to in (1, -1)]  # by square: the rays to higher numbers, and those to lower ones


def start():
    return (0, 0, BLACK) if GAME == "reversi" else (1 << 28 | 1 << 35, 1 << 27 | 1 << 36, BLACK)


def to_move(state):
    return state[2]


def squares_of(discs):
    while discs:
        yield (discs & -discs).bit_length() - 1
        discs &= discs - 1


def reached_along(own, line, step):
    """Where lines of discs next to an own one end, in one direction and its opposite: of one disc, two, four and six."""
    up, down = line & own << step, line & own >> step
    up, down = up | line & up << step, down | line & down >> step
    two_up, two_down = line & line << step, line & line >> step
    up, down = up | two_up & up << 2 * step, down | two_down & down >> 2 * step
    return (up | two_up & up << 2 * step) << step | (down | two_down & down >> 2 * step) >> step


def reached(own, other):
    """Where an own disc would flip something, if the square is empty."""
    inner = other & 0x7E7E7E7E7E7E7E7E  # a line that is not a column ends at the first or last one
    return (reached_along(own, inner, 1) | reached_along(own, inner, 7) | reached_along(own, other, 8)
            | reached_along(own, inner, 9))


def legal_squares(own, other):
    return (FREE | reached(own, other)) & ~(own | other | HOLES) & ALL


def flipped(own, other, square):
    """On each ray the nearest square without an enemy disc ends the line; an own disc there turns what is before it."""
    flips = 0
    for squares in UP[square]:
        end = squares & ~other & -(squares & ~other) & own
        flips |= squares & end - 1 if end else 0
    for squares in DOWN[square]:
        flips |= squares & -(1 << (squares & ~other).bit_length() >> 1 & own) << 1
    return flips


def result(state):
    """None while the game is on, else (Black's score, White's score, reason)."""
    if FREE & ~(state[0] | state[1]) or legal_squares(state[0], state[1]) or legal_squares(state[1], state[0]):
        return None
    lead = scores(state)[0]
    if not HOLES and lead:
        lead += (64 - bin(state[0] | state[1]).count("1")) * (1 if lead > 0 else -1)
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
