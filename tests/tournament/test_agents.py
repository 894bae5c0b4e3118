"""Tournaments among real programs in real sandboxes, broken ones among them."""
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import time

from support import Folder, Settings, Skip, equal, main, require, roster

IS_STRICT = os.environ.get("PLUM_TEST_SANDBOX") != "partial"  # own_port.sh sets it

AGENTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "match", "agents")
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable


def _agent(kind, script, *words):
    command = [PYTHON, "-S", "-E", "agents/%s/%s" % (script, script), *words]
    return kind + " ".join(shlex.quote(word) for word in command)


def _tcp(team, *words):
    return _agent("tcp:%d:" % team, "tcp_agent.py", "--team", str(team), *words)


def _template(*words):
    return _agent("template:", "template_agent.py", *words)


def _ugi(*words):
    return _agent("ugi:", "ugi_agent.py", *words)


def _kit(folder, game, language, team):
    """What a student starts from, as the `source` of a team."""
    name = "%s-%s" % (team, language)
    subprocess.run([Settings.plum, "new", game, language, name, "--team", str(team)],
                   cwd=folder.path, check=True, capture_output=True)
    found = [os.path.join(name, file) for file in sorted(os.listdir(folder.file(name)))
             if file.endswith((".c", ".cpp", ".py")) and not file.startswith(("STcp", "File", "practice"))]
    return {"id": team, "source": " ".join(found)}


def _copy_agents(folder):
    """A folder for each, because teams must not share one."""
    for script in ("tcp_agent.py", "template_agent.py", "ugi_agent.py", "file_agent.py"):
        shutil.copytree(AGENTS, folder.file("agents/" + script))


def _play(game, make_teams, **keys):
    """(qualified ids, games, the status, records, faults)"""
    with Folder() as folder:
        _copy_agents(folder)
        folder.write("broken.cpp", "int main() { return nothing; }\n")
        folder.write("t.ini", roster(game, make_teams(folder), startup_limit=30, **keys))
        subprocess.run(["chmod", "-R", "go=u,go-w", folder.path], check=True)
        folder.plum("check", "t.ini")
        folder.plum("run", "t.ini", "--concurrency", "2")
        games = folder.json("games", "t.db")
        require(all(one["status"] == "played" for one in games), "not all games were played")
        folder.plum("export", "t.db", "-o", "records.txt")
        subprocess.run([Settings.plum, "replay", "records.txt"], cwd=folder.path, check=True,
                       capture_output=True)
        standings = folder.json("standings", "t.db")
        equal([row["place"] for row in standings], list(range(1, len(standings) + 1)), "places")
        base = sqlite3.connect(folder.file("t.db"))
        records = [text for text, in base.execute("SELECT text FROM record")]
        faults = base.execute("SELECT kind, why, position FROM fault").fetchall()
        attempts = base.execute("SELECT team, kind, what FROM violation").fetchall()
        equal(attempts, [], "attempts of programs that only play, well or not")
        base.close()
        status = folder.plum("status", "t.db")[0]
        qualified = {row["team"] for row in standings if row["qualified"]}
        return qualified, games, status, records, faults


SPY = """import sys
import glob
for name in sorted(glob.glob("*") + ["neighbour.py", "neighbour.npz", "t.db", "t.db-wal", "t.ini", "book.txt"]):
    try:
        with open(name, "rb") as file:
            print("could read", name, file=sys.stderr)
    except OSError:
        pass
"""


def _read_by_spy(**keys):
    """The files that a program reads that shares its folder with another and with the tournament; and those that
    it tried to read and the sandbox has recorded."""
    with Folder() as folder:
        for name, text in (("spy.py", SPY), ("neighbour.py", "import time\n"), ("neighbour.npz", "x"),
                           ("spy.npz", "x"), ("book.txt", "x")):
            folder.write(name, text)
        folder.write("t.ini", roster("reversi", ["ugi:%s %s" % (PYTHON, name) for name in ("spy.py", "neighbour.py")],
                                     startup_limit=5, **keys))
        _, err = folder.plum("check", "t.ini")
        equal("team 1 and 1 other share the folder" in err, keys["sandbox"] != "off", "the remark: " + err)
        folder.plum("run", "t.ini")
        base = sqlite3.connect(folder.file("t.db"))
        logs = "".join(text for text, in base.execute("SELECT text FROM log"))
        attempts = base.execute("SELECT team, what FROM violation WHERE kind = 'read'").fetchall()
        base.close()
        return ({line.split()[-1] for line in logs.splitlines() if line.startswith("could read")},
                {(team, os.path.basename(what)) for team, what in attempts})


