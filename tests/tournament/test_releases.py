"""What earlier versions of plum wrote, in tests/data/VERSION: it opens, continues, and gives what that version made of it.

usage: test_releases.py PLUM [CASE...]

tests/data/0.1.0 has two tournaments. tests/data/8a85a35 is a whole class of that commit: what its tournaments, records
and rosters were for it is in its folder `expected`, programs and submissions are in files.zip.
"""
import csv
import json
import os
import re
import shutil
import subprocess
import zipfile

from cluster_support import PATH, free_port
from support import Folder, Settings, Skip, equal, main, require

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data")
FORMER = os.path.join(DATA, "8a85a35")


def _read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def _expected(name):
    return _read(FORMER, "expected", name)


def _same_text(now, before, what):
    """Says the first line that differs, not all of both."""
    for line, (new, old) in enumerate(zip(now.split("\n"), before.split("\n")), 1):
        equal(new, old, "line %d of %s" % (line, what))
    equal(len(now), len(before), "characters of " + what)


def _without_ids(records):
    """As they were exported before the ids of teams became tags."""
    return re.sub(r'\[(Black|White)Team "[^"]*"\]\n', "", records)


def _records(folder, database):
    return _without_ids(folder.plum("export", database)[0])


def _holds(records, before):
    for record in before.split("\n\n["):
        require(record.strip() in records, "a record is gone: %s", record[:300])


def _keeps(now, before, place):
    """Every field of `before` has the same value now; a new version may have more fields."""
    if isinstance(before, dict):
        for key, value in before.items():
            require(isinstance(now, dict) and key in now, "%s: there is no %s in %r", place, key, now)
            _keeps(now[key], value, place + "." + key)
    elif isinstance(before, list):
        equal(len(now), len(before), "length of " + place)
        for i, value in enumerate(before):
            _keeps(now[i], value, "%s[%d]" % (place, i))
    else:
        equal(now, before, place)


class _FormerFolder(Folder):
    """The folder of the class of 8a85a35, as it left it."""

    def __init__(self):
        super().__init__()
        for name in os.listdir(FORMER):
            if os.path.isfile(os.path.join(FORMER, name)):
                shutil.copy(os.path.join(FORMER, name), self.file(name))
        with zipfile.ZipFile(self.file("files.zip")) as files:
            files.extractall(self.path)
        os.makedirs(self.file("interrupted.queue/blobs"), exist_ok=True)
        os.chmod(self.file("interrupted-1.worker"), 0o600)

    def command(self, *words):
        done = subprocess.run([Settings.plum, *words], cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=200, check=False)
        equal(done.returncode, 0, "plum %s: %s%s: exit code" % (" ".join(words), done.stdout, done.stderr))
        return done.stdout


def _without_words(status):
    """The sentences about a team are for people; they may be put better."""
    for team in status.get("qualification") or []:
        team.pop("why")
    return status


def _opens(folder, name):
    for view in ("standings", "crosstable", "games"):
        _keeps(folder.json(view, name + ".db"), json.loads(_expected("%s.%s.json" % (name, view))), view)
    _keeps(_without_words(folder.json("status", name + ".db")),
           _without_words(json.loads(_expected(name + ".status.json"))), "status")
    _same_text(_records(folder, name + ".db"), _expected(name + ".txt"), "the records")


def _continues(folder, name, *words):
    """Plays on; every game that was played is still the same. Returns what was printed."""
    printed = folder.plum("resume", name + ".db", *words)
    equal(folder.json("status", name + ".db")["state"], "finished", "the state")
    _holds(_records(folder, name + ".db"), _expected(name + ".txt"))
    return printed


