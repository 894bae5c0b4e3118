"""STcpClient: the connection to the judge. Set idTeam; there is nothing else to change here.

    GetBoard()                   waits for your turn: (stop_program, id_package, board, is_black)
    SendStep(id_package, step)   answers it: [(row, column), ...], or one (row, column)

The judge listens on port 8888 of this machine. All numbers are 32-bit little-endian integers:
we send our team's number once; a board comes as code, id_package, 64 cells and is_black; an
answer goes as the number of squares, id_package, and row and column of each square. Code 0
means stop.
"""
idTeam = -1

import socket
import struct
import sys
import time

ADDRESS = ("127.0.0.1", 8888)
TRIES = 300
PAUSE_S = 0.1

_connection = None


def _connect():
    global _connection
    _connection = socket.create_connection(ADDRESS)
    _connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    _connection.sendall(struct.pack("<i", idTeam))


def _disconnect():
    global _connection
    if _connection:
        _connection.close()
    _connection = None


def _receive(count):
    """The next `count` numbers."""
    data = b""
    while len(data) < 4 * count:
        piece = _connection.recv(4 * count - len(data))
        if not piece:
            raise OSError("the judge closed the connection")
        data += piece
    return struct.unpack("<%di" % count, data)


def GetBoard():
    """Waits for your turn. Returns (stop_program, id_package, board, is_black).

    board[row][column] is 0 empty, 1 Black, 2 White, -1 not a square. A lost connection is made
    again; the judge then sends the same board once more.
    """
    for _ in range(TRIES):
        try:
            if not _connection:
                _connect()
            code, id_package = _receive(2)
            if code == 0:
                _disconnect()
                return True, id_package, [], False
            cells = _receive(65)
            board = [list(cells[8 * row:8 * row + 8]) for row in range(8)]
            return False, id_package, board, cells[64] == 1
        except OSError:
            _disconnect()
            time.sleep(PAUSE_S)
    sys.exit("STcpClient: no judge at %s:%d" % ADDRESS)


def _whole(number):
    """3 and 3.0 are 3; 2.5 and "3" are not whole numbers."""
    if int(number) != number:
        raise ValueError
    return int(number)


def _answer(id_package, step):
    """The bytes of an answer. What is not a move ends the program with a sentence."""
    try:
        is_one = len(step) == 2 and not hasattr(step[0], "__len__")
        squares = [step] if is_one else step
        numbers = [len(squares), id_package]
        for row, column in squares:
            numbers += [_whole(row), _whole(column)]
        return struct.pack("<%di" % len(numbers), *numbers)
    except (TypeError, ValueError, LookupError, OverflowError, struct.error):
        sys.exit("STcpClient: GetStep returned %.200r, which is not a move; a move is a list of "
                 "squares (row, column), as in [(2, 0), (3, 0)], or one (row, column)" % (step,))


def SendStep(id_package, step):
    """Answers the board `id_package` with the squares of `step`, the first one first."""
    answer = _answer(id_package, step)
    if len(step) == 0:
        print("STcpClient: GetStep returned no square; a move has at least one (row, column)",
              file=sys.stderr, flush=True)
    try:
        _connection.sendall(answer)
    except OSError:
        _disconnect()
