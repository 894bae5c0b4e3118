"""practice: plays @GAME@ against your agent, as the judge does, without Plum.

    python3 practice.py                                 two games of the agent in this folder against an easy opponent
    python3 practice.py --opponent strong --games 10    easy, strong, self (your agent twice) or human (you)
    python3 practice.py --record games.txt -- COMMAND   another agent; `plum replay games.txt` checks the games

It needs Python 3.6 or newer and nothing else. Rules, protocol, clock and messages are the judge's; there is no sandbox.
"""
import argparse
import contextlib
import os
import random
import shutil
import subprocess
import sys
@IMPORTS@import time

GAME, TEAM = "@GAME@", @TEAM@
GRACE, STARTUP_LIMIT = 0.25, 10.0
BLACK, WHITE, SIDES = 0, 1, ("Black", "White")
PASS, SKIP = "pass", "skip"
HERE = os.path.dirname(os.path.abspath(__file__))


class Fault(Exception):
    """What a program did wrong, late, invalid, crashed, malformed or hostile, and a sentence about it."""

    def __init__(self, kind, why):
        Exception.__init__(self, why)
        self.kind = kind


def name(square):
    return "%d%d" % divmod(square, COLUMNS)


def move_text(move):
    return move if move in (PASS, SKIP) else "-".join(name(square) for square in move)


def board_text(state):
    return "/".join("".join(letter(state, row * COLUMNS + column) for column in range(COLUMNS)) for row in range(ROWS))


def say(text):
    """Prints a line, also where the terminal lacks some of its letters."""
    encoding = sys.stdout.encoding or "ascii"
    print(text.encode(encoding, "replace").decode(encoding), flush=True)


@include src/games/@KIT@/kit/rules.py


@include src/games/@KIT@/kit/judging.py


@include clients/practice/search.py


# --- Opponents ---

class Engine:
    """Looks one move ahead (easy) or thinks for a second (strong)."""

    def __init__(self, strength):
        self.name, self.state = strength, None

    def bid(self):
        return random.randrange(2), random.randrange(4)

    def ask(self, state):
        self.state = state

    def wait(self, seconds):
        return random_good_move(self.state) if self.name == "easy" else best_move(self.state, min(1.0, seconds / 3))

    def ignore(self, *_):
        pass

    begin = learn = observe = end = close = ignore


class Human(Engine):
    """You, at the keyboard."""

    def bid(self):
        while True:
            words = input("Your bid, a colour (0 Black, 1 White) and a price, for example 0 5: ").split()
            if len(words) == 2 and words[0] in ("0", "1") and words[1].isdecimal() and len(words[1]) < 10:
                return int(words[0]), int(words[1])

    def wait(self, _):
        show(self.state)
        while True:
            words = input("Your move, for example %s: " % example(self.state)).replace("-", " ").split()
            is_move = words and all(len(word) == 2 and word.isdigit() and max(word) < str(ROWS) for word in words)
            move = tuple(int(word[0]) * COLUMNS + int(word[1]) for word in words) if is_move else ()
            why = play(self.state, move)[0]
            if not why:
                return move
            say("Not possible: %s." % why)


def example(state):
    return move_text(random.choice(successors(state))[0])


def show(state):
    say("\n    " + " ".join(str(column) for column in range(COLUMNS)))
    for row, line in enumerate(board_text(state).split("/")):
        say("  %d %s" % (row, " ".join(line)))
    say("  %s to move; %s" % (SIDES[to_move(state)], status(state)))


# --- Your agent ---

