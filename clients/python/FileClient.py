"""FileClient: the same functions as STcpClient, through files instead of a connection.

To use it, write in your agent

    import FileClient as STcpClient

The judge writes state_TEAM.txt into the working folder, we answer in move_TEAM.txt:

    move 1                                move 1
    color 1       1 Black, 2 White        1 0       row and column of each square
    board                                 1 2
    1 0 0 0 ...   eight rows              3 2
    end                                   end

The number after `move` rises with every board; `move 0` means stop.
"""
import sys
import time

idTeam = -1

PAUSE_S = 0.005
PATIENCE_S = 3600

_last_move = 0


def _read_state():
    """The words of a complete state file that has not been seen yet, else None."""
    global _last_move
    try:
        with open("state_%d.txt" % idTeam) as file:
            words = file.read().split()
    except OSError:
        _last_move = 0  # a new game begins with an empty folder
        return None
    if words[-1:] != ["end"] or int(words[1]) == _last_move:
        return None
    _last_move = int(words[1])
    return words


def GetBoard():
    """Waits for your turn. Returns (stop_program, id_package, board, is_black).

    board[row][column] is 0 empty, 1 Black, 2 White.
    """
    deadline = time.time() + PATIENCE_S
    while time.time() < deadline:
        words = _read_state()
        if words and words[1] == "0":
            return True, 0, [], False
        if words:
            cells = [int(word) for word in words[5:69]]
            board = [cells[8 * row:8 * row + 8] for row in range(8)]
            return False, int(words[1]), board, words[3] == "1"
        time.sleep(PAUSE_S)
    sys.exit("FileClient: no judge writes state_%d.txt" % idTeam)


def _whole(number):
    """3 and 3.0 are 3; 2.5 and "3" are not whole numbers."""
    if int(number) != number:
        raise ValueError
    return int(number)


def SendStep(id_package, step):
    """Answers board `id_package` with the squares of `step`, the first one first. What is not a
    move ends the program with a sentence."""
    lines = ["move %d" % id_package]
    try:
        lines += ["%d %d" % (_whole(row), _whole(column)) for row, column in step]
    except (TypeError, ValueError, OverflowError):
        sys.exit("FileClient: GetStep returned %.200r, which is not a move; a move is a list of "
                 "squares (row, column), as in [(2, 0), (3, 0)]" % (step,))
    if len(lines) == 1:
        print("FileClient: GetStep returned no square; a move has at least one (row, column)",
              file=sys.stderr, flush=True)
    with open("move_%d.txt" % idTeam, "w") as file:
        file.write("\n".join(lines + ["end", ""]))