def neighbours_in_one_folder_read_neither_each_other_nor_the_tournament():
    everything, recorded = _read_by_spy(sandbox="off")
    equal(recorded, set(), "attempts without a sandbox")
    require(everything >= {"neighbour.py", "neighbour.npz", "t.db", "t.ini", "book.txt", "spy.npz"},
            "the attack does not work: %s", everything)
    read, recorded = _read_by_spy(sandbox="auto")
    equal(read, {"spy.py"}, "what a spy reads")
    require(recorded >= {(0, "neighbour.py"), (0, "t.db")}, "what is recorded: %s", recorded)
    equal({team for team, _ in recorded}, {0}, "teams with attempts")


def a_program_that_is_a_link_to_anothers_is_refused_before_the_first_game():
    with Folder() as folder:
        os.mkdir(folder.file("mine"))
        os.mkdir(folder.file("other"))
        folder.write("other/agent.py", "import time\n")
        os.symlink("../other/agent.py", folder.file("mine/agent.py"))
        for sandbox, code in (("auto", 2), ("off", 0)):
            folder.write("t.ini", roster("reversi", ["random", "ugi:%s mine/agent.py" % PYTHON],
                                         startup_limit=5, sandbox=sandbox))
            _, err = folder.plum("run", "t.ini", code=code)
            equal("team 2: " in err and "link out of the agent's folder" in err, code == 2, err)
            equal(os.path.exists(folder.file("t.db")), code == 0, "a database")


def reversi_continues_whatever_its_agents_do():
    def teams(folder):
        return [_kit(folder, "reversi", "cpp", 11), _kit(folder, "reversi", "python", 12),
                {"id": 13, "source": "broken.cpp"}, {"id": "crashes", "player": _tcp(21, "leave-at", "2")},
                {"id": "rude", "player": _tcp(22, "garbage")},
                {"id": "absent", "player": _tcp(23, "leave-at-once")},
                {"id": "wrong", "player": _tcp(24, "empty")}, {"id": "dice", "player": "random"}]
    qualified, games, status, _, faults = _play("reversi", teams, format="swiss", rounds=3, qualification="no",
                                                time_limit=20, seed=5)
    equal(qualified, {"11", "12", "dice"}, "who completed a game")
    equal(len(games), 24, "games")
    judged = [(game[side], moves) for game in games for side, moves in zip(("black", "white"), game["judge_moves"]) if moves]
    for team, moves in judged:
        require(moves["played"] < moves["of"] if team == "crashes" else moves["played"] == moves["of"] or team == "rude",
                "team %s: %s", team, moves)
    require({"crashes", "wrong"} <= {team for team, _ in judged}, "no moves of the judge: %s", judged)
    for team, never in (("wrong", True), ("13", True), ("crashes", False), ("dice", False)):
        equal("team %s never moved itself\n" % team in status, never, "whether %s never moved: %s" % (team, status))
    require("team 13 cannot play" in status, "no word of the broken source: %s", status)
    require(all(why and position for _, why, position in faults), "a fault without its evidence")
    kinds = {kind for kind, _, _ in faults}
    equal(kinds, {"crashed", "malformed", "invalid"}, "kinds of faults")


def hop_continues_whatever_its_agents_do():
    def teams(folder):
        return [_kit(folder, "hop", "c", 1), {"id": 2, "player": _tcp(2, "segfault")},
                {"id": 3, "player": _tcp(3, "leave-at-once")},
                {"id": 4, "player": "random"}]
    qualified, games, _, _, _ = _play("hop", teams, time_limit=20)
    equal(qualified, {"1", "4"}, "who completed a game")
    equal(len(games), 12, "games")


