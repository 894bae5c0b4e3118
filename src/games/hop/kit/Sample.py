"""A simple player of hop: it looks at all its moves and takes the one that looks best.

Improve GetStep. Black's pieces want to reach columns 6 and 7, White's columns 0 and 1.
"""
import random

import STcpClient

EMPTY, BLACK, WHITE = 0, 1, 2
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))


def is_empty(board, row, column):
    return 0 <= row < 8 and 0 <= column < 8 and board[row][column] == EMPTY


def steps(board, row, column):
    """One square up, down, left or right, if it is empty. A step ends the move."""
    return [[(row, column), (row + dr, column + dc)]
            for dr, dc in DIRECTIONS if is_empty(board, row + dr, column + dc)]


def hops(board, path, enemy):
    """Every way to hop on from the last square of `path`, once or more often.

    A hop goes over a neighbouring piece of either colour to the empty square right after it.
    An enemy piece leaves the board at once, an own one stays. The moving piece is not on
    `board`: the square it left is empty.

    No square is visited twice. That is a rule of hop-noloop; in hop a piece may come back, as
    long as it hops at most 99 times, and this player just does not think of it.
    """
    found = []
    row, column = path[-1]
    for dr, dc in DIRECTIONS:
        over = (row + dr, column + dc)
        target = (row + 2 * dr, column + 2 * dc)
        if not is_empty(board, *target) or target in path:
            continue
        piece = board[over[0]][over[1]]
        if piece == EMPTY:
            continue
        longer = path + [target]
        found.append(longer)
        if piece == enemy:
            board[over[0]][over[1]] = EMPTY
        found += hops(board, longer, enemy)
        board[over[0]][over[1]] = piece
    return found


def all_moves(board, me):
    """Every move as the list of squares that the piece visits, the one it is on first."""
    moves = []
    for row in range(8):
        for column in range(8):
            if board[row][column] == me:
                moves += steps(board, row, column)
                board[row][column] = EMPTY
                moves += hops(board, [(row, column)], 3 - me)
                board[row][column] = me
    return moves


def captures(board, path, enemy):
    """How many enemy pieces the path hops over."""
    count = 0
    for (row, column), (next_row, next_column) in zip(path, path[1:]):
        if abs(row - next_row) + abs(column - next_column) == 2:
            count += board[(row + next_row) // 2][(column + next_column) // 2] == enemy
    return count


def progress(column, me):
    """How far a piece has come: at home (10 points a column) it may still make room (1)."""
    forward = column if me == BLACK else 7 - column
    return 10 * min(forward, 6) + (forward == 7)


def GetStep(board, is_black):
    """Your move: [(row, column), ...], every square that the piece visits, its own one first.

    board[row][column] is 0 empty, 1 Black, 2 White; is_black tells your colour.
    """
    me = BLACK if is_black else WHITE
    moves = all_moves(board, me)
    random.shuffle(moves)

    def value(path):
        advance = progress(path[-1][1], me) - progress(path[0][1], me)
        return advance + 25 * captures(board, path, 3 - me)

    return max(moves, key=value) if moves else []


def main():
    while True:
        stop_program, id_package, board, is_black = STcpClient.GetBoard()
        if stop_program:
            break
        STcpClient.SendStep(id_package, GetStep(board, is_black))


if __name__ == "__main__":
    main()
