@include clients/agent/numbers.py


@include clients/agent/net.py


# --- What a position is worth ---
# A network whose inputs are the pieces and how much of the game is left. Each side sees the board as if it went to the
# right.

MARGIN, REDUCTION, LATE_MOVES = 60, 120, 7
PROBES = {}  # no ProbCut
TIMES = (9, 19, 39, 69, 109, 179, 279)  # moves left of both sides: an input for each range
net = None


def prepare():
    global net
    net = Net(unpack_numbers(WEIGHTS))


def evaluate(state):
    """In hundredths of a piece at home, for the side to move."""
    black, white = list(squares_of(state[0])), list(squares_of(state[1]))
    time_input = 128 + sum(LAST_PLY - state[2] > end for end in TIMES)
    views = ({time_input, *black, *[64 + square for square in white]},
             {time_input, *[64 + (square ^ 7) for square in black], *[square ^ 7 for square in white]})
    return net.value(max(0, len(black) + len(white) - 2) * 6 // 17, state[2] % 2, views)


# --- What the search asks of the game ---

def captures(state, next_state):
    return state[1 - state[2] % 2] != next_state[1 - state[2] % 2]


def is_quiet(state, _, next_state):
    """Captures change the balance, and so does the move that brings the last piece home."""
    return not captures(state, next_state) and not is_home(next_state, state[2] % 2)


def order_hint(state, move, next_state):
    """Captures first, then by the columns that a move gains."""
    if move == PASS:
        return 0
    columns = move[-1] % 8 - move[0] % 8
    hint = 40 * (columns if state[2] % 2 == BLACK else -columns)
    return hint if is_quiet(state, move, next_state) else hint + 50000


def hoppers(own, enemy):
    """The pieces that can hop at all: most cannot."""
    pieces = own | enemy
    empty = ~pieces
    return own & ((pieces & empty >> 1) >> 1 & 0x3F3F3F3F3F3F3F3F | (pieces & empty << 1) << 1 & 0xFCFCFCFCFCFCFCFC
                  | (pieces & (empty & (1 << 64) - 1) >> 8) >> 8 | (pieces & empty << 8) << 8)


def noisy_successors(state):
    """Captures. The list of ways is that of the rules."""
    side, found = state[2] % 2, {}
    own, enemy = state[side], state[1 - side]
    for begin in squares_of(hoppers(own, enemy)):
        find_hops(own & ~(1 << begin), enemy, begin, found)
    return [(path, after(state, path[0], path[-1], key[-1])) for key, path in found.items() if key[-1]]


def is_threatened(_):
    return False


def repetition_key(state):
    """Far from the end the same board may come again."""
    return None if LAST_PLY - state[2] <= 40 else (state[0], state[1], state[2] % 2)


def repetition_score(state):
    """What the board scores now: the side that is ahead may wait, the other one may not."""
    black, white = scores(state)
    return 150 * (black - white if state[2] % 2 == BLACK else white - black)


def final_score(state, end):
    lead = end[0] - end[1] if state[2] % 2 == BLACK else end[1] - end[0]
    return FINAL if lead > 0 else -FINAL if lead < 0 else 0


def read_position(text):
    """From "start", or rows of . X O joined by /, b or w, and the moves that both have used."""
    if text == "start":
        return start()
    rows, _, black, white = text.split()
    cells = rows.replace("/", "")
    pieces = [sum(1 << square for square in range(64) if cells[square] == letter) for letter in "XO"]
    return pieces[0], pieces[1], int(black) + int(white)
