"""template_reader: MeiChu programs that read what they are told in the ways students read it.

usage: template_reader.py STYLE

input     each number of the auction by int(input()), a move by input().split(), as the course's template does
readline  the same through sys.stdin.readline()
token     one word after the other, on however many lines they come
letter    the same, one letter at a time
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import meichu  # noqa: E402


class Input:
    def number(self, prompt):
        return int(input(prompt))

    def move(self, prompt):
        return [int(word) for word in input(prompt).split()]


class Readline:
    def number(self, prompt):
        print(prompt, end="", flush=True)
        return int(sys.stdin.readline())

    def move(self, prompt):
        print(prompt, end="", flush=True)
        row, column, to_row, to_column = map(int, sys.stdin.readline().split(" "))
        return [row, column, to_row, to_column]


class Token:
    def __init__(self):
        self.words = (word for line in sys.stdin for word in line.split())

    def number(self, prompt):
        print(prompt, end="", flush=True)
        return int(next(self.words))

    def move(self, prompt):
        return [self.number(prompt) for _ in range(4)]


class Letter(Token):
    def __init__(self):
        self.words = self.read_words()

    @staticmethod
    def read_words():
        word = ""
        for letter in iter(lambda: sys.stdin.read(1), ""):
            if not letter.isspace():
                word += letter
            elif word:
                yield word
                word = ""


STYLES = {"input": Input, "readline": Readline, "token": Token, "letter": Letter}


def main():
    reader = STYLES[sys.argv[1]]()
    bid = 0, 3
    print("My bid: ", *bid)
    other = reader.number("Enter the opponent's color : "), reader.number("Enter the opponent's price : ")
    own, budgets = meichu.settle(bid, other, lambda: reader.number("Enter my color : "))
    game = meichu.Game(budgets)
    mover = 0
    while not game.is_over():
        if game.moves(mover) and mover == own:
            move = list(game.moves(own)[0])
            print("My move :", move)
            game.play(own, move)
        elif game.moves(mover):
            game.play(mover, reader.move("Enter the move : "))
        mover = 1 - mover
    print("Draw!")
    input()


if __name__ == "__main__":
    main()