def a_finished_tournament_opens_reports_and_grades():
    with _FormerFolder() as folder:
        _opens(folder, "finished")
        folder.plum("grade", "finished.db", "-o", "grades.csv")
        _same_text(_read(folder.file("grades.csv")), _expected("finished.csv"), "the marks")
        equal({name for name in os.listdir(folder.file("grades.feedback")) if re.match(r"\d", name)},
              {"%d.html" % team for team in range(1, 8)}, "pages")
        require("Broken.c" in _read(folder.file("grades.feedback/5.html")), "no compiler's message on the page of team 5")
        folder.plum("report", "finished.db", "-o", "report")
        shown = json.loads(_read(folder.file("report/report.json")))["standings"]
        equal([team["team"] for team in shown], [team["team"] for team in json.loads(_expected("finished.standings.json"))],
              "the order in the report")
        for game in json.loads(_expected("finished.games.json")):
            record, _ = folder.plum("games", "finished.db", str(game["number"]))
            if game["status"] == "played":
                _holds(_expected("finished.txt"), _without_ids(record))


def a_finished_tournament_is_changed_and_continued():
    with _FormerFolder() as folder:
        folder.plum("disqualify", "finished.db", "7", "--undo", "--reason", "appeal accepted")
        folder.plum("annul", "finished.db", "2", "--undo", "--reason", "a mistake")
        folder.plum("replay", "finished.db", "1", "--reason", "once more")
        folder.plum("resume", "finished.db")
        status = folder.json("status", "finished.db")
        equal((status["state"], status["annulled_games"]), ("finished", 0), "state and annulled games")
        folder.plum("backup", "finished.db", "-o", "copy.db")
        equal(folder.table("copy.db"), folder.table("finished.db"), "the copy")


def an_interrupted_tournament_continues_with_its_programs_and_sources():
    with _FormerFolder() as folder:
        _opens(folder, "interrupted")
        _, err = _continues(folder, "interrupted")
        require("has changed" not in err, "programs that did not change: %s", err)
        kinds = {kind for game in folder.json("games", "interrupted.db") for faults in game["faults"] for kind in faults}
        require(kinds >= {"invalid", "crashed"}, "faults of teams 4 and 5: %r", kinds)
        teams = {team["team"]: team for team in folder.json("standings", "interrupted.db")}
        for team, won in (("1", True), ("2", True), ("3", True), ("5", False), ("6", False)):
            equal(teams[team]["won"] > 0, won, "team %s wins a game" % team)


def a_tournament_that_was_interrupted_in_its_qualification_continues():
    with _FormerFolder() as folder:
        _opens(folder, "qualifying")
        before = {team["team"]: team for team in json.loads(_expected("qualifying.status.json"))["qualification"]}
        _continues(folder, "qualifying")
        now = {team["team"]: team for team in folder.json("status", "qualifying.db")["qualification"]}
        equal({team for team, facts in now.items() if facts["qualified"]}, {"1", "2", "3", "7"}, "qualified teams")
        for team in ("1", "2", "3"):
            _keeps(now[team]["games"], before[team]["games"], "the qualification of team " + team)


def a_team_of_a_stopped_qualification_plays_it_again():
    with _FormerFolder() as folder:
        folder.plum("qualify", "qualifying.db", "--again", "1", "--reason", "repaired")
        status = folder.json("status", "qualifying.db")
        equal([len(team["games"]) for team in status["qualification"]], [2] * 7, "games of the teams")
        equal(_records(folder, "qualifying.db").count('[Round "qualification.'), 14, "games of the qualification")


def a_roster_of_init_is_checked_extended_and_played():
    with _FormerFolder() as folder:
        folder.command("build", "reversi", "class.files/1002/Sample.c", "-o", "class.files/1002/plum-agent")
        facts = json.loads(_expected("class.json"))
        del facts["similar"]  # what the kit of this version does not explain
        _keeps(folder.json("check", "class.ini"), facts, "check")
        made = folder.json("init", "reversi", "in", "-o", "again.ini", "--students", "list.csv", "--deadline",
                           "2021-05-02 23:59 +00:00")
        known = ("team", "submission", "program", "language", "state", "wrong_name", "missing_report", "report_pages")
        equal([{key: team[key] for key in known} for team in made],
              [{key: team[key] for key in known} for team in json.loads(_read(FORMER, "init.json"))], "what init finds")
        shutil.copy(folder.file("in/Cy_1003_assignsubmission_file_final.py"), folder.file("Team_3.py"))
        folder.plum("init", "reversi", "--add", "Team_3.py", "-o", "class.ini", "--team", "3")
        folder.plum("run", "class.ini")
        folder.plum("grade", "class.db", "-o", "grades.csv")
        with open(folder.file("grades.csv"), encoding="utf-8-sig", newline="") as file:
            rows = {row["student"]: row for row in csv.DictReader(file)}
        equal(rows["0856004"]["runtime error evidence"], "its source does not compile", "team 4")
        equal(rows["0856005"]["runtime error evidence"], "Team_5.rar was not opened", "team 5")
        equal(rows["0856005"]["wrong file name evidence"], "Team_5.rar", "the name of team 5")
        equal((rows["0856006"]["team"], rows["0856006"]["score"]), ("", "0.00"), "nothing was handed in")


