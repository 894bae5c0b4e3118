"""tcp_agent: an agent for the courses' sockets that misbehaves as its first argument says.

usage: tcp_agent.py --team N BEHAVIOUR [ARGUMENT...]

Each behaviour is a method: what it does instead of answering a board. Without one it plays on
as it should.
"""
import os
import random
import socket
import struct
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boards  # noqa: E402
import harm  # noqa: E402
import ponder  # noqa: E402


class Agent:
    def __init__(self, team, behaviour, words):
        self.behaviour = behaviour.replace("-", "_")
        self.words = words
        self.own_team = team
        self.asked = 0
        self.line = None
        self.ids = []

    # --- The protocol, as it should be spoken ---

    def connect(self):
        self.line = socket.create_connection(("localhost", 8888))
        self.line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.line.sendall(struct.pack("<i", self.own_team))

    def receive(self, count):
        data = b""
        while len(data) < count:
            part = self.line.recv(count - len(data))
            if not part:
                sys.exit(0)
            data += part
        return data

    def read_board(self):
        """None: stop."""
        code, number = struct.unpack("<2i", self.receive(8))
        if code == 0:
            return None
        cells = struct.unpack("<65i", self.receive(260))
        return number, list(cells[:64]), cells[64]

    def packed(self, number, squares):
        flat = [value for square in squares for value in square]
        return struct.pack("<2i%di" % len(flat), len(squares), number, *flat)

    def send(self, number, squares):
        self.line.sendall(self.packed(number, squares))

    def answer(self, number, board, is_black):
        self.send(number, boards.a_move(board, 1 if is_black else 2))

    def run(self):
        before = getattr(self, "before_" + self.behaviour, None)
        misbehave = getattr(self, self.behaviour, None)
        if before:
            before()
        self.connect()
        while True:
            question = self.read_board()
            if question is None:
                stopped = getattr(self, "stopped_" + self.behaviour, None)
                return stopped() if stopped else None
            self.asked += 1
            self.ids.append(question[0])
            if not misbehave or not misbehave(*question):
                self.answer(*question)

    # --- Misbehaviour; a method returns True when it has dealt with the question ---

    def silent(self, number, board, is_black):
        return True

    def hang(self, number, board, is_black):
        time.sleep(1000)

    def spin(self, number, board, is_black):
        while True:
            pass

    def slow(self, number, board, is_black):
        time.sleep(float(self.words[0]))

    def slow_at(self, number, board, is_black):
        """At one move, by a time: what was asked then is answered late, the rest at once."""
        if self.asked == int(self.words[0]):
            time.sleep(float(self.words[1]))

    def hold_judge(self, number, board, is_black):
        if self.asked != 2:
            return False
        harm.hold_judge(lambda: self.answer(number, board, is_black), self.words[0] == "first", float(self.words[1]))
        return True

    def work_at(self, number, board, is_black):
        if self.asked == int(self.words[0]):
            ponder.work(float(self.words[1]))

    def before_ponder(self):
        self.spinner = ponder.Spinner()

    def ponder(self, number, board, is_black):
        self.spinner.note_question()
        self.answer(number, board, is_black)
        return True

    def tidy(self, number, board, is_black):
        self.answer(number, board, is_black)
        ponder.work(0.03)
        return True

    def ponder_hung_up(self, number, board, is_black):
        """Answers, and works without a connection."""
        self.answer(number, board, is_black)
        self.line.close()
        ponder.work(float(self.words[0]))
        self.connect()
        return True

    def late_reply(self, number, board, is_black):
        """Answers the first board only after it has got the second."""
        if self.asked == 1:
            self.first = (number, board, is_black)
            return True
        if self.asked == 2:
            self.answer(*self.first)
        return False

    def before_garbage(self):
        print("started", file=sys.stderr, flush=True)

    def garbage(self, number, board, is_black):
        self.line.sendall(random.Random(5).randbytes(100))
        return True

    def text(self, number, board, is_black):
        self.line.sendall(b"my move is 3 4\n")
        return True

    def half(self, number, board, is_black):
        self.line.sendall(self.packed(number, [(1, 1), (2, 2)])[:-3])
        return True

    def halves(self, number, board, is_black):
        data = self.packed(number, boards.a_move(board, 1 if is_black else 2))
        for byte in data:
            self.line.sendall(bytes([byte]))
        return True

    def flood_stdout(self, number, board, is_black):
        os.write(1, b"the first line\n")
        for _ in range(200):
            os.write(1, b"x" * 65536)
        os.write(1, b"\nthe last line\n")

    def print_and_hang(self, number, board, is_black):
        print("looking at board", number)
        time.sleep(1000)

    def print_much_and_hang(self, number, board, is_black):
        os.write(1, b"x" * (3 << 20))
        time.sleep(1000)

    def flood_stderr(self, number, board, is_black):
        os.write(2, b"the first line\n")
        for _ in range(200):
            os.write(2, b"x" * 65536)
        os.write(2, b"\nthe last line\n")

    def flood_forever(self, number, board, is_black):
        while True:
            os.write(1, b"x" * 65536)

    def flood_socket(self, number, board, is_black):
        while True:
            self.line.sendall(b"\xff" * 65536)

    def pairs(self, number, board, is_black):
        self.send(number, [(0, 0)] * int(self.words[0]))
        return True

    def empty(self, number, board, is_black):
        self.send(number, [])
        return True

    def off_board(self, number, board, is_black):
        self.send(number, [(-7, 2147483647)])
        return True

    def count(self, number, board, is_black):
        """A count without the squares that should follow."""
        self.line.sendall(struct.pack("<4i", int(self.words[0]), number, 1, 1))
        return True

    def before_team(self):
        self.own_team = int(self.words[0])

    def reconnect(self, number, board, is_black):
        """Comes back in the middle of a move, and must be asked the same again."""
        self.line.close()
        self.connect()
        if self.read_board() != (number, board, is_black):
            sys.exit("another board after coming back")

    def reconnect_unread(self, number, board, is_black):
        """Answers, leaves and comes back at once: the answer counts."""
        self.answer(number, board, is_black)
        self.line.close()
        self.connect()
        return True

    def reconnect_much(self, number, board, is_black):
        for _ in range(100):
            self.reconnect(number, board, is_black)

    def twice(self, number, board, is_black):
        """A second connection takes the place of the first."""
        first = self.line
        self.connect()
        if self.read_board() != (number, board, is_black):
            sys.exit("another board on the second connection")
        self.answer(number, board, is_black)
        first.close()
        return True

    def before_hoard(self):
        """Takes what the kernel gives to each user only in a small number."""
        print("hoard:", *harm.inotify_instances(1000), file=sys.stderr, flush=True)

    def before_impostor(self):
        """Plays badly for another team, which starts later, and well for itself."""
        told, telling = os.pipe()
        if os.fork() == 0:
            self.own_team = int(self.words[0])
            self.connect()
            os.write(telling, b"x")
            while True:
                question = self.read_board()
                if question is None:
                    os._exit(0)
                self.off_board(*question)
        os.read(told, 1)
        time.sleep(0.5)

    def before_mapped(self):
        """An IPv6 socket for an IPv4 address, as Java uses it, in a child of a child."""
        for _ in range(2):
            child = os.fork()
            if child:
                os._exit(os.waitpid(child, 0)[1])

        def connect():
            self.line = socket.socket(socket.AF_INET6)
            self.line.connect(("::ffff:127.0.0.1", 8888))
            self.line.sendall(struct.pack("<i", self.own_team))

        self.connect = connect

    def connect_forever(self, number, board, is_black):
        kept = []
        while True:
            kept.append(socket.create_connection(("localhost", 8888)))
            kept = kept[-500:]

    def hang_up(self, number, board, is_black):
        self.line.close()
        time.sleep(1000)

    def leave_after(self, number, board, is_black):
        """Goes away, without a word, after that many answers."""
        self.answer(number, board, is_black)
        if self.asked == int(self.words[0]):
            sys.exit(0)
        return True

    def leave_at(self, number, board, is_black):
        """Goes away, without an answer, at that question."""
        if self.asked == int(self.words[0]):
            sys.exit(int(self.words[1]) if len(self.words) > 1 else 0)

    def before_restart(self):
        time.sleep(float(self.words[0]))

    def restart(self, number, board, is_black):
        """Slow to start, and leaves at its third question."""
        if self.asked == 3:
            sys.exit(0)

    def before_tell_pid(self):
        print("started", file=sys.stderr, flush=True)

    def segfault(self, number, board, is_black):
        os.kill(os.getpid(), 11)

    def before_leave_at_once(self):
        print("no licence file", file=sys.stderr)
        sys.exit(4)

    def before_mute(self):
        self.line = socket.create_connection(("localhost", 8888))
        time.sleep(1000)

    def before_never(self):
        time.sleep(1000)

    def before_start(self):
        time.sleep(float(self.words[0]))

    def stopped_ponder(self):
        print("stopped", file=sys.stderr, flush=True)

    def stopped_tell_stop(self):
        print("stopped", file=sys.stderr, flush=True)

    def stopped_ignore(self):
        time.sleep(1000)

    def stopped_return(self):
        """Comes back after it was told to stop, and must be told again."""
        self.line.close()
        self.connect()
        if self.read_board() is None:
            print("stopped again", file=sys.stderr, flush=True)

    def answer_twice(self, number, board, is_black):
        move = boards.a_move(board, 1 if is_black else 2)
        self.line.sendall(self.packed(number, move) * 2)
        return True

    def old_id(self, number, board, is_black):
        """Answers the first question a second time, later."""
        if self.asked == 2:
            self.answer(self.ids[0], board, is_black)

    def future_id(self, number, board, is_black):
        self.answer(number + 1, board, is_black)
        return True

    def zero_id(self, number, board, is_black):
        self.answer(0, board, is_black)
        return True

    def harm(self, number, board, is_black):
        """Does it once, in the middle of a game, and plays on."""
        if self.asked == 2:
            harm.do(self.words[0], *self.words[1:])


if __name__ == "__main__":
    Agent(int(sys.argv[2]), sys.argv[3], sys.argv[4:]).run()
