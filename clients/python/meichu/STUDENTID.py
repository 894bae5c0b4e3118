"""A simple player of MeiChu: it looks at all its moves and takes the one that looks best.

Improve bid and make_decision; the rest keeps the rules and talks to whoever runs the program.
The game is played on standard input and output: we print our bid and our moves, and read the
opponent's.
"""
import random
import sys

BLACK, WHITE = 0, 1
NAMES = ("BLACK", "WHITE")
DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))
BUDGET = 150
MAX_PRICE = 140
START = ("..sbfbs..",
         ".b.sbs.b.",
         ".b..s..b.",
         "..bbbbb..",
         ".........",
         "..BBBBB..",
         ".B..S..B.",
         ".B.SBS.B.",
         "..SBFBS..")


class Game:
    """board[row][column] is a letter: F flag, S soldier, B barrier, capitals Black's, small
    letters White's, and '.' for an empty square. budget[colour] is what a side has left."""

    def __init__(self):
        self.board = [list(row) for row in START]
        self.budget = [BUDGET, BUDGET]

    def owner(self, row, column):
        """BLACK, WHITE, or None for an empty square."""
        piece = self.board[row][column]
        if piece == ".":
            return None
        return BLACK if piece.isupper() else WHITE

    def cost(self, colour, move):
        """One, and one for each square of the way, the last one too. Breaking an enemy barrier
        costs 3 more, breaking an own one gives 3 back."""
        row, column, to_row, to_column = move
        cost = 1 + abs(row - to_row) + abs(column - to_column)
        if self.board[to_row][to_column] in "Bb":
            cost += -3 if self.owner(to_row, to_column) == colour else 3
        return cost

    def can_pay(self, colour, move):
        """The budget must cover the way before the 3 of an own barrier come back."""
        row, column, to_row, to_column = move
        way = 1 + abs(row - to_row) + abs(column - to_column)
        return max(way, self.cost(colour, move)) <= self.budget[colour]

    def moves(self, colour):
        """Every legal move [row, column, to_row, to_column] of a colour.

        A soldier moves any distance along a row or column over empty squares. It may stop on
        an empty square, on an enemy soldier or flag, which it captures, and on a barrier of
        either side, which it breaks.
        """
        found = []
        for row in range(9):
            for column in range(9):
                if self.board[row][column] != "Ss"[colour]:
                    continue
                for dr, dc in DIRECTIONS:
                    r, c = row + dr, column + dc
                    while 0 <= r < 9 and 0 <= c < 9:
                        is_own = self.owner(r, c) == colour
                        if is_own and self.board[r][c] not in "Bb":
                            break
                        move = [row, column, r, c]
                        if self.can_pay(colour, move):
                            found.append(move)
                        if self.board[r][c] != ".":
                            break
                        r, c = r + dr, c + dc
        return found

    def play(self, colour, move):
        row, column, to_row, to_column = move
        self.budget[colour] -= self.cost(colour, move)
        self.board[to_row][to_column] = self.board[row][column]
        self.board[row][column] = "."

    def count(self, piece):
        return sum(row.count(piece) for row in self.board)

    def winner(self):
        """BLACK or WHITE, "Draw", or None while the game goes on."""
        if not self.count("f") or not self.count("s"):
            return BLACK
        if not self.count("F") or not self.count("S"):
            return WHITE
        if self.moves(BLACK) or self.moves(WHITE):
            return None
        black = (self.count("S"), self.count("B"))
        white = (self.count("s"), self.count("b"))
        return "Draw" if black == white else BLACK if black > white else WHITE

    def show(self):
        for row in self.board:
            print(" ".join(row))
        print("Budgets: BLACK %d, WHITE %d" % tuple(self.budget), flush=True)


def bid():
    """Your bid: the colour you want (0 Black, 1 White) and the price you offer for it, at most
    140. If both want the same colour the higher price gets it and pays the lower one plus 1."""
    return BLACK, 0


def make_decision(game, colour):
    """Your move: [row, column, to_row, to_column]. There is at least one."""
    enemy_flag = [(row, column) for row in range(9) for column in range(9)
                  if game.board[row][column] == "fF"[colour]][0]

    def distance(row, column):
        return abs(row - enemy_flag[0]) + abs(column - enemy_flag[1])

    def value(move):
        row, column, to_row, to_column = move
        captured = game.board[to_row][to_column]
        nearer = distance(row, column) - distance(to_row, to_column)
        prize = 1000 if captured in "Ff" else 50 if captured in "Ss" else 0
        return prize + 3 * nearer - game.cost(colour, move)

    moves = game.moves(colour)
    random.shuffle(moves)
    return max(moves, key=value)


def read_numbers(count, prompt):
    """The next whole numbers from standard input, on however many lines they come."""
    numbers = []
    print(prompt, end="", flush=True)
    while len(numbers) < count:
        line = sys.stdin.readline()
        if not line:
            sys.exit("the input ended in the middle of the game")
        numbers += [int(word) for word in line.split()]
    return numbers


def auction(game):
    """Both name a colour and a price, sealed. Returns the colour we get."""
    colour, price = bid()
    print("My bid: ", colour, price, flush=True)
    their_colour, their_price = read_numbers(2, "Enter the bid : ")
    if colour != their_colour:
        return colour
    price = min(price, MAX_PRICE)
    their_price = min(their_price, MAX_PRICE)
    game.budget[colour] -= max(0, min(price, their_price)) + 1
    if price == their_price:
        return read_numbers(1, "Enter my color : ")[0]
    return colour if price > their_price else 1 - colour


def main():
    game = Game()
    mine = auction(game)
    turn = BLACK
    while game.winner() is None:
        if game.moves(turn):
            game.show()
            if turn == mine:
                move = make_decision(game, mine)
                print("My move :", move, flush=True)
            else:
                move = read_numbers(4, "Enter the move : ")
            game.play(turn, move)
        turn = 1 - turn
    game.show()
    winner = game.winner()
    print("Draw!" if winner == "Draw" else NAMES[winner] + " wins!", flush=True)


if __name__ == "__main__":
    main()
