"""A simple player of MeiChu: it looks at all its moves and takes the one that looks best.

Improve bid and make_decision. The rest keeps the rules and exchanges bids and moves on standard
input and output. The names are those of the course's template: functions that were written for it
can be pasted in.
"""
import random
import sys

try:
    import numpy
except ImportError:
    numpy = None

BLACK, WHITE = 0, 1
COLOR_NAMES = ("BLACK", "WHITE")
BUDGET = 150
MAX_PRICE = 140
SELF_BARRIER_COST = -3
OPPONENT_BARRIER_COST = 3
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))

# What is on a square. A piece's color is (piece - 1) % 2.
EMPTY, BLACK_FLAG, WHITE_FLAG, BLACK_SOLDIER, WHITE_SOLDIER, BLACK_BARRIER, WHITE_BARRIER = range(7)
FLAGS = (BLACK_FLAG, WHITE_FLAG)
SOLDIERS = (BLACK_SOLDIER, WHITE_SOLDIER)
BARRIERS = (BLACK_BARRIER, WHITE_BARRIER)
LETTERS = ".FfSsBb"
START = ("..sbfbs..",
         ".b.sbs.b.",
         ".b..s..b.",
         "..bbbbb..",
         ".........",
         "..BBBBB..",
         ".B..S..B.",
         ".B.SBS.B.",
         "..SBFBS..")