class Process:
    """A started program. The class Agent below adds how one talks to it."""

    def __init__(self, command, team, title):
        self.team, self.name, self.process = team, title, None
        self.command = [os.path.abspath(word) if os.path.isfile(word) else word for word in command]
        folders = [os.path.dirname(now) for now, word in zip(self.command, command) if os.path.isfile(word)]
        if len(folders) > 1 and os.path.isabs(command[0]) and not folders[1].startswith(folders[0]):
            del folders[0]  # an interpreter
        self.folder = folders[0] if folders else os.getcwd()
        if command[0] in ("python", "python3", "py") and (os.name == "nt" or not shutil.which(command[0])):
            self.command[0] = sys.executable

    def start(self, folder, stdin=subprocess.DEVNULL, **more):
        try:
            self.process = subprocess.Popen(self.command, cwd=folder, stdin=stdin, start_new_session=True, **more)
        except OSError as error:
            raise Fault("crashed", "it could not be run: %s" % error)

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def check_is_running(self):
        code = self.process.poll()
        if code is not None:
            raise Fault("crashed", "it was killed by signal %d" % -code if code < 0 else
                        "it ended by itself with exit code %d" % code)

    def kill(self):
        """It was asked to stop and has a second for that. What it started ends with it, except on Windows."""
        if self.process:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, 9) if os.name == "posix" else self.process.kill()
            self.process.wait()
        self.process = None

    learn = observe = end = Engine.ignore


def own_agent():
    """The command of the agent next to this file."""
    if "@ENDING@" == ".py":
        return [sys.executable, os.path.join(HERE, "@AGENT@.py")]
    program = os.path.join(HERE, "@AGENT@.exe" if os.name == "nt" else "@AGENT@")
    if not os.path.isfile(program):
        sys.exit("practice: there is no %s yet: README.md says how to build it" % program)
    return [program]


@include @PROTOCOL@


# --- A game ---

