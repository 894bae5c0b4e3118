"""Before the first round every team plays against random, and only those that can play are paired.

usage: test_qualify.py PLUM [--long] [CASE...]
"""
import json
import os
import shutil
import signal
import time

import recount
from support import PATIENCE_S, Folder, OnlyLong, Settings, equal, main, randoms, require, roster

# It starts, and ends when it is asked for a move.
CRASHES = """#!/bin/sh
while read -r line; do
    case $line in
    ugi) echo ugiok ;;
    isready) echo readyok ;;
    go*) echo "cannot think" >&2; exit 3 ;;
    esac
done
"""
SLEEPS = CRASHES.replace('echo "cannot think" >&2; exit 3', "sleep 100")
SLOW = ("builtin:movetime=5", "builtin:movetime=20", "builtin:movetime=80")  # for machines of different speeds


def _program(folder, name, text):
    folder.write(name, text)
    os.chmod(folder.file(name), 0o755)
    return "ugi:./%s" % name


def _engine(folder, name):
    """A program that can play, next to the engine that it uses."""
    shutil.copy(Settings.plum, folder.file("%s/engine" % name))
    return "#!/bin/sh\nexec ./engine engine reversi --nodes 50 --hash 1\n"


class _Ended(Exception):
    """The process was faster than this test."""


