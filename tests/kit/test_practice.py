"""Tests practice.py of every kit against Plum: rules, answers, whole games, bad agents.

usage: test_practice.py PLUM VERDICTS [--long]     VERDICTS: the program of verdicts.c

--long: 5,000 positions a game instead of 300.
"""
import ast
import importlib.util
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

PLUM, VERDICTS = [os.path.abspath(path) for path in sys.argv[1:3]]
POSITIONS = 5000 if "--long" in sys.argv else 300
ANSWERS = 300
GAMES = ("hop", "hop-noloop", "reversi", "othello", "meichu")
PROTOCOLS = {"hop": "tcp", "hop-noloop": "file", "reversi": "tcp", "othello": "tcp", "meichu": "template"}
QUESTION = 3
luck = random.Random(7)


def run(words, text=None, folder=None):
    process = subprocess.run(words, input=text, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             universal_newlines=True, encoding="utf-8", timeout=300)
    return process.returncode, process.stdout


def verdicts(game, what, lines):
    code, output = run([VERDICTS, game, what], "\n".join(lines) + "\n")
    assert code == 0, output
    answers = output.split("\n")[:-1]
    assert len(answers) == len(lines), (game, what, len(answers), len(lines))
    return answers


def make_kit(game, language, folder):
    code, output = run([PLUM, "new", game, language, folder, "--team", "7"])
    assert code == 0, output