class Game:
    """One game. `players` are in the order of the auction first, then by colour."""

    def __init__(self, number, players, limit):
        self.number, self.players, self.limit = number, players, limit
        self.state, self.outcome, self.lines, self.bids = start(), None, [], []
        self.gone = [False, False]
        self.faults, self.longest = {player: 0 for player in players}, {player: 0.0 for player in players}

    def lose(self, side, reason):
        """The score on the board stands, raised for the winner where needed."""
        board = list(scores(self.state))
        board[1 - side] = max(board[1 - side], board[side] + 1)
        self.outcome = (board[0], board[1], reason)

    def report(self, side, fault, advice=""):
        self.faults[self.players[side]] += 1
        say("game %d, move %d, %s (%s): %s: %s%s" % (self.number, len(self.lines) + 1, self.players[side].name,
                                                     SIDES[side], fault.kind, fault, advice))

    def play(self):
        self.ask_both("begin", "no-start")
        if not self.outcome and HARD_LIMIT:
            self.hold_auction()
        while not self.outcome:
            self.take_turn(to_move(self.state))
            self.outcome = self.outcome or result(self.state)
        for player in self.players:
            player.end()

    def ask_both(self, what, reason):
        answers = []
        for side in (BLACK, WHITE):
            try:
                answers.append(getattr(self.players[side], what)())
            except Fault as fault:
                self.report(side, fault)
                self.lose(side, reason)
                break
        return answers

    def hold_auction(self):
        bids = self.ask_both("bid", "no-bid")
        if self.outcome:
            return
        lot = random.randrange(2)
        is_tie = bids[0][0] == bids[1][0] and min(bids[0][1], MAX_PRICE) == min(bids[1][1], MAX_PRICE)
        colour, budgets = auction(bids, lot)
        self.bids = [("Bids", "%d %d, %d %d" % (bids[0] + bids[1]) + (", tie %d" % lot if is_tie else ""))]
        for i, player in enumerate(self.players):
            player.learn(bids[i], bids[1 - i], colour if i == 0 else 1 - colour, is_tie)
        self.players = self.players if colour == BLACK else self.players[::-1]
        self.state = start(budgets)

    def take_turn(self, side):
        if successors(self.state)[0][0] == PASS:
            self.put(side, PASS)
        elif self.gone[side]:
            self.put(side, replacement(self.state), fault="crashed")
        else:
            self.ask(side, self.players[side])

    def ask(self, side, player):
        begun, move, kind = time.perf_counter(), None, None
        try:
            player.ask(self.state)
            move = player.wait(self.limit + GRACE)
            if move is None:
                kind = "late"
                self.report(side, Fault(kind, "no move within %.3f s%s" % (
                    self.limit + GRACE, "; it still counts when it comes" if HARD_LIMIT else "")))
                move = player.wait(HARD_LIMIT + GRACE) if HARD_LIMIT else None
            why = play(self.state, move)[0] if move is not None else None
            if why:
                raise Fault("invalid", why)
        except Fault as fault:
            move, kind = None, fault.kind
            self.report(side, fault, ". Legal would be, for example, %s" % example(self.state) if kind == "invalid" else "")
            self.gone[side] = kind == "crashed"
        seconds = time.perf_counter() - begun
        self.longest[player] = max(self.longest[player], seconds)
        if move is None and (HARD_LIMIT or kind in LOST_FOR):
            self.lines.append("{%s t=%.3f fault=%s}" % ("bw"[side], seconds, kind))
            self.lose(side, kind)
        else:
            self.put(side, replacement(self.state) if move is None else move, "t=%.3f" % seconds, kind)

    def put(self, side, move, seconds="", fault=None):
        known = " ".join([seconds] + (["fault=" + fault] if fault else [])).strip()
        self.lines.append("%d. %s %s%s" % (len(self.lines) + 1, "bw"[side], move_text(move), known and " {%s}" % known))
        self.state = play(self.state, move)[1]
        for player in self.players:
            player.observe(move, player is self.players[side])

    def points(self, player):
        """1: the player has won, 0: a draw, -1: it has lost."""
        black, white = self.outcome[:2]
        return ((black > white) - (black < white)) * (1 if player is self.players[BLACK] else -1)

    def record(self):
        """The game as text, as `plum replay` reads it."""
        black, white, reason = self.outcome
        tags = [("Game", GAME), ("Event", "practice"), ("Date", time.strftime("%Y-%m-%d")),
                ("Black", self.players[0].name), ("White", self.players[1].name),
                ("Result", "1-0" if black > white else "0-1" if black < white else "1/2-1/2"),
                ("Score", "%d-%d" % (black, white)), ("Reason", reason),
                ("TimeLimit", "%.3f" % self.limit), ("Grace", "%.3f" % GRACE)] + self.bids
        return "\n".join(['[%s "%s"]' % tag for tag in tags] + [""] + self.lines + ["", ""])

    def summary(self, player):
        return "game %d: %s as %s %s, %d to %d (%s), %d moves, longest turn %.2f s, faults: %d" % (
            (self.number, player.name, SIDES[self.players.index(player)], ("drew", "won", "lost")[self.points(player)])
            + self.outcome + (len(self.lines), self.longest[player], self.faults[player]))


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2, metavar="N", help="how many; the colours change after each (2)")
    parser.add_argument("--opponent", default="easy", choices=("easy", "strong", "self", "human"))
    parser.add_argument("--record", type=argparse.FileType("a", encoding="utf-8"), metavar="FILE",
                        help="add the games to this file")
    parser.add_argument("--time-limit", type=float, default=TIME_LIMIT, metavar="S", help="seconds a move (%(default)s)")
    parser.add_argument("--team", type=int, default=TEAM, metavar="N", help="the number that the agent sends (%(default)s)")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="the agent (the one in this folder)")
    arguments = parser.parse_args()
    if arguments.games < 1 or not 0 < arguments.time_limit <= 86400:
        parser.error("--games and --time-limit must be greater than 0, --time-limit at most 86400")
    return arguments


def main():
    arguments = read_arguments()
    command = arguments.command or own_agent()
    agent = Agent(command, arguments.team, "your agent")
    opponent = (Agent(command, arguments.team, "its twin") if arguments.opponent == "self" else
                (Human if arguments.opponent == "human" else Engine)(arguments.opponent))
    say("%s: your agent against %s, %g s a move" % (GAME, opponent.name, arguments.time_limit))
    points = []
    try:
        for number in range(1, arguments.games + 1):
            game = Game(number, [agent, opponent] if number % 2 else [opponent, agent], arguments.time_limit)
            game.play()
            if arguments.opponent == "human":
                show(game.state)
            say(game.summary(agent))
            points.append(game.points(agent))
            if arguments.record:
                arguments.record.write(game.record())
                arguments.record.flush()
    except (KeyboardInterrupt, EOFError):
        say("stopped")
    except OSError as error:
        sys.exit("practice: %s" % error)
    finally:
        agent.close()
        opponent.close()
    say("your agent: %d won, %d drawn, %d lost" % tuple(points.count(result) for result in (1, 0, -1)))


if __name__ == "__main__":
    main()
