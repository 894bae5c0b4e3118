@include clients/agent/numbers.py


# --- What a position is worth ---
# A shape is a few squares: an edge, a corner's neighbourhood, a row, a diagonal. Its contents, each square empty, own or the
# other's, are a number in base three, and every number has a learned weight (Buro, 1997). A shape is looked at in every place
# to which turning and mirroring the board brings it. Four counts have weights as well: moves to the border, empty squares,
# quadrants with an odd number of them, and discs. The sum estimates the final difference in discs.
#
# The numbers of all 50 places are computed at once: they are fields of 16 bits in one long integer, a sum over rows.

SHAPES = ((1, 2, 3, 4, 5, 6, 9, 10, 13, 14),  # the edge; the digit of the square at i is worth 3 ** i
          (1, 2, 3, 4, 5, 8, 9, 10, 11, 12),  # two rows at a corner
          (27, 1, 2, 8, 9, 10, 16, 17, 18),   # a corner, and 27 instead of the hole
          (9, 10, 11, 17, 18, 19, 25, 26, 27),
          (8, 9, 10, 11, 12, 13, 14, 15),
          (16, 17, 18, 19, 20, 21, 22, 23),
          (24, 25, 26, 27, 28, 29, 30, 31),
          (0, 9, 18, 27, 36, 45, 54, 63),
          (1, 10, 19, 28, 37, 46, 55),
          (2, 11, 20, 29, 38, 47),
          (3, 12, 21, 30, 39),
          (4, 13, 22, 31))
SETS, SET_STEP = 5, 12  # of weights, for 12, 24, 36, 48 and 60 empty squares
MOST = 32               # counts of moves and discs that have weights of their own
COUNT_WEIGHT, UNITS_OF_A_DISC = 8, 8
QUADRANTS = (0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F00000000, 0xF0F0F0F000000000)
ODD_KINDS = (0, 1, 1, 2, 1, 2, 3, 4, 1, 3, 2, 4, 2, 4, 4, 5)  # none, one, two neighbours, two others, three, all
MARGIN, REDUCTION, LATE_MOVES = 180, 0, 0
PROBES = {3: (1, 185), 4: (2, 160), 5: (3, 128), 6: (2, 193), 7: (3, 164), 8: (4, 153)}  # ProbCut

place_count = 0
parts = [[0] * 256 for _ in range(8)]  # [row][its discs]: what they add to the numbers of all places
pattern_sets, count_sets = [], []      # by set: a table for each place; tables of moves, empty, odd, discs


def turned(square, way):
    """The eight ways to turn and mirror the board."""
    row, column = divmod(square, 8)
    row, column = 7 - row if way & 1 else row, 7 - column if way & 2 else column
    return 8 * column + row if way & 4 else 8 * row + column


def add_place(squares):
    global place_count
    for i, square in enumerate(squares):
        for discs in range(256):
            if discs >> square % 8 & 1:
                parts[square // 8][discs] += 3 ** i << 16 * place_count
    place_count += 1


def find_places(shape):
    """Adds the places of a shape. Returns how many, and for each number that of the same contents in another order, where
    a turn brings the shape onto its own squares."""
    seen, order = [], range(len(shape))
    for way in range(8):
        squares = [turned(square, way) for square in shape]
        if set(squares) not in seen:
            seen.append(set(squares))
            add_place(squares)
        elif set(squares) == seen[0] and squares != list(shape):
            order = [shape.index(square) for square in squares]
    twins = [0]
    for i in order:
        twins = [twin + digit * 3 ** i for digit in range(3) for twin in twins]
    return len(seen), twins


def prepare():
    """Reads the weights. A weight of both orders of a shape is there once, at the smaller number."""
    numbers = iter(unpack_numbers(WEIGHTS))
    places = [find_places(shape) for shape in SHAPES]
    for _ in range(SETS):
        pattern_sets.append([])
        for count, twins in places:
            table = []
            for number, twin in enumerate(twins):
                table.append(table[twin] if twin < number else next(numbers))
            pattern_sets[-1] += [table] * count
        count_sets.append([[next(numbers) for _ in range(size)] for size in (MOST * MOST, 37 * 29, 6, MOST * MOST)])


def count_of(squares):
    return bin(squares).count("1")


def weigh(number_set, numbers, counts):
    """The sum of one set of weights."""
    return (sum(map(operator.getitem, pattern_sets[number_set], numbers))
            + COUNT_WEIGHT * sum(map(operator.getitem, count_sets[number_set], counts)))


def evaluate(state):
    """In hundredths of a disc, for the side to move, between two sets of weights."""
    own, other = state[state[2]], state[1 - state[2]]
    fields = (sum(map(operator.getitem, parts, own.to_bytes(8, "little")))
              + 2 * sum(map(operator.getitem, parts, other.to_bytes(8, "little"))))
    numbers = struct.unpack("<%dH" % place_count, fields.to_bytes(2 * place_count, "little"))
    empty = ALL & ~(own | other | HOLES)
    border = empty & ~FREE
    odd = sum((count_of(empty & quadrant) & 1) << i for i, quadrant in enumerate(QUADRANTS))
    counts = (min(MOST - 1, count_of(reached(own, other) & border)) * MOST
              + min(MOST - 1, count_of(reached(other, own) & border)),
              count_of(empty & FREE) * 29 + count_of(border),
              ODD_KINDS[odd],
              min(MOST - 1, count_of(own)) * MOST + min(MOST - 1, count_of(other)))
    low, share = divmod(max(0, count_of(empty) - SET_STEP), SET_STEP)
    value = weigh(low, numbers, counts) * (SET_STEP - share)
    if share:
        value += weigh(low + 1, numbers, counts) * share
    return value * 100 // (UNITS_OF_A_DISC * SET_STEP)


# --- What the search asks of the game ---

def order_hint(_, move, next_state):
    """Fewer answers for the other side first."""
    side = next_state[2]
    return 0 if move == PASS else -400 * count_of(legal_squares(next_state[side], next_state[1 - side]))


def is_quiet(state, move, next_state):
    return True


def noisy_successors(_):
    return []


def is_threatened(_):
    return False


def repetition_key(_):
    return None  # discs never leave the board


def repetition_score(_):
    return 0


def final_score(state, end):
    """More discs are better, but any win is better than an estimate."""
    lead = end[state[2]]
    return FINAL + 1000 * lead if lead > 0 else 1000 * lead - FINAL if lead < 0 else 0


def read_position(text):
    """From eight rows of # . X O, joined by /, and b or w."""
    if text == "start":
        return start()
    rows, side = text.split()
    cells = rows.replace("/", "")
    discs = [sum(1 << square for square in range(64) if cells[square] == letter) for letter in "XO"]
    return discs[0], discs[1], "bw".index(side)