def load(game, folder):
    """practice.py as a module."""
    path = os.path.join(folder, "practice.py")
    with open(path, encoding="utf-8") as file:
        source = file.read()
    assert source.count("\n") <= 700, "practice.py of %s has %d lines" % (game, source.count("\n"))
    assert "@" not in re.sub(r"@(staticmethod)", "", source), "a word of the template is left"
    ast.parse(source, feature_version=(3, 6))
    spec = importlib.util.spec_from_file_location("practice_" + game.replace("-", "_"), path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# --- Rules ---

def read_position(practice, text):
    """The state of a position's text."""
    words = text.split(" ")
    cells = words[0].replace("/", "")
    side = "bw".index(words[1])
    sets = tuple(sum(1 << square for square, cell in enumerate(cells) if cell == piece) for piece in "XO")
    if practice.GAME == "meichu":
        return cells, int(words[2]), int(words[3]), side
    return sets + (int(words[2]) + int(words[3]),) if practice.GAME.startswith("hop") else sets + (side,)


def describe(practice, state):
    end = practice.result(state)
    black, white, reason = end or practice.scores(state) + ("",)
    outcome = "ongoing" if not end else "black" if black > white else "white" if white > black else "draw"
    moves = [practice.move_text(move) for move, _ in practice.successors(state)]
    return " ".join(["%s %d %d %s" % (outcome, black, white, reason)] + moves)


def random_moves(practice, state):
    """Legal ones, legal ones that are damaged, and any squares."""
    legal = [move for move, _ in practice.successors(state) if move != "pass"]
    squares = practice.ROWS * practice.COLUMNS
    moves = [luck.choice(legal)] if legal else []
    for move in moves * 3:
        damaged = list(move)
        damaged[luck.randrange(len(damaged))] = luck.randrange(squares)
        moves.append(tuple(damaged))
        moves.append(move + (luck.randrange(squares),) * (practice.LONGEST_MOVE > 2))
    own = [square for square in range(squares) if practice.letter(state, square) in "XO"[state[2] % 2] + "FSBfsb"]
    for _ in range(3):
        begin = luck.choice(own) if own else luck.randrange(squares)
        near = [square for square in range(squares)
                if abs(square // practice.COLUMNS - begin // practice.COLUMNS)
                + abs(square % practice.COLUMNS - begin % practice.COLUMNS) <= 2]
        count = practice.SHORTEST_MOVE - 1 + luck.randrange(3) * (practice.LONGEST_MOVE > 2)
        moves.append((begin,) + tuple(luck.choice(near) for _ in range(count)))
    return moves + ["pass"]


def rules_are_the_judges(practice, game):
    code, output = run([VERDICTS, game, "positions", str(POSITIONS)])
    assert code == 0
    texts = output.split("\n")[:-1]
    questions, sentences = [], []
    for text, expected in zip(texts, verdicts(game, "rules", texts)):
        state = read_position(practice, text)
        assert practice.position(state) == text, (text, practice.position(state))
        found = describe(practice, state)
        assert found == expected, "%s\n  practice %s\n  judge    %s" % (text, found, expected)
        for move in random_moves(practice, state):
            if move == "pass" or len(move) >= practice.SHORTEST_MOVE:
                why, after = practice.play(state, move)
                questions.append(text + "|" + practice.move_text(move))
                sentences.append(why or practice.position(after))
    for question, found, expected in zip(questions, sentences, verdicts(game, "moves", questions)):
        assert found == expected, "%s\n  practice %s\n  judge    %s" % (question, found, expected)
    refused = sum(" " in sentence and sentence[1] != "." for sentence in sentences)
    assert refused > len(sentences) // 10, "too few illegal moves were tried"


# --- Answers ---

def some_number():
    return luck.choice((0, 1, 2, 3, 7, 8, 63, 100, -1, -8, 1001, 2 ** 31 - 1, -2 ** 31, luck.randrange(9)))


def wire_answer():
    count = luck.choice((0, 1, 1, 2, 2, 3, 99, 100, 101, 1000, 1001, -1, -2 ** 31))
    pairs = min(max(count, 0), 1000)
    squares = [luck.randrange(8) if luck.random() < 0.95 else some_number() for _ in range(2 * pairs)]
    data = struct.pack("<%di" % (2 + len(squares)), count, QUESTION, *squares)
    return data if luck.random() < 0.9 else data[:luck.randrange(len(data))]


def judged(practice, read):
    """What practice.py says of an answer, in the form of verdicts.c."""
    try:
        move = read()
    except practice.Fault as fault:
        return str(fault)
    return "nothing" if move is None else practice.move_text(move)


def read_wire(practice, data):
    answer = practice.read_answer(data)
    return None if answer is None else practice.check_answer(answer[1])


def file_answer():
    end = luck.choice(("\n", "\r\n"))
    lines = ["move %d" % luck.choice((QUESTION,) * 8 + (QUESTION - 1, QUESTION + 1, -5))]
    lines += ["%d %d" % (luck.randrange(8), luck.randrange(8)) for _ in range(luck.randrange(1, 5))] + ["end"]
    for _ in range(luck.randrange(2)):
        lines[luck.randrange(len(lines))] = luck.choice((
            "move", "move x", "move 3 1", "1", "1 2 3", "1,2", "-1 3", "8 8", "end", "", "END", "ends", " end ", "a b",
            "\t3 4", "1 2 end", "99999999999999999999999 1", "move 99999999999999999999999", "3-4", "11", "1" * 5000,
            "9" * 5000 + " 1", "move " + "9" * 5000))
    if luck.random() < 0.03:
        lines[1:1] = ["1 1"] * luck.choice((98, 99, 100, 101))
    return end.join(lines + [""] * luck.randrange(3)).encode()


def template_answer():
    numbers = [luck.choice((luck.randrange(9), luck.randrange(9), some_number())) for _ in range(5)]
    a, b, c, d, _ = numbers
    line = luck.choice((
        "My move : [%d, %d, %d, %d]" % (a, b, c, d), "My move: (%d, %d, %d, %d)" % (a, b, c, d),
        "My move : [[%d, %d], [%d, %d]]" % (a, b, c, d), "Enter the move : My move : [%d %d %d %d]" % (a, b, c, d),
        "My move : array([%d, %d, %d, %d])" % (a, b, c, d),
        "My move : [np.int64(%d), np.int64(%d), np.int64(%d), np.int64(%d)]" % (a, b, c, d),
        "Move (%d, %d) to (%d, %d)." % (a, b, c, d), "Move(%d,%d) to (%d,%d)" % (a, b, c, d),
        "My bid:  %d %d" % (a, b), "My bid: (%d, %d)" % (a, b), "My bid: %d %s" % (a % 2, "9" * 3900), "My bid : %d, %d" % (a, b), "My bid:%d %d" % (a, b),
        "My move : None", "My move : [1, 2, 3]", "My bid: none", "My bid: 1", "My move : []", "my move : [1, 2, 3, 4]",
        "Move 1 2 to 3 4", "I bid 0 5", "", "[1, 2, 3, 4]", "My move : [1, 2, 3, 4, 5]", "My move : [1.0, 2.0, 3.0, 4.0]"))
    return (line + luck.choice(("\n", "\r\n"))).encode()


def read_template(practice, data):
    line = data.decode()
    for word, check, wanted in (("bid", practice.numbers_after, 2), ("move", practice.numbers_after, 4)):
        form = practice.MOVE_FORM.search(line) if word == "move" else None
        numbers = practice.whole_numbers(form.group()) if form else check("My " + word, line, wanted)
        if numbers is not None:
            return "%s: %s" % (word, " ".join(str(number) for number in numbers)) if numbers else "bad " + word
    return "nothing"


def answers_are_judged_alike(practice, game):
    protocol = PROTOCOLS[game]
    make = {"tcp": wire_answer, "file": file_answer, "template": template_answer}[protocol]
    answers = [make() for _ in range(ANSWERS)]
    reads = {"tcp": lambda data: judged(practice, lambda: read_wire(practice, data)),
             "file": lambda data: judged(practice, lambda: practice.read_answer(data.decode(), QUESTION)),
             "template": lambda data: read_template(practice, data)}[protocol]
    for data, expected in zip(answers, verdicts(game, protocol, [data.hex() for data in answers])):
        found = reads(data)
        assert found == expected, "%s: %r\n  practice %s\n  judge    %s" % (game, data, found, expected)


# --- Whole games ---

def replays(folder, games):
    code, output = run([PLUM, "replay", os.path.join(folder, "games.txt")])
    assert code == 0 and ("%d games, %d ok" % (games, games)) in output, output


def build(game, language, folder):
    if language != "python":
        compiler, agent = ("gcc", "-std=gnu17") if language == "c" else ("g++", "-std=c++14"), None
        agent = "7" if game == "meichu" else "Sample"
        code, output = run(list(compiler) + ["-O1", agent + "." + language, "-o", agent], folder=folder)
        assert code == 0, output


def kit_plays(game, language, folder):
    build(game, language, folder)
    practice = [sys.executable, "practice.py", "--record", "games.txt"]
    for opponent in ("easy", "self"):
        code, output = run(practice + ["--games", "2", "--opponent", opponent], folder=folder)
        assert code == 0 and "faults: 0" in output and "your agent: " in output, output
        assert "invalid" not in output and "crashed" not in output, output
    replays(folder, 4)


# Agents that do wrong, as a student writes them: how each ends a turn, and what practice.py must say.
TCP_AGENT = """
import socket, struct, sys, time
link = socket.create_connection(("127.0.0.1", 8888))
link.sendall(struct.pack("<i", %(team)d))
while True:
    code, number = struct.unpack("<2i", link.recv(8, socket.MSG_WAITALL))
    if not code:
        break
    link.recv(260, socket.MSG_WAITALL)
    %(answer)s
"""
TCP_FAULTS = (
    ("link.sendall(struct.pack('<2i', 0, number))", "invalid: the answer names 0 squares"),
    ("link.sendall(struct.pack('<4i', 1, number, 0, 0))", "invalid: "),
    ("link.sendall(struct.pack('<2i', -1, number))", "malformed: an answer has 0 to 1000 squares"),
    ("link.sendall(struct.pack('<4i', 1, 99, 0, 0))", "hostile: an answer to package 99, which was never sent"),
    ("sys.exit(3)", "crashed: it ended by itself with exit code 3"),
    ("__import__('subprocess').Popen(['sleep', '1000']); sys.exit(3)", "crashed: "),  # ended, too: it holds our pipe
    ("time.sleep(0.5); link.sendall(struct.pack('<4i', 1, number, 3, 3)); sys.exit()", "late: no move within 0.350 s"),
)
TEMPLATE_FAULTS = (
    ("print('My bid:  0 5')\nprint('My move : [0, 0, 0, 1]')\ninput()\ninput()\ninput()", "invalid: "),
    ("print('My bid:  2 5')", "invalid: the colour of its bid is 2; 0 is Black and 1 is White"),
    ("print('My bid: none')", "invalid: it printed 'My bid: none', which is not a bid"),
    ("import sys; sys.exit(4)", "crashed: it ended by itself with exit code 4"),
    ("import os, time; os.close(1); time.sleep(4)", "crashed: it has closed its standard output"),
    ("print('My bid:  0 5')\nprint('My move :' + 'a' * 60000)\nprint('a' * 60000)\ninput()\ninput()\ninput()",
     "invalid: it printed 'My move :aaa"),
    ("import time\nprint('My bid:  0 5')\nend = time.time() + 1\nwhile time.time() < end: print('My m')",
     "late: no move within 0.350 s"),
)
FILE_FAULTS = (
    ("open('move_7.txt', 'w').write('move 1\\n9 9\\nend\\n')", "invalid: square (9, 9) of the move file is off the board"),
    ("open('move_7.txt', 'w').write('move 2\\n1 1\\nend\\n')", "invalid: the move file answers question 2"),
    ("", "crashed: it ended by itself with exit code 0"),
    ("import os; os.mkdir('state.tmp'); open('move_7.txt', 'w').write('move 1\\n9 9\\nend\\n')",
     "crashed: its folder does not take state_7.txt: "),
    ("import os; os.mkfifo('move_7.txt')", "crashed: it ended by itself with exit code 0"),
    ("open('README.md')\nimport sys; sys.exit(5)", "crashed: it ended by itself with exit code 5"),
)


def bad_agents_are_reported(game, folder):
    protocol = PROTOCOLS[game]
    faults = {"tcp": TCP_FAULTS, "file": FILE_FAULTS, "template": TEMPLATE_FAULTS}[protocol]
    agent = os.path.join(folder, "Bad agent ü.py")
    for how, sentence in faults:
        source = TCP_AGENT % {"team": 7, "answer": how} if protocol == "tcp" else how
        if protocol == "file":
            source += "\nimport time\ntime.sleep(0.5)\n" if how else ""
        with open(agent, "w", encoding="utf-8", newline="\r\n") as file:
            file.write(source)
        code, output = run([sys.executable, "practice.py", "--games", "1", "--time-limit", "0.1", "--record", "games.txt",
                            "--", sys.executable, agent], folder=folder)
        assert code == 0 and sentence in output, "%s, %s\n%s" % (game, how, output)
    replays(folder, len(faults))


def wrong_options_are_refused_before_the_first_game(folder):
    for option, sentence in ((["--games", "0"], "must be greater than 0"),
                             (["--time-limit", "inf"], "at most 86400"), (["--record", "none/games.txt"], "can't open")):
        code, output = run([sys.executable, "practice.py"] + option, folder=folder)
        assert code == 2 and sentence in output and "game 1" not in output, output


def a_person_can_play(game, folder):
    """Types nonsense, then leaves."""
    code, output = run([sys.executable, "practice.py", "--opponent", "human", "--games", "1"],
                       "0 \u00b2\n0 0\n" + "nonsense\n" * 4, folder=folder)
    assert code == 0 and "Not possible: " in output and "stopped" in output, output


def end_lines_as_windows_does(folder):
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\r\n") as file:
            file.write(text)


def test_game(game, folder):
    here = os.path.join(folder, "Ü " + game)
    for language in ("python", "c", "cpp") if "--long" in sys.argv else ("python",):
        place = os.path.join(here + " " + language)
        make_kit(game, language, place)
        if language == "python":
            practice = load(game, place)
            rules_are_the_judges(practice, game)
            answers_are_judged_alike(practice, game)
        if game == "othello":
            end_lines_as_windows_does(place)
        kit_plays(game, language, place)
        os.remove(os.path.join(place, "games.txt"))
    if game != "othello":
        bad_agents_are_reported(game, here + " python")
    a_person_can_play(game, here + " python")
    wrong_options_are_refused_before_the_first_game(here + " python")
    print("ok %s" % game)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for game in GAMES:
            test_game(game, folder)


main()
