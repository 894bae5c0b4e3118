"""An agent for reversi with bad habits, named by its arguments, for tests of the judge's patience."""
import socket
import struct
import sys
import time

HABITS = sys.argv[1:]
TEAM = -1 if "wrong-team" in HABITS else 7
DIRECTIONS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def flips(board, row, column, own):
    for r, c in DIRECTIONS:
        y, x, seen = row + r, column + c, 0
        while 0 <= y < 8 and 0 <= x < 8 and board[8 * y + x] == 3 - own:
            y, x, seen = y + r, x + c, seen + 1
        if seen and 0 <= y < 8 and 0 <= x < 8 and board[8 * y + x] == own:
            return True
    return False


def choose(board, own):
    for row in range(8):
        for column in range(8):
            is_central = 0 < row < 7 and 0 < column < 7
            if board[8 * row + column] == 0 and (is_central or flips(board, row, column, own)):
                return row, column
    return 0, 0


def connect():
    for _ in range(50):
        try:
            line = socket.create_connection(("localhost", 8888))
            line.sendall(struct.pack("<i", TEAM))
            return line
        except OSError:
            time.sleep(0.1)
    sys.exit("nobody is there")


def receive(line, count):
    data = b""
    while len(data) < count:
        part = line.recv(count - len(data))
        if not part:
            raise ConnectionError
        data += part
    return data


def answer(line, turn):
    """False: the judge says stop."""
    code, package = struct.unpack("<ii", receive(line, 8))
    if code == 0:
        return False
    *board, is_black = struct.unpack("<65i", receive(line, 260))
    own = 1 if is_black else 2
    if "one-game" in HABITS and turn > 1 and board.count(0) >= 59:
        sys.exit(0)
    row, column = choose(board, own)
    if "illegal" in HABITS and turn == 3:
        row, column = 0, 1
    if "illegal-white" in HABITS and not is_black:
        row, column = 9, 9
    if "slow" in HABITS and turn == 1:
        time.sleep(0.3)
    if "crash" in HABITS and turn == 2:
        print("the weights are missing", file=sys.stderr)
        raise ValueError("no weights")
    count = -5 if "malformed" in HABITS else 1
    line.sendall(struct.pack("<iiii", count, package, row, column))
    if "twice" in HABITS and turn == 2:
        line.sendall(struct.pack("<iiii", 1, package, row, column))
    return True


def main():
    if "silent" in HABITS:
        time.sleep(60)
    if "slow" in HABITS:
        time.sleep(0.3)
    line = connect()
    turn = 0
    while True:
        turn += 1
        try:
            if not answer(line, turn):
                break
        except OSError:
            if "gives-up" in HABITS:
                sys.exit("lost the connection")
            line = connect()
    if "stubborn" in HABITS:
        time.sleep(60)


main()
