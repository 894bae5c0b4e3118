#!/usr/bin/env python3
"""A small judge, independent of Plum's own, that plays an agent against random moves.

usage: mini_judge.py PLUM GAME tcp TEAM COMMAND...        two games, colours swapped, in one process
       mini_judge.py PLUM GAME file TEAM COMMAND...       two games, a process for each
       mini_judge.py PLUM GAME template KIND COMMAND...   a game for each outcome of the auction
                                KIND: python or c; c=14: for a program that believes in budgets of 14

Knows the wire and asks `plum moves`, `plum apply` and `plum result` about everything else. Any
move that Plum refuses, any byte that the protocol does not allow, and a program that does not
end by itself is an error: a sentence on stderr and exit code 1.
"""
import ctypes
import fcntl
import os
import random
import re
import select
import socket
import struct
import subprocess
import sys
import tempfile
import time

PATIENCE_S = 30
PORT = 8888
CELLS = {".": 0, "X": 1, "O": 2, "#": -1}


class Fault(Exception):
    """What the agent did wrong."""


class Rules:
    def __init__(self, plum, game):
        self.plum = plum
        self.game = game

    def ask(self, command, *arguments):
        process = subprocess.run([self.plum, command, self.game, *arguments],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 universal_newlines=True)
        if process.returncode:
            raise Fault(process.stderr.strip())
        return process.stdout.split("\n")[:-1]

    def start(self):
        """Where moves are counted up to 200, which no agent is told, 150 of each side are over."""
        return re.sub(" 0 0$", " 150 150", self.ask("show", "start")[-1])

    def moves(self, position):
        return self.ask("moves", position)

    def apply(self, position, move):
        return self.ask("apply", position, move)[0]

    def result(self, position):
        return self.ask("result", position)[0]


def to_move(position):
    """0 Black, 1 White."""
    return "bw".index(position.split()[1])


def cells(position):
    return [CELLS[letter] for letter in position.split()[0].replace("/", "")]


def play(rules, position, colour, ask, lots, tell=lambda move: None):
    """One game to its end; returns its last position. The agent has that colour: `ask` gets its
    moves, `tell` receives the opponent's. A pass is neither asked for nor sent."""
    while True:
        moves = rules.moves(position)
        if not moves:
            return position
        move = lots.choice(moves)
        if move != "pass" and to_move(position) == colour:
            move = ask(position)
        elif move != "pass":
            tell(move)
        position = rules.apply(position, move)


def path_text(squares):
    if not all(0 <= row <= 9 and 0 <= column <= 9 for row, column in squares):
        raise Fault("squares off the board: %s" % squares)
    return "-".join("%d%d" % square for square in squares)


def expect_exit(process):
    try:
        code = process.wait(PATIENCE_S)
    except subprocess.TimeoutExpired:
        raise Fault("the program does not end")
    if code:
        raise Fault("the program ended with code %d" % code)


# --- TCP ---

def own_network():
    """A network of its own, so that no other judge is on the port. Without the right to make one
    the port of this machine has to do."""
    clone_newuser, clone_newnet, up = 0x10000000, 0x40000000, 1
    libc = ctypes.CDLL(None)
    if libc.unshare(clone_newnet) and libc.unshare(clone_newuser | clone_newnet):
        return
    with socket.socket() as probe:
        fcntl.ioctl(probe, 0x8914, struct.pack("16sh22x", b"lo", up))  # SIOCSIFFLAGS


class TcpJudge:
    def __init__(self, team):
        self.team = team
        self.id_package = 100
        self.asked = 0
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.settimeout(PATIENCE_S)
        deadline = time.time() + 3 * PATIENCE_S
        while True:
            try:
                self.listener.bind(("127.0.0.1", PORT))
                break
            except OSError:
                if time.time() > deadline:
                    raise
                time.sleep(0.1)
        self.listener.listen()
        self.connection = None

    def receive(self, count):
        data = b""
        while len(data) < 4 * count:
            piece = self.connection.recv(4 * count - len(data))
            if not piece:
                raise Fault("the agent closed the connection")
            data += piece
        return struct.unpack("<%di" % count, data)

    def accept(self):
        self.connection, _ = self.listener.accept()
        self.connection.settimeout(PATIENCE_S)
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        team, = self.receive(1)
        if team != self.team:
            raise Fault("the agent says it is team %d, not %d" % (team, self.team))

    def ask(self, position):
        """The agent's answer. Twice it loses the connection first: once before it can answer,
        once in the middle of a board."""
        self.id_package += 7
        self.asked += 1
        message = struct.pack("<67i", 1, self.id_package, *cells(position), to_move(position) == 0)
        if self.asked in (2, 4):
            self.connection.sendall(message if self.asked == 2 else message[:100])
            self.connection.close()
            self.accept()
        self.connection.sendall(message)
        count, id_package = self.receive(2)
        if id_package != self.id_package:
            raise Fault("an answer to package %d, not %d" % (id_package, self.id_package))
        numbers = self.receive(2 * count)
        return path_text(list(zip(numbers[0::2], numbers[1::2])))

    def stop(self):
        self.connection.sendall(struct.pack("<2i", 0, 0))


def judge_tcp(rules, team, command, lots):
    own_network()
    judge = TcpJudge(team)
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        judge.accept()
        for colour in (0, 1):
            end = play(rules, rules.start(), colour, judge.ask, lots)
            print(rules.game, "tcp", "black" if colour == 0 else "white", rules.result(end))
        judge.stop()
        expect_exit(process)
    finally:
        process.kill()
        process.wait()


