"""A program for MeiChu in the manner of the course's template, with its own book-keeping.

usage: meichu.py READER [FAULT]

READER is how it reads: input (int(input()) and input().split()), readline, or tokens.
It never takes a flag or the last soldier, so that its games last.
"""
import random
import sys

READER = sys.argv[1]
FAULT = sys.argv[2] if len(sys.argv) > 2 else ""
START = ["..sbfbs..", ".b.sbs.b.", ".b..s..b.", "..bbbbb..", ".........",
         "..BBBBB..", ".B..S..B.", ".B.SBS.B.", "..SBFBS.."]


def tokens():
    for line in sys.stdin:
        yield from line.split()


stream = tokens()


def read_numbers(count):
    if READER == "input":
        return [int(input())] if count == 1 else [int(word) for word in input("Enter the move : ").split()]
    if READER == "readline":
        return [int(word) for word in sys.stdin.readline().split()]
    return [int(next(stream)) for _ in range(count)]


class Game:
    def __init__(self):
        self.board = [list(row) for row in START]
        self.budget = [150, 150]

    def is_own(self, piece, side):
        return piece != "." and piece.isupper() == (side == 0)

    def cost(self, side, move):
        r, c, to_r, to_c = move
        price = 1 + abs(r - to_r) + abs(c - to_c)
        target = self.board[to_r][to_c]
        extra = 0
        if target in "bB":
            extra = -3 if self.is_own(target, side) else 3
        return price, extra

    def moves(self, side):
        for r in range(9):
            for c in range(9):
                if self.board[r][c] != "Ss"[side]:
                    continue
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    y, x = r + dr, c + dc
                    while 0 <= y < 9 and 0 <= x < 9:
                        target = self.board[y][x]
                        if self.is_own(target, side) and target not in "bB":
                            break
                        price, extra = self.cost(side, (r, c, y, x))
                        if price <= self.budget[side] and price + extra <= self.budget[side]:
                            yield r, c, y, x
                        if target != ".":
                            break
                        y, x = y + dr, x + dc

    def play(self, side, move):
        r, c, to_r, to_c = move
        pays = FAULT != "unpaid" and not (FAULT == "unpaid-other" and side != self.side)
        if pays:
            self.budget[side] -= sum(self.cost(side, move))
        self.board[to_r][to_c] = self.board[r][c]
        self.board[r][c] = "."

    def is_decided(self):
        text = "".join("".join(row) for row in self.board)
        return any(piece not in text for piece in "FfSs")

    def can_move(self, side):
        if FAULT == "no-pass":
            return True
        return any(True for _ in self.moves(side))


def choose(game, side):
    moves = list(game.moves(side))
    if not moves:  # it does not know how to pass
        return [8, 8, 8, 8]
    quiet = [m for m in moves if game.board[m[2]][m[3]] == "."] or \
            [m for m in moves if game.board[m[2]][m[3]] in "bB"] or moves
    return random.choice(quiet)


def main():
    random.seed(3)
    print("My bid:  0 5", flush=True)
    other_colour = read_numbers(1)[0]
    other_price = read_numbers(1)[0]
    game = Game()
    if other_colour == 1:
        side = 0
    elif other_price < 5:
        side = 0
        game.budget[0] -= max(0, other_price) + 1
    elif other_price > 5:
        side = 1
        game.budget[0] -= 6
    else:
        side = read_numbers(1)[0]
        game.budget[0] -= 6
    game.side = side
    mover = 0
    turn = 0
    while not game.is_decided() and (game.can_move(0) or game.can_move(1)):
        if game.can_move(mover):
            if mover == side:
                turn += 1
                if FAULT == "waits" and turn == 3:
                    read_numbers(4)
                move = choose(game, side)
                if FAULT == "swapped" and turn > 2:
                    move = [move[1], move[0], move[3], move[2]]
                print("My move :", list(move), flush=True)
            else:
                move = read_numbers(4)
            if FAULT == "no-pass" and move == [8, 8, 8, 8]:
                mover = 1 - mover
                continue
            game.play(mover, move)
        mover = 1 - mover
    print("Draw!", flush=True)
    sys.stdin.readline()


main()
