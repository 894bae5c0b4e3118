"""Tests the agents as one file of `plum agent --source`: rules, compilers, games.

usage: test_agents.py PLUM [--long]

--long: every compiler, deeper counts, a whole game of every agent under the judge.
"""
import ast
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PLUM = os.path.abspath(sys.argv[1])
IS_LONG = "--long" in sys.argv
HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOLS = {"hop": "tcp:7:%s", "hop-noloop": "file:7:%s", "reversi": "tcp:7:%s", "meichu": "template:%s"}
ENDINGS = {"cpp": ".cpp", "python": ".py"}
WARNINGS = ["-std=c++14", "-Wall", "-Wextra", "-Werror"]
WINDOWS = ["x86_64-w64-mingw32-g++", "-static"]
GAMES_TO_COUNT = 60 if IS_LONG else 6
MOST_LINES, MOST_WEIGHTS = 1500, 400 * 1024
LIMIT = "0.1" if IS_LONG else "0.02"  # of a move, for the agents; the judge gives them more
DEEPEST = {"cpp": 300000 if IS_LONG else 3000, "python": 20000 if IS_LONG else 1000}


def run(words, folder=None):
    process = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             universal_newlines=True, timeout=600)
    return process.returncode, process.stdout


def succeed(words, folder=None):
    code, output = run(words, folder)
    assert code == 0, "%s: exit code %d\n%s" % (" ".join(words), code, output)
    return output


def write_source(game, language, folder):
    path = os.path.join(folder, game + ENDINGS[language])
    succeed([PLUM, "agent", game, "--source", language, "--team", "7", "--time-limit", LIMIT, "-o", path])
    return path


def test_text(path, language):
    with open(path, encoding="ascii") as file:
        text = file.read()
    weights = [line for line in text.split("\n") if re.match(r'"[^"]{20,}",$', line)]
    lines = text.count("\n") - len(weights)
    assert weights and lines <= MOST_LINES, "%s has %d lines" % (path, lines)
    assert sum(map(len, weights)) <= MOST_WEIGHTS, "%s: too many weights" % path
    left = re.search(r"@include|@[A-Z_]+@", text)
    assert not left, "%s: %s is left" % (path, left)
    if language == "python":
        ast.parse(text, feature_version=(3, 6))


def build(path, compiler, *options):
    program = os.path.splitext(path)[0] + (".exe" if compiler == WINDOWS else "")
    link = ["-lws2_32"] if compiler == WINDOWS else []
    succeed(compiler + list(options) + WARNINGS + [path, "-o", program] + link)
    return program


def counts_of(game):
    with open(os.path.join(HERE, "..", "perft.txt")) as file:
        rows = [line.split(";") for line in file if line.startswith(game + ";")]
    return [(row[1].strip(), depth, int(count)) for row in rows
            for depth, count in enumerate(row[2].split(), 1)]


def test_perft(game, command, most):
    """Of every position the deepest count that is not too expensive, and all counts above it."""
    checked = 0
    for position, depth, count in counts_of(game):
        if count <= most:
            output = succeed(command + ["perft", position, str(depth)]).strip()
            assert output == str(count), "%s: %s, depth %d: %s instead of %d" % (game, position, depth, output, count)
            checked += 1
    assert checked > 5, "%s: only %d counts" % (game, checked)


def test_refusals(command):
    for words in (["perft", "nonsense", "2"], ["what"]):
        code, _ = run(command + words)
        assert code != 0, "%s accepts %s" % (command, words)


def test_game(game, command, opponent):
    """A whole game without a fault."""
    output = succeed([PLUM, "match", game, "--black", PROTOCOLS[game] % command, "--white", opponent, "--games",
                      "2" if IS_LONG else "1", "--no-swap", "--time-limit", "0.5", "--grace", "5", "--json"])
    agent = json.loads(output)["players"][0]
    assert not agent["faults"] and not agent["lost"], output


def test_counting(path):
    """An agent for hop counts the moves of both, also when turns of either side are lost."""
    spec = importlib.util.spec_from_file_location("agent", path)
    agent = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(agent)
    luck = random.Random(5)
    for game in range(GAMES_TO_COUNT):
        state, side = agent.start(), game % 2
        while not agent.result(state):
            moves = agent.successors(state)
            move, next_state = luck.choice(moves)
            if agent.to_move(state) == side and move != agent.PASS:
                board = [[(state[0] >> square & 1) + 2 * (state[1] >> square & 1)
                          for square in range(8 * row, 8 * row + 8)] for row in range(8)]
                known = agent.read_turn(0, board, side == agent.BLACK)
                assert known == state, "game %d: %s instead of %s" % (game, known, state)
                agent.end_turn(state, move, next_state)
            is_lost = game % 3 == 0 and luck.random() < 0.05
            state = (state[0], state[1], state[2] + 1) if is_lost else next_state


def main():
    folder = tempfile.mkdtemp()
    for game in PROTOCOLS:
        path = write_source(game, "cpp", folder)
        test_text(path, "cpp")
        if IS_LONG or game == "hop":
            if IS_LONG:
                build(path, ["clang++"], "-O3")
                build(path, WINDOWS, "-O3")
            program = build(path, ["g++"], "-O3")
            test_perft(game, [program], DEEPEST["cpp"])
            test_refusals([program])
            test_game(game, program, "random:seed=1")
        else:
            succeed(["g++", "-fsyntax-only"] + WARNINGS + [path])
        path = write_source(game, "python", folder)
        test_text(path, "python")
        if game == "hop":
            test_counting(path)
        if IS_LONG or game == "hop-noloop":
            command = [sys.executable, path]
            test_perft(game, command, DEEPEST["python"])
            test_refusals(command)
            test_game(game, "python3 " + path, "random:seed=1")
        print("%s: right" % game, flush=True)
    succeed([sys.executable, "tools/agent_weights.py", "check"], os.path.join(HERE, "..", ".."))
    shutil.rmtree(folder)


main()
