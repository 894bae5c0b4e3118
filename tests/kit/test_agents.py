"""Tests the agents as one file of `plum agent --source`: rules, compilers, and what plum check says of them.

usage: test_agents.py PLUM [--long]

--long: every compiler, deeper counts, the whole check of every agent.
"""
import ast
import glob
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

PLUM = os.path.abspath(sys.argv[1])
IS_LONG = "--long" in sys.argv
HERE = os.path.dirname(os.path.abspath(__file__))
PROTOCOLS = {"hop": "tcp:7:%s", "hop-noloop": "file:7:%s", "reversi": "tcp:7:%s", "meichu": "template:%s"}
NAMES = {"meichu": "0816001"}  # of the source, as an assignment wants it; else that of team 7
ENDINGS = {"cpp": ".cpp", "python": ".py"}
WARNINGS = ["-std=c++14", "-Wall", "-Wextra", "-Werror"]
WINDOWS = ["x86_64-w64-mingw32-g++", "-static"]
GAMES_TO_COUNT = 60 if IS_LONG else 6
MOST_LINES, MOST_WEIGHTS = 1500, 400 * 1024
MOST_OF_PARTS = 6000  # lines of all that practice.py and the agents are made of, without weights
PARTS = ("clients/agent/*", "clients/practice/*", "clients/python/*", "clients/cpp/*", "src/games/*/kit/[a-z]*.hpp",
         "src/games/*/kit/[a-z]*.py")
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
    folder = os.path.join(folder, game)
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, NAMES.get(game, "Team_7") + ENDINGS[language])
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


def test_parts():
    lines = 0
    for pattern in PARTS:
        paths = glob.glob(os.path.join(HERE, "..", "..", pattern))
        assert paths, pattern
        for path in paths:
            with open(path) as file:
                lines += file.read().count("\n")
    assert 3000 < lines <= MOST_OF_PARTS, "the parts have %d lines" % lines


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


def test_check(game, command):
    """Whole games as both colours: it wins them, and there is nothing to fix and no advice."""
    found = json.loads(succeed([PLUM, "check", game, PROTOCOLS[game] % command, "--time-limit", "2", "--grace", "5", "--json"]
                               + ([] if IS_LONG else ["--quick"])))
    advice = [check for check in found["checks"] if check["severity"] not in ("ok", "skipped")]
    assert found["ready"] and not advice, "%s, %s: %s" % (game, command, advice)
    lost = [check for check in found["checks"] if ": lost" in check["detail"]]
    assert not lost, "%s, %s: %s" % (game, command, lost)


def test_leaving(path):
    """An agent in Python leaves without freeing its table: the judge waits for half a second."""
    folder = os.path.dirname(path)
    watch = "import atexit, runpy; atexit.register(print, 'frees'); runpy.run_path('%s', run_name='__main__')" % path
    agent = subprocess.Popen([sys.executable, "-c", watch], cwd=folder, stdout=subprocess.PIPE)
    rows = ["1 0 0 0 0 0 0 2"] * 8
    for text in ("\n".join(["move 1", "color 1", "board"] + rows + ["end"]), "move 0\nend"):
        with open(os.path.join(folder, "state.tmp"), "w") as file:
            file.write(text)
        os.replace(file.name, os.path.join(folder, "state_7.txt"))
        while agent.poll() is None and not os.path.exists(os.path.join(folder, "move_7.txt")):
            time.sleep(0.01)
    assert (agent.communicate(timeout=60)[0], agent.returncode) == (b"", 0)


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
    test_parts()
    os.umask(0o022)  # root's agents run as another user and must be able to read their files
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
            test_check(game, program)
        else:
            succeed(["g++", "-fsyntax-only"] + WARNINGS + [path])
        path = write_source(game, "python", folder)
        test_text(path, "python")
        if game == "hop":
            test_counting(path)
        if game == "hop-noloop":
            test_leaving(path)
        if IS_LONG or game == "hop-noloop":
            command = [sys.executable, path]
            test_perft(game, command, DEEPEST["python"])
            test_refusals(command)
            test_check(game, "python3 " + path)
        print("%s: right" % game, flush=True)
    succeed([sys.executable, "tools/agent_weights.py", "check"], os.path.join(HERE, "..", ".."))
    shutil.rmtree(folder)


main()
