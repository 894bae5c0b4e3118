"""boards: just enough rules for an agent to have a legal move. Cells are those of the wire."""

STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))
LINES = STEPS + ((-1, -1), (-1, 1), (1, -1), (1, 1))


def cell(board, row, column):
    return board[8 * row + column] if 0 <= row < 8 and 0 <= column < 8 else -1


def flips(board, own, row, column):
    """The squares that a disc there encloses."""
    found = []
    for dr, dc in LINES:
        line = []
        r, c = row + dr, column + dc
        while cell(board, r, c) == 3 - own:
            line.append((r, c))
            r, c = r + dr, c + dc
        found += line if cell(board, r, c) == own else []
    return found


def reversi_play(board, own, row, column):
    for r, c in flips(board, own, row, column) + [(row, column)]:
        board[8 * r + c] = own


def reversi_moves(board, own):
    return [[(row, column)] for row in range(8) for column in range(8)
            if cell(board, row, column) == 0 and
            (1 <= row <= 6 and 1 <= column <= 6 or flips(board, own, row, column))]


def hop_moves(board, own):
    """Steps only: there is one in every position that the tests play."""
    return [[(row, column), (row + dr, column + dc)] for row in range(8) for column in range(8)
            for dr, dc in STEPS
            if cell(board, row, column) == own and cell(board, row + dr, column + dc) == 0]


def reversi_read(text):
    """The board and the side of a position's text."""
    rows, side = text.split()
    return [{".": 0, "X": 1, "O": 2, "#": -1}[letter] for letter in rows.replace("/", "")], \
        1 if side == "b" else 2


def a_move(board, own):
    """Hop has no corners and nine men, Reversi holes."""
    return (reversi_moves if -1 in board else hop_moves)(board, own)[0]