def meichu_continues_whatever_its_agents_do():
    def teams(folder):
        return [_kit(folder, "meichu", "python", "0716001"),
                {"id": "illegal", "player": _template("illegal")},
                {"id": "gone", "player": _template("leave")},
                {"id": "mute", "player": _ugi("no-bid", "meichu")},
                {"id": "same1", "player": _ugi("bid", "0", "5", "meichu")},
                {"id": "same2", "player": _ugi("bid", "0", "5", "meichu")}]
    qualified, games, _, records, _ = _play("meichu", teams, format="double-round-robin", time_limit=2,
                                         seed=3)
    equal(qualified, {"0716001", "same1", "same2"}, "who completed a game")
    equal(len(games), 30, "games")
    lots = [text for text in records if "same1" in text and "same2" in text]
    require(len(lots) == 2 and all(", tie " in text for text in lots), "no lots: %r", lots)


def output_of_programs_is_kept_and_shown_to_their_team():
    with Folder() as folder:
        _copy_agents(folder)
        folder.write("t.ini", roster("reversi", [
            {"id": 1, "player": _agent("file:7:", "file_agent.py", "prints")},
            {"id": 2, "player": _agent("file:7:", "file_agent.py", "tell-stop")},
            {"id": 3, "player": "random"}]))
        subprocess.run(["chmod", "-R", "go=u,go-w", folder.path], check=True)
        folder.plum("run", "t.ini", "--concurrency", "2")
        base = sqlite3.connect(folder.file("t.db"))
        logs = base.execute("SELECT team, text FROM log").fetchall()
        base.close()
        equal(len(logs), 4, "logs of two teams in two pairings each")
        printed = [text for _, text in logs if text.startswith("standard output:\nquestion 1\n")]
        equal(len(printed), 2, "logs of standard output")
        equal(sum(text.startswith("standard error:\nstopped\n") for _, text in logs), 2, "logs of standard error")
        folder.plum("grade", "t.db", "-o", "grades.csv")
        page = os.path.join(folder.file("grades.feedback"), "1.html")
        with open(page, encoding="utf-8") as file:
            text = file.read()
        require("What its programs wrote" in text and "question 1" in text, "not in %s", page)


def _play_attackers(attempts, make_teams, game="reversi"):
    """(games, rows of the table of violations, report.json, feedback by team)"""
    with Folder() as folder:
        _copy_agents(folder)
        folder.write("t.ini", roster(game, make_teams(folder), hostile_attempts=attempts, qualification="no",
                                     startup_limit=8, time_limit=5))
        subprocess.run(["chmod", "-R", "go=u,go-w", folder.path], check=True)
        out, err = folder.plum("run", "t.ini", "--concurrency", "2")
        if "attempts are not recorded" in err:
            raise Skip("this kernel does not notify: " + err)
        base = sqlite3.connect(folder.file("t.db"))
        rows = base.execute("SELECT team, kind, what, count, first_ms FROM violation").fetchall()
        base.close()
        status, _ = folder.plum("status", "t.db")
        for number in {row[0] for row in rows}:
            total = sum(row[3] for row in rows if row[0] == number)
            line = "team %d: the sandbox refused %d attempt%s, see the report\n" % (
                number + 1, total, "" if total == 1 else "s")
            require(line in out and line in status, "no line '%s' in:\n%s\n%s", line, out, status)
        folder.plum("report", "t.db", "-o", "r")
        folder.plum("grade", "t.db", "-o", "grades.csv")
        with open(folder.file("r/report.json"), encoding="utf-8") as file:
            report = json.load(file)
        pages = {}
        for name in os.listdir(folder.file("grades.feedback")):
            with open(os.path.join(folder.file("grades.feedback"), name), encoding="utf-8") as file:
                pages[name.split(".")[0]] = file.read()
        return folder.json("games", "t.db"), rows, report, pages