# --- Files ---

class FileJudge:
    def __init__(self, team, folder):
        self.state = os.path.join(folder, "state_%d.txt" % team)
        self.answer = os.path.join(folder, "move_%d.txt" % team)
        self.index = 0

    def write(self, text):
        with open(self.state + ".new", "w") as file:
            file.write(text)
        os.rename(self.state + ".new", self.state)

    def ask(self, position):
        self.index += 1
        rows = cells(position)
        lines = ["move %d" % self.index, "color %d" % (1 + to_move(position)), "board"]
        lines += [" ".join(map(str, rows[i:i + 8])) for i in range(0, 64, 8)]
        self.write("\n".join(lines + ["end", ""]))
        deadline = time.time() + PATIENCE_S
        while time.time() < deadline:
            lines = open(self.answer).read().split("\n") if os.path.exists(self.answer) else []
            if lines[0:1] == ["move %d" % self.index] and lines[-2:] == ["end", ""]:
                return path_text([tuple(map(int, line.split())) for line in lines[1:-2]])
            time.sleep(0.002)
        raise Fault("no answer to move %d" % self.index)

    def stop(self):
        self.write("move 0\nend\n")


def judge_file(rules, team, command, lots):
    for colour in (0, 1):
        with tempfile.TemporaryDirectory() as folder:
            judge = FileJudge(team, folder)
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, cwd=folder)
            try:
                end = play(rules, rules.start(), colour, judge.ask, lots)
                judge.stop()
                expect_exit(process)
            finally:
                process.kill()
                process.wait()
            print(rules.game, "file", "black" if colour == 0 else "white", rules.result(end))


# --- MeiChu's template ---

TEMPLATES = {
    "python": (rb"My bid:  ([01]) (-?\d+)\n", rb"My move : \[(\d), (\d), (\d), (\d)\]\n",
               b"Enter the move : "),
    "c": (rb"My bid: ([01]) (-?\d+)\n", rb"Move \((\d), (\d)\) to \((\d), (\d)\)\.\n",
          b"Enter the opponent's move: "),
}


class TemplateJudge:
    def __init__(self, kind, process):
        self.bid_line, self.move_line, self.prompt = TEMPLATES[kind]
        self.process = process
        self.unread = b""

    def read_until(self, pattern):
        """What the program prints up to the pattern, which must not be something else of ours."""
        deadline = time.time() + PATIENCE_S
        while True:
            match = re.search(pattern, self.unread)
            if match:
                self.unread = self.unread[match.end():]
                return match
            ready, _, _ = select.select([self.process.stdout], [], [], deadline - time.time())
            piece = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not piece:
                raise Fault("waiting for %s, got %s" % (pattern, self.unread))
            self.unread += piece

    def write(self, numbers, separator=" "):
        self.process.stdin.write((separator.join(map(str, numbers)) + "\n").encode())
        self.process.stdin.flush()

    def ask(self, _position):
        row, column, to_row, to_column = map(int, self.read_until(self.move_line).groups())
        return path_text([(row, column), (to_row, to_column)])

    def tell(self, move):
        self.read_until(re.escape(self.prompt))
        self.write([move[0], move[1], move[3], move[4]])


def start_after(rules, bids, lot, budget):
    """The position after the auction, in a game whose sides have that much money."""
    words = [str(number) for number in bids] + ["--tie", str(lot)]
    answer = subprocess.check_output([rules.plum, "auction", *words], universal_newlines=True)
    budgets = [str(int(word) - 150 + budget) for word in answer.split()[2:]]
    return " ".join(rules.start().split()[:2] + budgets)


def judge_template_game(rules, who, command, their_bid, lot, lots, separator):
    """`lot`: the agent's colour if the bids are equal; `separator`: between colour and price."""
    kind, _, budget = who.partition("=")
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    judge = TemplateJudge(kind, process)
    try:
        colour, price = map(int, judge.read_until(judge.bid_line).groups())
        judge.write(their_bid, separator)
        mine = colour
        if (colour, price) == their_bid:
            judge.write([lot])
            mine = lot
        elif colour == their_bid[0] and price < their_bid[1]:
            mine = 1 - colour
        position = start_after(rules, (colour, price) + their_bid, lot, int(budget or 150))
        position = play(rules, position, mine, judge.ask, lots, judge.tell)
        winner = rules.result(position).split()[0]
        ending = "Draw!" if winner == "draw" else winner.upper() + " wins!"
        judge.read_until(re.escape(ending.encode()) + rb"\n")
        expect_exit(process)
        print(rules.game, "template", "black" if mine == 0 else "white", winner)
    finally:
        process.kill()
        process.wait()


def judge_template(rules, who, command, lots):
    for their_bid, lot, separator in (((1, 5), 0, "\n"), ((0, 20), 0, " "), ((0, 0), 1, "\n")):
        judge_template_game(rules, who, command, their_bid, lot, lots, separator)


def main():
    plum, game, protocol, who, *command = sys.argv[1:]
    rules = Rules(plum, game)
    lots = random.Random(1)
    if protocol == "tcp":
        judge_tcp(rules, int(who), command, lots)
    elif protocol == "file":
        judge_file(rules, int(who), command, lots)
    else:
        judge_template(rules, who, command, lots)


if __name__ == "__main__":
    try:
        main()
    except (Fault, socket.timeout) as fault:
        sys.exit("mini_judge: %s" % fault)