def a_record_with_faults_is_replayed():
    with _FormerFolder() as folder:
        _same_text(folder.command("replay", "match.txt"), _expected("match.txt"), "the replay")
        _keeps(json.loads(folder.command("replay", "match.txt", "--json")), json.loads(_expected("match.json")), "replay")


def _moves(text):
    return re.sub(r"{t=[^ }]* ?", "{", re.sub(r'\[Date "[^"]*"\]', "", text))


def a_file_of_self_play_is_continued():
    words = ("selfplay", "reversi", "--games", "7", "--player", "builtin:nodes=200", "--record")
    with _FormerFolder() as folder:
        before = _read(FORMER, "selfplay.txt")
        folder.command(*words, "selfplay.txt")
        folder.command(*words, "new.txt")
        now = _read(folder.file("selfplay.txt"))
        require(now.startswith(before), "the games of the file have changed")
        _same_text(_moves(now), _moves(_read(folder.file("new.txt"))), "a file of seven games")


def a_worker_file_lets_a_worker_play():
    if not shutil.which("nats-server", path=PATH):
        raise Skip("nats-server is not installed")
    with _FormerFolder() as folder:
        if "built without NATS" in folder.plum("worker-file", "class.ini", "-o", "files", code=None)[1]:
            raise Skip("plum was built without NATS")
        address = "127.0.0.1:%d" % free_port()
        folder.write("w.worker", _read(FORMER, "interrupted-1.worker").replace("127.0.0.1:7586", address))
        os.chmod(folder.file("w.worker"), 0o600)
        environment = {**os.environ, "PATH": PATH}
        with subprocess.Popen([Settings.plum, "worker", "w.worker", "--name", "former"], cwd=folder.path, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as worker:
            folder.plum("resume", "interrupted.db", "--workers", address, "--slowest", "0", env=environment)
            said = worker.communicate(timeout=100)[1]
        equal(worker.returncode, 0, "the worker's exit code: %s" % said)
        require('[Machine "former"]' in _records(folder, "interrupted.db"), "the worker played nothing: %s", said)


def _as_now(standings, folder):
    """Standings as 0.1.0 printed them: a team was "id", and some fields are new."""
    now = {row["team"]: row for row in folder.json("standings", "t.db")}
    return [{**now[row["id"]], **{name: value for name, value in row.items() if name != "id"}} for row in standings]


def databases_of_0_1_0_open_and_continue():
    """With what that release made of them: standings as JSON, and the records."""
    for name in ("finished", "interrupted"):
        with Folder() as folder:
            shutil.copy(os.path.join(DATA, "0.1.0", name + ".db"), folder.file("t.db"))
            equal(folder.json("standings", "t.db"), _as_now(json.loads(_read(DATA, "0.1.0", name + ".json")), folder),
                  "the standings")
            before = _read(DATA, "0.1.0", name + ".txt")
            _same_text(_records(folder, "t.db"), before, "the records")
            equal(folder.json("status", "t.db")["played_games"], 5, "games played")
            folder.plum("resume", "t.db")
            equal(folder.json("status", "t.db")["state"], "finished", "the state")
            _holds(_records(folder, "t.db"), before)


main(globals())
