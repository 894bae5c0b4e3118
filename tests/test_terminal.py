"""What a person sees on a terminal while the engine thinks, and what a stopped terminal stops.

usage: test_terminal.py PLUM
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
import time
import urllib.request

PLUM = os.path.realpath(sys.argv[1])
PIECE = re.compile("\033\\[([0-9]*)([A-Z])|(.)", re.DOTALL)


def watch(words, columns, rows):
    """Everything that plum writes to a terminal of that size, and its exit code."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    run = subprocess.Popen([PLUM, *words], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                           env=dict(os.environ, TERM="xterm"))
    os.close(slave)
    written = b""
    try:
        while piece := os.read(master, 65536):
            written += piece
    except OSError:  # Linux: the other end is closed
        pass
    os.close(master)
    return written.decode(), run.wait(timeout=60)


def seen(written, columns, rows):
    """The lines that such a terminal shows in the end, with those that have scrolled away."""
    lines, row, column = [""], 0, 0
    for count, letter, sign in PIECE.findall(written):
        if letter == "A":
            row = max(row - int(count), len(lines) - rows, 0)
        elif letter == "J":
            del lines[row + 1:]
            lines[row] = lines[row][:column]
        elif letter == "K":
            lines[row] = lines[row][:column]
        elif sign == "\r":
            column = 0
        else:
            if sign == "\n" or column == columns:
                row, column = row + 1, 0 if sign != "\n" else column
                lines += [""] * (row + 1 - len(lines))
            if sign != "\n":
                lines[row] = lines[row][:column] + sign + lines[row][column + 1:]
                column += 1
    return lines


def each_table_of_analyze_replaces_the_one_before():
    for columns, rows in ((80, 24), (40, 6)):
        words = "analyze hop start --depth 6 --lines 30".split()
        written, code = watch(words, columns, rows)
        lines = seen(written, columns, rows)
        tables = [line for line in lines if line.startswith("depth ")]
        assert code == 0, code
        assert written.count("depth ") > 3, written
        assert len(tables) == 1 and tables[0].startswith("depth 6,"), lines
        ranks = [int(line[:2]) for line in lines if re.match(" ?[0-9]+  [-+]", line)]
        assert ranks == list(range(1, 31)), "the last table is not whole: %r" % lines


def solve_shows_that_it_works():
    written, code = watch("solve meichu start --time 5000".split(), 80, 24)
    assert code == 1, code
    assert re.search("solving for [1-4] s of 5", written), written
    assert seen(written, 80, 24)[0].startswith("plum solve: not solved within 5000 ms"), written


def a_class_shows_how_far_it_is_and_not_to_a_program():
    with tempfile.TemporaryDirectory() as folder:
        slow = os.path.join(folder, "slow")
        with open(slow, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nsleep 0.25\n")  # longer than the time between two lines
        os.chmod(slow, 0o755)
        for team in "45":
            os.makedirs(os.path.join(folder, "subs", "Team_" + team))
            with open(os.path.join(folder, "subs", "Team_" + team, "a.py"), "w", encoding="ascii") as file:
                file.write("idTeam = %s\nimport STcpClient\n" % team)
        roster = os.path.join(folder, "class.ini")
        init = ["tournament", "init", "reversi", os.path.join(folder, "subs"), "--sandbox", "off",
                "--python", slow, "-o", roster]
        written, code = watch(init, 80, 24)
        assert code == 0 and "building hand-in 1 of 2" in written, written
        assert not any("building" in line for line in seen(written, 80, 24)), written
        written, code = watch(["tournament", "check", roster], 80, 24)
        assert code == 0 and "looking at the imports of program 1 of 2" in written, written
        assert "looking at the imports of program 2 of 2, about 0 s left" in written, written
        assert not any("looking" in line for line in seen(written, 80, 24)), written
        with open(slow, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n")
        written, code = watch(["tournament", "check", roster, "--json"], 80, 24)
        assert code == 0 and "looking" not in written and "\033" not in written, written


def a_qualification_is_coloured_on_a_terminal_only():
    green, red = "\033[38;5;35m%s\033[0m", "\033[38;5;167m%s\033[0m"
    with tempfile.TemporaryDirectory() as folder:
        roster = os.path.join(folder, "r.ini")
        with open(roster, "w") as file:
            file.write("[tournament]\ngame = hop\n[team 1]\nplayer = builtin:nodes=300\n"
                       "[team 2]\nplayer = random\nno_program = it is empty\n")
        words = ["tournament", "qualify", roster]
        written, code = watch(words, 80, 24)
        quiet = subprocess.run([PLUM, *words], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True).stdout
    assert code == 0, written
    assert re.search(r"\n1 .*%s .*  %s\r\n" % (re.escape(green % "won  "), re.escape(green % "yes")),
                     written), repr(written)
    assert re.search(r"\n2 .*  %s: " % re.escape(red % "no"), written), repr(written)
    assert "\033" not in quiet and re.search("\n1 .*won   won .* yes\n2 .*: ", quiet), quiet


# Connects as another team than it should, so that the server prints a remark.
STRANGER = ("import socket, struct, time; s = socket.create_connection(('localhost', 8888)); "
            "s.sendall(struct.pack('<i', 9)); time.sleep(60)")


def a_stopped_terminal_stops_no_game():
    master, slave = pty.openpty()
    serve = subprocess.Popen([PLUM, "serve", "--port", "0", "--agent",
                              'A=tcp:7:/usr/bin/python3 -c "%s"' % STRANGER, "--agent", "B=random"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave, cwd="/")
    port, key = re.search(r":(\d+)/.*key=(\w+)", serve.stdout.readline().decode()).groups()
    host = "http://127.0.0.1:" + port
    headers = {"Authorization": "Bearer " + key, "Origin": host}

    def ask(path, method="GET"):
        request = urllib.request.Request(host + "/api/v1/" + path, method=method, headers=headers,
                                         data=b"" if method == "POST" else None)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode()

    termios.tcflow(slave, termios.TCOOFF)  # Ctrl-S
    ask("sessions?game=hop&first=agent:1&second=agent:2", "POST")
    time.sleep(3)  # where it starts later there is no remark, and the test proves nothing
    ask("sessions?game=othello&first=agent:2&second=agent:2", "POST")
    while '"phase":"over"' not in ask("sessions/2"):
        time.sleep(0.1)
    serve.terminate()
    assert serve.wait(timeout=120) == 0
    os.close(slave)
    os.close(master)


each_table_of_analyze_replaces_the_one_before()
a_class_shows_how_far_it_is_and_not_to_a_program()
a_stopped_terminal_stops_no_game()
a_qualification_is_coloured_on_a_terminal_only()
solve_shows_that_it_works()
