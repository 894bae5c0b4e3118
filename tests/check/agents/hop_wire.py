"""An agent for hop over TCP, by hand: a plain socket, no client library. One fault, named by its argument.

usage: hop_wire.py TEAM [FAULT]
"""
import random
import socket
import struct
import sys
import time

TEAM = int(sys.argv[1])
FAULT = sys.argv[2] if len(sys.argv) > 2 else ""


def steps(board, own):
    for square in range(64):
        row, column = divmod(square, 8)
        if board[square] != own:
            continue
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            r, c = row + dr, column + dc
            if 0 <= r < 8 and 0 <= c < 8 and board[8 * r + c] == 0:
                yield [(row, column), (r, c)]


def receive(line, count):
    data = b""
    while len(data) < count:
        part = line.recv(count - len(data))
        if not part:
            raise ConnectionError("the judge hung up")
        data += part
    return data


def connect():
    while True:
        try:
            line = socket.create_connection(("localhost", 8888))
            line.sendall(struct.pack("<i", TEAM))
            return line
        except OSError:
            time.sleep(0.05)


def main():
    random.seed(4)
    line = connect()
    turn = 0
    while True:
        try:
            code, package = struct.unpack("<ii", receive(line, 8))
            if code == 0:
                return
            *board, is_black = struct.unpack("<65i", receive(line, 260))
        except OSError:
            line = connect()
            continue
        turn += 1
        if FAULT == "spy" and turn == 1:
            try:
                open("/etc/shadow").close()
            except OSError:
                pass
        own = 1 if is_black or FAULT == "always-black" else 2
        moves = list(steps(board, own))
        path = random.choice(moves) if moves else []
        if FAULT == "swapped":
            path = [(column, row) for row, column in path]
        if FAULT == "one-square" and turn == 3:
            path = path[:1]
        if FAULT == "sometimes" and turn % 40 == 7:
            path = [(0, 0), (7, 7)]
        if FAULT == "late-once" and turn == 4 or FAULT == "late-always":
            time.sleep(3)
        if FAULT == "garbage":
            line.sendall(b"hello judge, my move is a3 to a4, thank you\n")
            continue
        answer = struct.pack("<ii", len(path), package)
        line.sendall(answer + b"".join(struct.pack("<ii", *pair) for pair in path))


main()
