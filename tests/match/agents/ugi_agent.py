"""ugi_agent: a program that speaks UGI and misbehaves as its first argument says.

usage: ugi_agent.py BEHAVIOUR [ARGUMENT...]

It knows Reversi, and MeiChu if one of the arguments is `meichu`.
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boards  # noqa: E402
import meichu  # noqa: E402
import harm  # noqa: E402
import ponder  # noqa: E402

EMPTY = "#......#/......../......../......../......../......../......../#......# b"


class Agent:
    def __init__(self, behaviour, words):
        self.behaviour = behaviour.replace("-", "_")
        self.words = words
        self.position = []
        self.asked = 0

    def say(self, text):
        data = (text + "\n").encode()
        while data:
            data = data[os.write(1, data):]

    def do(self, when, *words):
        method = getattr(self, "%s_%s" % (when, self.behaviour), None)
        return method(*words) if method else None

    def move(self):
        """A legal move, as text."""
        words = self.position
        moves = words[words.index("moves") + 1:] if "moves" in words else []
        if "meichu" in self.words:
            return self.meichu_move(words, moves)
        board, own = boards.reversi_read(" ".join(words[2:4]) if words[1] == "fen" else EMPTY)
        for move in moves:
            if move != "pass":
                boards.reversi_play(board, own, int(move[0]), int(move[1]))
            own = 3 - own
        return "%d%d" % boards.reversi_moves(board, own)[0][0]

    def meichu_move(self, words, moves):
        budgets = [int(word) for word in words[4:6]] if words[1] == "fen" else [150, 150]
        game = meichu.Game(budgets)
        colour = 0
        for move in moves:
            if move != "pass":
                game.play(colour, tuple(int(digit) for digit in move.replace("-", "")))
            colour = 1 - colour
        return "%d%d-%d%d" % game.moves(colour)[0]

    def hear(self, line):
        words = line.split()
        command = words[0] if words else ""
        if command == "quit":
            self.do("quit")
            sys.exit(0)
        elif command == "ugi":
            self.do("ugi") or self.say("id name rude\nugiok")
        elif command == "isready":
            self.do("isready") or self.say("readyok")
        elif command == "query":
            self.do("bid") or self.say("response 0 3")
        elif command == "position":
            self.position = words
        elif command == "go":
            self.asked += 1
            self.do("go") or self.say("bestmove " + (self.do("move") or self.move()))

    def run(self):
        print("started", file=sys.stderr, flush=True)
        self.do("before")
        for line in sys.stdin:
            self.hear(line)

    # --- Misbehaviour; True: that was the answer ---

    def before_leave(self):
        sys.exit(4)

    def before_start(self):
        time.sleep(float(self.words[0]))

    def ugi_no_ugiok(self):
        return True

    def isready_no_readyok(self):
        return True

    def bid_no_bid(self):
        return True

    def bid_bid(self):
        self.say("response " + " ".join(word for word in self.words if word != "meichu"))
        return True

    def go_silent(self):
        return True

    def go_slow(self):
        time.sleep(float(self.words[0]))

    def go_slow_at(self):
        if self.asked == int(self.words[0]):
            time.sleep(float(self.words[1]))

    def go_work_at(self):
        if self.asked == int(self.words[0]):
            ponder.work(float(self.words[1]))

    def go_count(self):
        ponder.count(int(self.words[0]))

    def before_spin(self):
        ponder.spin(int(self.words[0]))

    def before_ponder(self):
        self.spinner = ponder.Spinner()

    def go_ponder(self):
        self.spinner.note_question()
        self.say("bestmove " + self.move())
        return True

    def quit_ponder(self):
        print("stopped", file=sys.stderr, flush=True)

    def go_chatty(self):
        self.say("info depth 3 nodes 100 cp 25 pv 11 22\ninfo string thinking\n\nhello\ninfo depth")

    def go_long_info(self):
        self.say("info depth 9 pv " + "11 " * 20000)

    def go_long_line(self):
        self.say("x" * (1 << 20))
        return True

    def go_endless_line(self):
        while True:
            os.write(1, b"x" * 65536)

    def go_two(self):
        move = self.move()
        self.say("bestmove %s\nbestmove %s" % (move, move))
        return True

    def go_leave_at_two(self):
        if self.asked == 2:
            sys.exit(3)

    def go_close_input(self):
        if self.asked == 2:
            os.close(0)
            self.say("bestmove " + self.move())
            time.sleep(1000)

    def go_close_output(self):
        os.close(1)
        time.sleep(1000)

    def go_half(self):
        os.write(1, b"bestmo")
        return True

    def move_word(self):
        return self.words[0]

    def quit_tell_stop(self):
        print("stopped", file=sys.stderr, flush=True)

    def quit_ignore(self):
        time.sleep(1000)

    def before_deaf(self):
        """Says what is expected, but never reads."""
        self.say("ugiok\nreadyok")
        time.sleep(1000)

    def go_harm(self):
        if self.asked == 2:
            harm.do(self.words[0], *self.words[1:])


if __name__ == "__main__":
    Agent(sys.argv[1], sys.argv[2:]).run()