def _wait(folder, process, database, is_reached):
    """Until the status is like that, while the process runs."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if process.poll() == 0:
            raise _Ended
        require(process.poll() is None, "exit code %s", process.poll())
        if os.path.exists(folder.file(database)):
            out, _ = folder.plum("status", database, "--json", code=None)
            if out and is_reached(json.loads(out)):
                return
        time.sleep(0.05)
    require(False, "it takes too long")


def _trials(status):
    return sum(len(team["games"]) for team in status["qualification"])


def _teams(games):
    return {team for game in games for team in (game["black"], game["white"])}


def programs_that_cannot_play_are_listed_and_not_paired():
    with Folder() as folder:
        teams = randoms(3) + ["ugi:false", _program(folder, "crashes.sh", CRASHES),
                              _program(folder, "sleeps.sh", SLEEPS)]
        folder.write("t.ini", roster("reversi", teams, format="swiss", rounds=2, time_limit=0.01, grace=0.01))
        found = {team["team"]: team for team in folder.json("qualify", "t.ini")["qualification"]}
        equal({name for name, team in found.items() if team["qualified"]}, {"1", "2", "3"}, "qualified")
        reasons = {name: team["why"] for name, team in found.items() if team["failed"]}
        for name, word in (("4", "did not start"), ("5", "crashed"), ("6", "the judge played")):
            require(word in reasons[name], "team %s: %s", name, reasons[name])
        table = {line.split()[0]: line for line in folder.plum("qualify", "t.ini")[0].splitlines()}
        for name, judged in (("1", 0), ("4", 0), ("5", 2), ("6", 1)):
            equal(table[name].count(": the judge played "), judged, "games with moves of the judge: " + table[name])
        folder.plum("run", "t.ini")
        status = folder.plum("status", "t.db")[0]
        for name in ("4", "5", "6"):
            require("team %s is not qualified: %s" % (name, reasons[name]) in status, "%s", status)
        require(status.count(": qualify\n") == 1, "it was played twice: %s", status)
        equal(_teams(folder.json("games", "t.db")), {"1", "2", "3"}, "teams in games")
        standings = folder.json("standings", "t.db")
        equal({row["team"] for row in standings[3:]}, {"4", "5", "6"}, "the last places")
        equal({row["byes"] for row in standings[3:]}, {0}, "byes of teams that are not paired")
        _check_pages(folder, reasons["5"])


def _check_pages(folder, reason):
    folder.plum("grade", "t.db", "-o", "g.csv", "--analyze", "0")
    with open(folder.file("g.feedback/5.html"), encoding="utf-8") as file:
        page = file.read()
    require("The program is not qualified, so it was not paired: %s" % reason in page, "no reason: %s", page)
    require("cannot think" in page, "not what the program wrote: %s", page)
    require(page.count("; your faults: 1 crashed") == 2, "not the faults of its games: %s", page)
    require("<p>None.</p>" not in page, "no faults next to two crashes: %s", page)
    with open(folder.file("g.feedback/1.html"), encoding="utf-8") as file:
        require("<p>None.</p>" in file.read(), "faults of a team without any")
    with open(folder.file("g.json"), encoding="utf-8") as file:
        sheet = {grade["team"]: grade for grade in json.load(file)["grades"]}
    equal([sheet[name]["base"] for name in "123456"], [60, 60, 60, 0, 0, 0], "base marks")
    folder.plum("report", "t.db", "-o", "report", "--anonymous")
    with open(folder.file("report/report.json"), encoding="utf-8") as file:
        report = json.load(file)
    equal({team["why"] for team in report["qualification"]}, {None}, "reasons in the anonymous report")


def _is_interrupted(folder, player):
    """False: it was over before the second signal."""
    folder.write("t.ini", roster("reversi", [player] * 8, format="swiss", rounds=1, concurrency=1))
    process = folder.start("qualify", "t.ini")
    _wait(folder, process, "t.db", lambda status: _trials(status) >= 1)
    process.kill()
    process.communicate()
    first = folder.json("status", "t.db")["qualification"]
    process = folder.start("qualify", "t.ini")
    _wait(folder, process, "t.db", lambda status: _trials(status) > _trials({"qualification": first}))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    second = folder.json("status", "t.db")["qualification"]
    if _trials({"qualification": second}) == 16:
        return False
    equal(process.returncode, 130, err)
    require("stopped in the qualification; continue with: plum tournament qualify t.db" in err, "%s", err)
    last = folder.json("qualify", "t.db")["qualification"]
    equal(_trials({"qualification": last}), 16, "games")
    for before in (first, second):
        for team, kept in zip(before, last):
            equal(kept["games"][:len(team["games"])], team["games"], "what was finished")
    return True


def _succeeds_once(is_done):
    """With a faster or a slower player the signal comes in the middle."""
    for player in SLOW:
        with Folder() as folder:
            try:
                if is_done(folder, player):
                    return
            except _Ended:
                pass
    require(False, "never in the middle")


def an_interrupted_qualification_continues():
    _succeeds_once(_is_interrupted)


def _kill_in_first_game(folder, **keys):
    """The first game of the qualification lasts until the process is killed; then its program is repaired."""
    os.mkdir(folder.file("agent"))
    player = _program(folder, "agent/run.sh", SLEEPS)
    folder.write("t.ini", roster("reversi", [player, "random"], concurrency=1, **keys))
    process = folder.start("qualify", "t.ini")
    _wait(folder, process, "t.db", lambda status: "qualify" in [entry["what"] for entry in status["audit"]])
    process.kill()
    process.communicate()
    equal(_trials(folder.json("status", "t.db")), 0, "finished games of the qualification")
    folder.write("agent/run.sh", _engine(folder, "agent"))


def a_qualification_continues_that_was_interrupted_in_its_first_game():
    with Folder() as folder:
        _kill_in_first_game(folder, format="swiss", rounds=1)
        folder.plum("run", "t.ini")
        equal(_trials(folder.json("status", "t.db")), 4, "games of the qualification after run")
    with Folder() as folder:
        _kill_in_first_game(folder, qualification="no")
        folder.plum("resume", "t.db")
        status = folder.json("status", "t.db")
        equal((_trials(status), status["state"]), (4, "finished"), "games of the qualification after resume")


def _is_repaired(folder, player):
    """False: there was no round left for the repaired program."""
    os.mkdir(folder.file("agent"))
    broken = _program(folder, "agent/run.sh", CRASHES)
    folder.write("t.ini", roster("reversi", ["random", player, "random", broken], format="swiss", rounds=6,
                                 concurrency=1))
    process = folder.start("run", "t.ini")
    _wait(folder, process, "t.db", lambda status: status["played_games"] >= 1)
    process.send_signal(signal.SIGINT)
    process.communicate()
    games = folder.json("games", "t.db")
    require("4" not in _teams(games), "it is paired")
    paired = max(game["round"] for game in games)
    if paired == 6:
        return False
    folder.write("agent/run.sh", _engine(folder, "agent"))
    found = folder.json("qualify", "t.db", "--again", "4", "--reason", "repaired")["qualification"]
    equal(found[3]["qualified"], True, found[3]["why"])
    folder.plum("resume", "t.db")
    rounds = {game["round"] for game in folder.json("games", "t.db") if "4" in (game["black"], game["white"])}
    equal(rounds, set(range(paired + 1, 7)), "rounds of the repaired program")
    require("qualify again team 4: repaired" in folder.plum("status", "t.db")[0], "the audit log")
    return True


def a_repaired_program_qualifies_again_between_two_rounds():
    if not Settings.long:
        raise OnlyLong
    _succeeds_once(_is_repaired)


def a_round_robin_has_no_games_of_those_that_failed():
    with Folder() as folder:
        text = roster("reversi", randoms(3) + ["ugi:false"], qualification="yes")
        folder.write("t.ini", text)
        folder.plum("run", "t.ini")
        equal(_teams(folder.json("games", "t.db")), {"1", "2", "3"}, "teams in games")
        status = folder.json("status", "t.db")
        equal((status["played_games"], status["total_games"], status["state"]), (6, 6, "finished"), "games")
        equal({row["byes"] for row in folder.json("standings", "t.db")}, {0}, "byes")
        folder.plum("run", "t.ini", code=2)
        folder.plum("qualify", "t.db", "--again", "4", "--reason", "repaired", code=1)
        rules = recount.Roster(text)
        games, _, trials = recount.read_export(folder.plum("export", "t.db")[0], rules)
        rules.enter(trials)
        equal(rules.entered, [True, True, True, False], "who was entered")
        recount.check_pairings(rules, games, [0] * 4)


if __name__ == "__main__":
    main(globals())
