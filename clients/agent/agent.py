"""An agent for @GAME@, in one file.

It looks ahead: for every move of its own it considers the opponent's answers, its own next moves, and so on, one move
deeper each time while there is time (principal variation search with iterative deepening, see "The search"). Positions at
which it stops looking are judged by evaluate(), whose numbers were learned from games that plum's engine played against
itself; they are at the end of this file.

The parts, in this order: clock, rules, evaluation, search, conversation with the judge, weights.

    python3 agent.py                              plays until the judge ends the session
    python3 agent.py perft [POSITION] DEPTH       counts sequences of moves, which shows whether the rules are right

It needs Python 3.6 or newer and nothing else.
"""
import gc
import math
import operator
import os
import struct
import sys
import time

GAME = "@GAME@"
@TEAM_CONSTANT@TIME_LIMIT = @LIMIT@  # seconds for a move, as the judge counts them
TIME_SHARE = 0.4  # of the limit that a move may use: the machine may be busy
FINAL = 100000  # the winner's score at the end of a game is at least this, an evaluation is always less
BLACK, WHITE = 0, 1
PASS = "pass"


@include clients/agent/clock.py


@include src/games/@KIT@/kit/rules.py


@include src/games/@KIT@/kit/evaluate.py


@include clients/agent/search.py


@include clients/agent/@PLAY@.py


# --- The program ---

def perft(state, depth):
    return sum(perft(next_state, depth - 1) for _, next_state in successors(state)) if depth else 1


def main():
    words = sys.argv[1:]
    if not words:
        gc.disable()  # a collection takes as long as a short move, and nothing here refers to itself
        prepare()
        play_games()
        sys.stdout.flush()
        os._exit(0)  # at once: to free a large table takes longer than the judge waits
    elif words[0] == "perft" and 2 <= len(words) <= 3:
        print(perft(read_position(words[1]) if len(words) == 3 else start(), int(words[-1])))
    else:
        sys.exit("usage: agent.py [perft [POSITION] DEPTH]")


# --- The weights ---

WEIGHTS = (
@include src/games/@KIT@/kit/weights.txt
)

if __name__ == "__main__":
    main()
