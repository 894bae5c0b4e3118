"""template_agent: a MeiChu program of the course's form, which misbehaves as its first argument says.

usage: template_agent.py BEHAVIOUR [ARGUMENT...]
"""
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import meichu  # noqa: E402
import harm  # noqa: E402
import ponder  # noqa: E402

SPELLINGS = {
    "numpy1": "My move : [%d %d %d %d]\n",
    "numpy2": "My move : [np.int64(%d), np.int64(%d), np.int64(%d), np.int64(%d)]\n",
    "int32": "My move : [np.int32(%d) np.int32(%d) np.int32(%d) np.int32(%d)]\n",
    "array": "My move : array([%d, %d, %d, %d])\n",
    "dtype": "My move : array([%d, %d, %d, %d], dtype=int8)\n",
    "tuple": "My move :  (%d, %d, %d, %d)\n",
    "squares": "My move : [[%d %d]\n [%d %d]]\n",
    "bare": "My move : %d %d %d %d\n",
    "cpp": "Move (%d, %d) to (%d, %d).\n",
    "near": "my move is [%d, %d, %d, %d]\n",
    "float": "My move : [%d.0, %d.0, %d.0, %d.0]\n",
}

BIG5 = "輪到黑方移動。[0, 0, 0, 0]\n".encode("big5")


class Agent:
    def __init__(self, behaviour, words):
        self.behaviour = behaviour.replace("-", "_")
        self.words = words
        self.input = iter([])
        self.kept = b""
        self.turn = 0
        self.early = None

    def say(self, text):
        data = text if isinstance(text, bytes) else text.encode()
        if self.behaviour == "buffered":
            self.kept += data
            return
        while data:
            data = data[os.write(1, data):]

    def number(self):
        for word in self.input:
            return int(word)
        line = sys.stdin.readline()
        if not line:
            sys.exit("the input has ended")
        self.input = iter(line.split())
        return self.number()

    def do(self, when, *words):
        method = getattr(self, "%s_%s" % (when, self.behaviour), None)
        return method(*words) if method else None

    def auction(self):
        bid = self.do("bid") or (0, 3)
        self.say("My bid:  %d %d\n" % bid)
        other = self.number(), self.number()
        print("the other bids %d %d" % other, file=sys.stderr, flush=True)
        return meichu.settle(bid, other, self.number)

    def show_move(self, move):
        self.say(SPELLINGS.get(self.behaviour, "My move : [%d, %d, %d, %d]\n") % move)

    def play_own(self, game, own):
        self.turn += 1
        self.say(self.do("remark") or "")
        move = self.early or self.do("turn", game, own) or game.moves(own)[0]
        if not self.early:
            self.show_move(move)
        self.early = None
        game.play(own, move)

    def play_other(self, game, own):
        self.do("wait", game, own)
        self.say("Enter the move : ")
        game.play(1 - own, (self.number(), self.number(), self.number(), self.number()))

    def run(self):
        self.do("before")
        own, budgets = self.auction()
        game = meichu.Game(budgets)
        mover = 0
        while not game.is_over():
            if game.moves(mover):
                (self.play_own if mover == own else self.play_other)(game, own)
            mover = 1 - mover
        self.say("Draw!\n")
        self.do("after")
        os.write(1, self.kept)
        if sys.stdin.readline():
            print("stopped", file=sys.stderr, flush=True)

    # --- Misbehaviour, by the moment ---

    def remark_big5(self):
        return BIG5

    def remark_chatty(self):
        return "My move is coming. Move (it) to (there). My bid was good.\n" * 3

    def remark_flood(self):
        while True:
            self.say("My M My Move ( My move : [ 1, " * 1000)
            os.write(2, b"x" * 262144)  # counts, too, and goes quicker than through a terminal

    def remark_colours(self):
        return "\033[1;31m" + "x" * 10000 + "\033[0m\n"

    def before_start(self):
        time.sleep(float(self.words[0]))

    def before_leave(self):
        sys.exit(4)

    def before_ponder(self):
        self.spinner = ponder.Spinner()

    def turn_ponder(self, game, own):
        self.spinner.note_question()

    def bid_price(self):
        return int(self.words[0]), int(self.words[1])

    def bid_near_bid(self):
        self.say("my bid is 0 5\n")
        time.sleep(1000)

    def turn_near(self, game, own):
        """Prints a move that only a person can read, and waits for the opponent's."""
        self.show_move((8, 2, 5, 2))
        self.number()

    def bid_late(self):
        self.say("thinking\n")
        time.sleep(1000)

    def bid_words(self):
        self.say("My bid: Black, all I have\n")
        time.sleep(1000)

    def turn_slow_at(self, game, own):
        if self.turn == int(self.words[0]):
            time.sleep(float(self.words[1]))

    def turn_busy_at(self, game, own):
        end = time.monotonic() + float(self.words[1])
        while self.turn == int(self.words[0]) and time.monotonic() < end:
            pass

    def turn_waits(self, game, own):
        """Takes its own turn for the opponent's."""
        if self.turn == 3:
            self.say("Enter the move : ")
            self.number()

    def turn_close_output(self, game, own):
        if self.turn == 3:
            os.close(1)
            time.sleep(1000)

    def turn_illegal(self, game, own):
        return (0, 4, 4, 4) if self.turn == 3 else None

    def turn_off_board(self, game, own):
        if self.turn == 3:
            self.show_move((9, -1, 100, 4))
            time.sleep(1000)

    def turn_far(self, game, own):
        if self.turn == 3:
            self.show_move((8, 4, 10 ** 19, 4))
            time.sleep(1000)

    def turn_leave_early(self, game, own):
        if self.turn == 3:
            self.say("BLACK wins!\n")
            sys.exit(0)

    def wait_early(self, game, own):
        """Prints its next move before it has heard the opponent's."""
        if self.turn and not self.early:
            self.early = game.moves(own)[0]
            self.show_move(self.early)

    def wait_early_twice(self, game, own):
        if self.turn == 2:
            for move in game.moves(own)[:3]:
                self.show_move(move)

    def turn_harm(self, game, own):
        if self.turn == 2:
            harm.do(self.words[0], *self.words[1:])

    def after_leave_at_end(self):
        sys.exit(0)

    def after_stay(self):
        time.sleep(1000)


if __name__ == "__main__":
    Agent(sys.argv[1], sys.argv[2:]).run()
