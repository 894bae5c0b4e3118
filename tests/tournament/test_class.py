"""A whole class as a learning platform hands it out: init, run, report and grade without a hand edit."""
import csv
import json
import os
import re

from make_class import DEADLINE, make
from support import Folder, Settings, Skip, equal, main, require


def _fast(folder, **keys):
    """The same roster with less time to think, so that the class fits into a test."""
    with open(folder.file("class.ini"), encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"^format = .*\n", "", text, flags=re.M)
    lines = "".join("%s = %s\n" % item for item in keys.items())
    folder.write("class.ini", text.replace("[tournament]\n", "[tournament]\n" + lines))
    return text


def _section(text, team):
    return text.split("\n[team %s]\n" % team)[1].split("\n[")[0]


def _check_init(found, wanted, text):
    equal({team["submission"]: team["team"] for team in found},
          {name: facts["team"] for name, facts in wanted.items()}, "the teams")
    for team in found:
        facts = dict(wanted[team["submission"]])
        section = _section(text, facts.pop("team"))
        remarks = "\n".join(team["remarks"])
        for key, value in facts.items():
            if key == "remark":
                require(value in remarks, "%s: no '%s' in: %s", team["submission"], value, remarks)
            elif key == "player":
                require("player = " + value in section, "%s: %s", team["submission"], section)
            elif key in ("days_late", "id_team"):
                require("%s = %d\n" % (key, value) in section + "\n", "%s: %s", team["submission"], section)
            else:
                equal(team[key], value, "%s of %s" % (key, team["submission"]))


def _grades(folder, *words):
    folder.plum("grade", "class.db", "-o", "grades", "--analyze", "0", "--force", *words)
    with open(folder.file("grades.csv"), encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    require(len(rows[0]) == len(set(rows[0])), "a heading is there twice")
    return rows


def _play_class(folder, game, **keys):
    """Returns the rows of the sheet by student."""
    make(Settings.plum, game, folder.path)
    with open(folder.file("wanted.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    out, err = folder.plum("init", game, "in", "-o", "class.ini", "--students", "list.csv",
                           "--deadline", DEADLINE, "--json")
    _check_init(json.loads(out), wanted, _fast(folder, **keys))
    err += folder.plum("check", "class.ini")[1]
    said = folder.plum("run", "class.ini")[1]
    require("calls itself" not in said, "the judge does not use a program's own number: %s", said)
    folder.plum("report", "class.db", "-o", "report")
    equal(len(folder.json("standings", "class.db")), len(wanted), "teams in the standings")
    rows = _grades(folder)
    for facts in wanted.values():
        page = folder.file("grades.feedback/%s.html" % facts["team"])
        require(os.path.exists(page), "team %s has no page", facts["team"])
        with open(page, encoding="utf-8") as file:
            told = "idTeam = %d" % facts["id_team"] if "id_team" in facts else ""
            require(told in file.read(), "the page of team %s does not say: %s", facts["team"], told)
    return {row["student"]: row for row in rows}, err


def a_class_of_twenty_teams_is_played_and_graded():
    if os.environ.get("PLUM_TEST_SANDBOX") == "partial":  # own_port.sh sets it
        raise Skip("two of the programs send one team number, and there are no network namespaces")
    with Folder() as folder:
        rows, err = _play_class(folder, "reversi", format="swiss", rounds=1, qualification="no", time_limit=2,
                                startup_limit=5, sandbox="auto")
        require("notes of the assistant.txt" in err, "a stray file is not named: %s", err)
        require("team 20: class.files/" in err and " imports the module numpy_of_nowhere, which " in err,
                "a missing module is not named: %s", err)
        equal(len(rows), 22, "students")
        for number in range(1, 21):
            row = rows["0856%03d" % number]
            equal(row["team"], str(number), "the team of student %d" % number)
        equal(rows["0856031"]["score"], rows["0856001"]["score"], "the marks of a group")
        equal((rows["0856032"]["team"], rows["0856032"]["score"]), ("", "0.00"), "nothing was handed in")
        require(rows["0856020"]["late submission evidence"].startswith("3 days late: handed in 2021-05-05 01:00:00 +0000"),
                "lateness: %s", rows["0856020"])
        row = rows["0856016"]  # the assignment of Reversi takes nothing off for a name: it is only a note
        equal((row["wrong file name %"], row["wrong file name evidence"]), ("0", "final.py"), "a wrong name")
        require("(invalid)" in rows["0856016"]["runtime error evidence"], "no invalid move: %s", rows["0856016"])
        require("(late)" in rows["0856014"]["late move evidence"], "no late move: %s", rows["0856014"])
        equal(rows["0856014"]["long report evidence"], "7 pages, at most 5 were asked for", "a long report")
        equal(rows["0856009"]["runtime error evidence"], "its source does not compile", "no program")
        with open(folder.file("report/report.json"), encoding="utf-8") as file:
            numbers = {team["team"]: team["id_team"] for team in json.load(file)["standings"] if team["id_team"] is not None}
        equal(numbers, {"6": -1, "7": 1, "17": -1}, "numbers in the report")
        moodle = _grades(folder, "--format", "moodle")
        equal(len(moodle), 22, "rows for Moodle")
        equal([row["Grade"] for row in moodle if row["Identifier"] == "Participant 1032"], ["0.00"],
              "the grade of who handed in nothing")


def a_class_of_meichu_students_is_played_and_graded():
    with Folder() as folder:
        rows, _ = _play_class(folder, "meichu", format="swiss", rounds=1, qualification="no", time_limit=5, startup_limit=10)
        equal(len(rows), 8, "students")
        for number in range(1, 8):
            equal(rows["0856%03d" % number]["team"], "0856%03d" % number, "the team of student %d" % number)
        equal(rows["0856006"]["late submission %"], "10", "lateness")
        equal(rows["0856008"]["score"], "0.00", "nothing was handed in")


main(globals())
