"""What the trainer knows about each game: boards, symmetries, tables, and how weights are stored.

Nothing here needs more than the Python library, so that tests can check it on any machine.
"""
import struct
from dataclasses import dataclass

ROOT = __file__.rsplit("/tools/", 1)[0]


@dataclass(frozen=True)
class Game:
    name: str
    lines: int  # rows, and columns
    kinds: int  # of pieces, own and enemy ones told apart
    scale: float  # the score at which the chance to win is 73 %; 0: discs count
    has_corners: bool = True

    @property
    def squares(self):
        return self.lines * self.lines

    @property
    def counts_discs(self):
        return self.scale == 0

    def turned(self, square):
        """The square as the other side sees it."""
        row, column = divmod(square, self.lines)
        if self.name == "hop":
            return row * 8 + 7 - column
        if self.name == "meichu":
            return (8 - row) * 9 + column
        return square

    def symmetries(self):
        """Lists of squares: the ways to look at a board that do not change its value."""
        squares = range(self.squares)
        if self.name == "hop":
            return [list(squares), [square ^ 56 for square in squares]]
        if self.name == "meichu":
            return [list(squares), [square // 9 * 9 + 8 - square % 9 for square in squares]]
        return [[board_square(board, square) for square in squares] for board in range(8)]


GAMES = {
    "hop": Game("hop", 8, 2, 112),
    "meichu": Game("meichu", 9, 6, 80),
    "reversi": Game("reversi", 8, 2, 0, has_corners=False),
    "othello": Game("othello", 8, 2, 0),
}

# --- Patterns of reversi and othello: src/games/reversi/eval_pattern.h ---


def board_square(board, square):
    """The square of the real board that pattern_boards() shows at `square` of board `board`."""
    if board >= 4:
        square = square % 8 * 8 + square // 8
    return square ^ (0, 56, 7, 63)[board % 4]


@dataclass(frozen=True)
class Shape:
    squares: tuple
    boards: tuple
    order: tuple = ()  # the digits of its mirror image, where that is the shape itself


def mirrored(squares, image):
    return tuple(squares.index(image(square)) for square in squares)


def by_columns(square):
    return square ^ 7


def by_diagonal(square):
    return square % 8 * 8 + square // 8


SIDES = (0, 1, 4, 6)
CORNERS = (0, 1, 2, 3)
EIGHT = tuple(range(8))


def shapes(has_corners):
    """In the order of enum pattern_shape."""
    if has_corners:
        edge = (0, 1, 2, 3, 4, 5, 6, 7, 9, 14)
        corner25 = (0, 1, 2, 3, 4, 8, 9, 10, 11, 12)
        corner33 = (0, 1, 2, 8, 9, 10, 16, 17, 18)
    else:
        edge = (1, 2, 3, 4, 5, 6, 9, 10, 13, 14)
        corner25 = (1, 2, 3, 4, 5, 8, 9, 10, 11, 12)
        corner33 = (27, 1, 2, 8, 9, 10, 16, 17, 18)
    inner33 = (9, 10, 11, 17, 18, 19, 25, 26, 27)
    out = [
        Shape(edge, SIDES, mirrored(edge, by_columns)),
        Shape(corner25, EIGHT),
        Shape(corner33, CORNERS, mirrored(corner33, by_diagonal)),
        Shape(inner33, CORNERS, mirrored(inner33, by_diagonal)),
    ]
    for row in (1, 2, 3):
        out.append(Shape(tuple(range(8 * row, 8 * row + 8)), SIDES, tuple(range(7, -1, -1))))
    for length in (8, 7, 6, 5, 4):
        diagonal = tuple(8 - length + 9 * i for i in range(length))
        boards = (0, 1) if length == 8 else CORNERS
        out.append(Shape(diagonal, boards, tuple(range(length - 1, -1, -1))))
    return out


def more_shapes(has_corners):
    """Candidates for a larger set."""
    if has_corners:
        triangle = (0, 1, 2, 3, 8, 9, 10, 16, 17, 24)
        block = (0, 2, 3, 4, 5, 7, 10, 11, 12, 13)
        cross = (0, 9, 18, 27, 1, 10, 19, 8, 17, 26)
    else:
        triangle = (11, 1, 2, 3, 8, 9, 10, 16, 17, 24)
        block = (1, 2, 3, 4, 5, 6, 10, 11, 12, 13)
        cross = (36, 9, 18, 27, 1, 10, 19, 8, 17, 26)
    by_diagonal_too = mirrored(triangle, by_diagonal) if has_corners else ()
    return [
        Shape(triangle, CORNERS if has_corners else EIGHT, by_diagonal_too),
        Shape(block, SIDES, mirrored(block, by_columns)),
        Shape(cross, CORNERS, mirrored(cross, by_diagonal)),
    ]


MOVES, CENTRE, BORDER, ODD, DISCS = 32, 37, 29, 6, 32
ODD_KINDS = (0, 1, 1, 2, 1, 2, 3, 4, 1, 3, 2, 4, 2, 4, 4, 5)
STORED_STEP = 12
STORED_UNITS = 16
STORED_COUNT_SCALE = 8


@dataclass(frozen=True)
class Layout:
    """Where the weights of each shape and each count begin, in one set of weights."""

    shapes: tuple
    starts: tuple
    moves: int
    empty: int
    odd: int
    discs: int
    size: int


def layout_of(shape_list):
    starts, at = [], 0
    for shape in shape_list:
        starts.append(at)
        at += 3 ** len(shape.squares)
    empty = at + MOVES * MOVES
    odd = empty + CENTRE * BORDER
    discs = odd + ODD
    return Layout(tuple(shape_list), tuple(starts), at, empty, odd, discs, discs + DISCS * DISCS)


def twins(layout):
    """For each weight the one that is stored for it and its mirror image."""
    twin = list(range(layout.size))
    for shape, start in zip(layout.shapes, layout.starts):
        if not shape.order:
            continue
        count = len(shape.squares)
        powers = [3**i for i in range(count)]
        moved = [0] * count  # the power that digit i has in the mirror image
        for i, source in enumerate(shape.order):
            moved[source] = powers[i]
        images = [0]
        for i in range(count):
            images = [image + digit * moved[i] for digit in range(3) for image in images]
        for index, image in enumerate(images):
            twin[start + index] = start + min(index, image)
    return twin


def units(layout, index):
    """Of the stored weight to a disc."""
    return STORED_UNITS if index < layout.moves else STORED_UNITS / STORED_COUNT_SCALE


def read_patterns(path, layout, twin, knots):
    """Lists of weights in discs, one for each knot, from weights_*.bin."""
    with open(path, "rb") as file:
        data = file.read()
    stored, at = [], 0
    while at < len(data):
        if data[at]:
            stored.append(struct.unpack_from("b", data, at)[0])
            at += 1
        else:
            stored.extend([0] * data[at + 1])
            at += 2
    values = iter(stored)
    out = []
    for _ in range(knots):
        weights = [0.0] * layout.size
        for i in range(layout.size):
            weights[i] = next(values) / units(layout, i) if twin[i] == i else weights[twin[i]]
        out.append(weights)
    if next(values, None) is not None:
        raise ValueError(f"{path}: too long for {knots} sets of weights")
    return out


def write_patterns(path, layout, twin, knots):
    """`knots` are lists of weights in discs."""
    out, zeros = bytearray(), 0

    def end_zeros():
        nonlocal zeros
        while zeros:
            run = min(zeros, 255)
            out.extend((0, run))
            zeros -= run

    for weights in knots:
        for i in range(layout.size):
            if twin[i] != i:
                continue
            byte = max(-127, min(127, round(weights[i] * units(layout, i))))
            if byte == 0:
                zeros += 1
            else:
                end_zeros()
                out.extend(struct.pack("b", byte))
    end_zeros()
    with open(path, "wb") as file:
        file.write(out)


# --- Networks: src/engine/net.h, tools/net_weights.c ---

NET_ONE, NET_LAST_ONE, NET_SQUARE_SHIFT = 255, 1024, 3


HOP_TIMES = (10, 20, 40, 70, 110, 180, 280)  # plies left, from which on another input is true
COINS = 64  # the last one is true for all that is more


def net_path(game):
    return f"{ROOT}/src/games/{game.name}/net.bin"


@dataclass(frozen=True)
class Net:
    first: list  # a row of real numbers for each input
    begin: list  # what the sums begin with
    last: list  # a row for each bucket
    bias: list
    scale: int


def write_net(path, first, begin, last, bias, scale):
    """`first` has a row for each input, `last` one for each bucket; all in real numbers."""
    rows = [[round(NET_ONE * w) for w in row] for row in [*first, begin]]
    last = [[round(NET_LAST_ONE * w) for w in row] for row in last]
    largest_square = NET_ONE * NET_ONE >> NET_SQUARE_SHIFT
    for row in last:
        half = len(row) // 2
        if max(sum(map(abs, row[:half])), sum(map(abs, row[half:]))) * largest_square >= 2**31:
            raise ValueError("the weights of the second layer can overflow")
    unit = NET_ONE * NET_ONE * (NET_LAST_ONE >> NET_SQUARE_SHIFT)
    numbers = [len(first), len(begin), len(last), round(scale)]
    numbers += [number for row in rows + last for number in row]
    halves = [number for b in bias for number in struct.unpack("<hh", struct.pack("<i", round(unit * b)))]
    with open(path, "wb") as file:
        file.write(struct.pack(f"<{len(numbers) + len(halves)}h", *numbers, *halves))


def read_net(path):
    with open(path, "rb") as file:
        data = file.read()
    inputs, hidden, buckets, scale = struct.unpack_from("<4h", data)
    count = (inputs + 1) * hidden + 2 * hidden * buckets
    numbers = struct.unpack_from(f"<{count}h", data, 8)
    unit = NET_ONE * NET_ONE * (NET_LAST_ONE >> NET_SQUARE_SHIFT)
    bias = [b / unit for b in struct.unpack_from(f"<{buckets}i", data, 8 + 2 * count)]
    rows = [[n / NET_ONE for n in numbers[i * hidden : (i + 1) * hidden]] for i in range(inputs + 1)]
    at, width = (inputs + 1) * hidden, 2 * hidden
    last = [[n / NET_LAST_ONE for n in numbers[at + i * width : at + (i + 1) * width]] for i in range(buckets)]
    return Net(rows[:-1], rows[-1], last, bias, scale)
