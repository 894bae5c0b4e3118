"""A simple player of Reversi: it takes the square that looks best right now.

Improve GetStep. The same rules serve Reversi without corners, where the corners are holes, and
standard Othello.
"""
import random

import STcpClient

HOLE, EMPTY, BLACK, WHITE = -1, 0, 1, 2
DIRECTIONS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


def flips(board, row, column, me):
    """The enemy's discs between this square and another disc of ours, in eight directions."""
    found = []
    for dr, dc in DIRECTIONS:
        line = []
        r, c = row + dr, column + dc
        while 0 <= r < 8 and 0 <= c < 8 and board[r][c] == 3 - me:
            line.append((r, c))
            r, c = r + dr, c + dc
        if 0 <= r < 8 and 0 <= c < 8 and board[r][c] == me:
            found += line
    return found


def is_legal(board, row, column, me):
    """Without corners any empty square of the central 6x6 may be taken; the squares on the
    border, and in Othello all squares, only if that flips something."""
    if board[row][column] != EMPTY:
        return False
    has_holes = board[0][0] == HOLE
    if has_holes and 1 <= row <= 6 and 1 <= column <= 6:
        return True
    return bool(flips(board, row, column, me))


def GetStep(board, is_black):
    """Your move: (row, column).

    board[row][column] is 0 empty, 1 Black, 2 White, -1 a hole; is_black tells your colour.
    """
    me = BLACK if is_black else WHITE
    squares = [(row, column) for row in range(8) for column in range(8)
               if is_legal(board, row, column, me)]
    random.shuffle(squares)

    def value(square):
        row, column = square
        border = (row in (0, 7)) + (column in (0, 7))  # hard to flip; corners never
        return len(flips(board, row, column, me)) + 10 * border

    return max(squares, key=value) if squares else (-1, -1)


def main():
    while True:
        stop_program, id_package, board, is_black = STcpClient.GetBoard()
        if stop_program:
            break
        STcpClient.SendStep(id_package, GetStep(board, is_black))


if __name__ == "__main__":
    main()