class Meichu:
    """checkerboard[x][y] is what is in row x, column y. It is a NumPy array where NumPy is
    installed, a list of lists elsewhere. n_pieces (soldiers), n_barriers and budget are lists with
    a number for each color; color is ours."""

    def __init__(self):
        self.game_over = False
        self.checkerboard = [[LETTERS.index(letter) for letter in row] for row in START]
        if numpy:
            self.checkerboard = numpy.array(self.checkerboard)
        self.n_pieces = [5, 5]
        self.n_barriers = [12, 12]
        self.budget = [BUDGET, BUDGET]
        self.color = None

    # --- Yours to improve ---

    def bid(self):
        """The color we want and the price we offer for it, at most MAX_PRICE. If both want the same
        color, the higher price gets it and pays the lower one plus 1."""
        return BLACK, 0

    def make_decision(self, who):
        """Our move: [begin_x, begin_y, end_x, end_y]. There is at least one."""
        flag_x, flag_y = self.find(FLAGS[1 - who])[0]

        def value(move):
            begin_x, begin_y, end_x, end_y = move
            target = self.checkerboard[end_x][end_y]
            nearer = (abs(begin_x - flag_x) + abs(begin_y - flag_y)
                      - abs(end_x - flag_x) - abs(end_y - flag_y))
            prize = 1000 if target in FLAGS else 50 if target in SOLDIERS else 0
            return prize + 3 * nearer - self.cost(who, *move)

        moves = self.get_moves(who)
        random.shuffle(moves)
        return max(moves, key=value)

    # --- The rules ---

    def find(self, piece):
        return [(x, y) for x in range(9) for y in range(9) if self.checkerboard[x][y] == piece]

    def get_pieces(self, color):
        """Where a side's soldiers are: a list of (x, y)."""
        return self.find(SOLDIERS[color])

    def get_barriers(self, color):
        return self.find(BARRIERS[color])

    def cost(self, who, begin_x, begin_y, end_x, end_y):
        """1, and 1 for each square of the way including the last; a barrier changes it."""
        cost = 1 + abs(begin_x - end_x) + abs(begin_y - end_y)
        target = self.checkerboard[end_x][end_y]
        if target == BARRIERS[who]:
            cost += SELF_BARRIER_COST
        elif target == BARRIERS[1 - who]:
            cost += OPPONENT_BARRIER_COST
        return cost

    def can_pay(self, who, begin_x, begin_y, end_x, end_y):
        """The budget must cover the way before the 3 for an own barrier come back."""
        way = 1 + abs(begin_x - end_x) + abs(begin_y - end_y)
        return max(way, self.cost(who, begin_x, begin_y, end_x, end_y)) <= self.budget[who]

    def get_moves(self, who):
        """Every legal move [begin_x, begin_y, end_x, end_y] of a side.

        A soldier moves any distance along a row or column over empty squares. It may stop on an
        empty square, on an enemy soldier or flag, which it captures, and on a barrier of either
        side, which it removes.
        """
        moves = []
        for begin_x, begin_y in self.get_pieces(who):
            for step_x, step_y in DIRECTIONS:
                x, y = begin_x + step_x, begin_y + step_y
                while 0 <= x < 9 and 0 <= y < 9:
                    target = self.checkerboard[x][y]
                    if target in (FLAGS[who], SOLDIERS[who]):
                        break
                    if self.can_pay(who, begin_x, begin_y, x, y):
                        moves.append([begin_x, begin_y, x, y])
                    if target != EMPTY:
                        break
                    x, y = x + step_x, y + step_y
        return moves

    def make_move(self, who, begin_x, begin_y, end_x, end_y):
        self.budget[who] -= self.cost(who, begin_x, begin_y, end_x, end_y)
        self.checkerboard[end_x][end_y] = self.checkerboard[begin_x][begin_y]
        self.checkerboard[begin_x][begin_y] = EMPTY
        for color in (BLACK, WHITE):
            self.n_pieces[color] = len(self.get_pieces(color))
            self.n_barriers[color] = len(self.get_barriers(color))
        self.game_over = (min(self.n_pieces) == 0 or not all(self.find(flag) for flag in FLAGS)
                          or not (self.get_moves(BLACK) or self.get_moves(WHITE)))

    def terminate(self):
        """Prints who has won: a flag decides, then soldiers, then barriers."""
        black, white = [(len(self.find(FLAGS[color])), self.n_pieces[color], self.n_barriers[color])
                        for color in (BLACK, WHITE)]
        print("Draw!" if black == white else
              COLOR_NAMES[BLACK if black > white else WHITE] + " wins!", flush=True)

    # --- Input and output ---

    def show_board(self):
        for row in self.checkerboard:
            print(" ".join(LETTERS[piece] for piece in row))
        print("Budgets: BLACK %d, WHITE %d" % tuple(self.budget), flush=True)

    def auction(self):
        """Both name a color and a price, sealed; then we know our color."""
        self.color, price = as_numbers("bid", self.bid(), 2, "a color, 0 or 1, and a price")
        print("My bid: ", self.color, price, flush=True)
        if self.color not in (BLACK, WHITE):
            sys.exit("bid returned the color %d; a color is 0 or 1" % self.color)
        their_color, their_price = read_numbers(2, "Enter the bid : ")
        if self.color != their_color:
            return
        price, their_price = min(price, MAX_PRICE), min(their_price, MAX_PRICE)
        self.budget[self.color] -= max(0, min(price, their_price)) + 1
        if price == their_price:
            self.color = read_numbers(1, "Enter my color : ")[0]
        elif price < their_price:
            self.color = 1 - self.color

    def start(self):
        self.auction()
        who = BLACK
        while not self.game_over:
            if self.get_moves(who):
                self.show_board()
                if who == self.color:
                    move = as_numbers("make_decision", self.make_decision(who), 4,
                                      "[begin_x, begin_y, end_x, end_y]")
                    print("My move :", move, flush=True)
                    if not 0 <= min(move) <= max(move) <= 8:
                        sys.exit("make_decision returned %s; rows and columns are 0 to 8" % move)
                else:
                    move = read_numbers(4, "Enter the move : ")
                self.make_move(who, *move)
            who = 1 - who
        self.show_board()
        self.terminate()


def as_numbers(name, value, count, wanted):
    """What our function `name` returned, as that many whole numbers; anything else ends the
    program with a sentence."""
    try:
        numbers = [int(number) for number in value]
        if any(whole != number for whole, number in zip(numbers, value)):
            numbers = []  # 2.5 or "3"
    except (TypeError, ValueError, OverflowError):
        numbers = []
    if len(numbers) != count:
        sys.exit("%s returned %.200r; it has to return %s" % (name, value, wanted))
    return numbers


@include clients/agent/input.py


if __name__ == "__main__":
    Meichu().start()
