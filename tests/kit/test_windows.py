"""Plays programs for Windows under wine: every kit in C and C++ and our agents as one file, compiled by mingw-w64.

usage: test_windows.py PLUM

Each plays two whole games against the judge, and two against its own practice.py, whose record must replay. The
judge's sandbox is off: wine needs sockets of the kind that it forbids. Python itself runs on Linux here. Without wine
or mingw-w64 it prints a line and ends with exit code 77. Run it by `make test-windows`.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

PLUM = os.path.abspath(sys.argv[1])
WINE = "/usr/lib/wine/wine64"
SERVER = "/usr/lib/wine/wineserver"
COMPILERS = {"c": ("x86_64-w64-mingw32-gcc", "-std=gnu17"), "cpp": ("x86_64-w64-mingw32-g++", "-std=c++14")}
# How the judge starts a program. A template plays on a terminal, and wine draws on one instead of writing lines, so it
# gets pipes.
PLAYERS = {"hop": "tcp:7:%s %s", "hop-noloop": "file:7:%s %s", "reversi": "tcp:7:%s %s", "othello": "tcp:7:%s %s",
           "meichu": 'template:sh -c "cat | %s %s | cat"'}


def missing():
    """What this machine lacks, or None."""
    for path, package in ((COMPILERS["cpp"][0], "g++-mingw-w64-x86-64"), (WINE, "wine64"), (SERVER, "wine64")):
        if not shutil.which(path):
            return "%s (package %s)" % (path, package)
    return None


def run(words, folder=None):
    """What it printed. Into files: services of wine keep a pipe open when the program has ended."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        code = subprocess.run(words, cwd=folder, stdout=output, stderr=errors, timeout=300).returncode
        output.seek(0)
        errors.seek(0)
        text = output.read().decode()
        assert code == 0, "%s: exit code %d\n%s%s" % (words, code, text, errors.read().decode(errors="replace"))
        return text


def compile_source(language, source, folder):
    """As the kit's README says; not one warning."""
    compiler, standard = COMPILERS[language]
    program = source.rsplit(".", 1)[0] + ".exe"
    run([compiler, standard, "-O3", "-Wall", "-Wextra", "-Werror", "-static", source, "-o", program, "-lws2_32"], folder)
    return program


def plays_before_the_judge(game, program, folder, *options):
    result = json.loads(run([PLUM, "match", game, "--black", PLAYERS[game] % (WINE, program), "--white", "builtin:1",
                             "--games", "2", "--sandbox", "off", "--startup-limit", "60", "--json"] + list(options), folder))
    player = result["players"][0]
    assert player["won"] + player["drawn"] + player["lost"] == 2 and not player["faults"], result


def plays_against_practice(program, folder, *options):
    output = run([sys.executable, "practice.py", "--games", "2", "--record", "games.txt"] + list(options)
                 + ["--", WINE, program], folder)
    assert output.count("faults: 0") == 2, output
    replayed = run([PLUM, "replay", "games.txt"], folder)
    assert "2 games, 2 ok" in replayed, replayed


def kit_plays(game, language, folder):
    run([PLUM, "new", game, language, folder, "--team", "7"])
    program = compile_source(language, "%s.%s" % ("7" if game == "meichu" else "Sample", language), folder)
    plays_before_the_judge(game, program, folder)
    plays_against_practice(program, folder)
    print("ok %s %s" % (game, language), flush=True)


def agent_plays(game, folder):
    """Our agent as one file, in the folder of the kit. It thinks for 0.3 s a move, and may take 2 s: a busy machine
    does not make it late."""
    run([PLUM, "agent", game, "--source", "cpp", "--team", "7", "--time-limit", "0.3", "-o", "agent.cpp"], folder)
    program = compile_source("cpp", "agent.cpp", folder)
    plays_before_the_judge(game, program, folder, "--time-limit", "2")
    os.remove(os.path.join(folder, "games.txt"))
    plays_against_practice(program, folder, "--time-limit", "2")
    print("ok %s as one file" % game, flush=True)


def main():
    lack = missing()
    if lack:
        print("skipped: there is no %s" % lack)
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.update(WINEPREFIX=os.path.join(scratch, "wine"), WINEDEBUG="-all", WINEARCH="win64",
                          WINEDLLOVERRIDES="mscoree,mshtml=", PYTHONDONTWRITEBYTECODE="1")
        os.environ.pop("DISPLAY", None)
        try:
            os.mkdir(os.environ["WINEPREFIX"])
            run([SERVER, "--persistent"])  # else the judge ends it with the program that started it
            run([WINE, "wineboot", "--init"])
            for game in PLAYERS:
                for language in COMPILERS:
                    folder = os.path.join(scratch, "%s ü %s" % (game, language))
                    kit_plays(game, language, folder)
                if game != "othello":
                    agent_plays(game, folder)
        finally:
            subprocess.run([SERVER, "--kill"], check=False)
            subprocess.run([SERVER, "--wait"], check=False)
    return 0


sys.exit(main())