def attempts_are_recorded_and_cost_no_game():
    before_ms = time.time() * 1000
    games, rows, report, pages = _play_attackers("record", lambda folder: [
        {"id": 1, "player": _tcp(1, "harm", "secret", "/etc/shadow")},
        {"id": 2, "player": _ugi("harm", "outside", "/etc/passwd", "reversi")},
        {"id": 3, "player": "random"}])
    require(all(game["reason"] != "hostile" for game in games), "a game was lost: %r", games)
    found = {(team, kind, what) for team, kind, what, _, _ in rows}
    equal(found, {(0, "read", "read /etc/shadow"), (1, "write", "write /etc/passwd")}, "what is recorded")
    require(all(before_ms <= first_ms <= time.time() * 1000 for *_, first_ms in rows), "times: %r", rows)
    listed = [(row["team"], row["kind"], row["what"]) for row in report["violations"]]
    equal(listed, [("1", "read", "read /etc/shadow"), ("2", "write", "write /etc/passwd")], "in the report")
    equal([row["count"] for row in report["violations"]],
          [sum(count for team, _, _, count, _ in rows if team == number) for number in (0, 1)], "how often")
    require("read /etc/shadow" in pages["1"], "not in the feedback: %s", pages["1"])
    require("Refused attempts" not in pages["3"], "in the feedback of another team")


def an_attempt_loses_the_game_if_the_roster_demands_it():
    # An address costs no game: a client may name the author's machine.
    third = _agent("file:7:", "file_agent.py", "harm", *(("network", "1") if IS_STRICT else ("secret", "/etc/gshadow")))
    games, rows, _, pages = _play_attackers("lose", lambda folder: [
        {"id": 1, "player": _tcp(1, "harm", "secret", "/etc/shadow")},
        {"id": 2, "player": _ugi("harm", "outside", "/etc/passwd", "reversi")},
        {"id": 3, "player": third},
        {"id": 4, "player": "random"}])
    for game in games:
        names = (game["black"], game["white"])
        if IS_STRICT and "3" in names and "4" in names:
            require(game["reason"] != "hostile", "an address cost game %d", game["number"])
        elif "4" in names:
            won = "1-0" if game["black"] == "4" else "0-1"
            equal((game["result"], game["reason"]), (won, "hostile"), "game %d" % game["number"])
    equal({team for team, *_ in rows}, {0, 1, 2}, "teams with attempts")
    require("it tried to read /etc/shadow" in pages["1"], "not in the feedback: %s", pages["1"])


def an_attempt_loses_a_game_with_an_auction():
    games, rows, _, _ = _play_attackers("lose", lambda folder: [
        {"id": 1, "player": _template("harm", "secret", "/etc/shadow")},
        {"id": 2, "player": "random"}], game="meichu")
    equal({game["reason"] for game in games}, {"hostile"}, "reasons")
    equal({row[:3] for row in rows}, {(0, "read", "read /etc/shadow")}, "what is recorded")


def the_feedback_reports_how_often_an_agent_was_frozen():
    for ponder, frozen in (("no", 1), ("yes", 0)):
        with Folder() as folder:
            _copy_agents(folder)
            folder.write("t.ini", roster("reversi", [{"id": 1, "player": _ugi("ponder")},
                                                     {"id": 2, "player": _ugi("slow-at", "3", "3")}],
                                         time_limit=30, ponder=ponder))
            subprocess.run(["chmod", "-R", "go=u,go-w", folder.path], check=True)
            folder.plum("run", "t.ini", "--concurrency", "1")
            base = sqlite3.connect(folder.file("t.db"))
            logs = base.execute("SELECT team, text FROM log").fetchall()
            base.close()
            equal(sum(text.startswith("plum: frozen ") for _, text in logs), frozen, "logs of one that was frozen")
            folder.plum("grade", "t.db", "-o", "grades.csv")
            with open(os.path.join(folder.file("grades.feedback"), "1.html"), encoding="utf-8") as file:
                equal(file.read().count("it used processor time while it owed no answer"), frozen, "on its page")


main(globals())
