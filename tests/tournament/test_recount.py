"""recount: random tournaments of every format agree with a count that does not know plum's code.

usage: test_recount.py PLUM [--long] [CASE...]
"""
import json
import os
import random
import re
import signal
import time

import recount
from support import PATIENCE_S, Folder, Settings, equal, main, require, roster

# It answers every question with a move that is never valid.
INVALID = """#!/bin/sh
while read -r line; do
    case $line in
    ugi) echo ugiok ;;
    isready) echo readyok ;;
    go*) echo "bestmove 99" ;;
    quit) exit 0 ;;
    esac
done
"""
# The same, but it does not answer.
HELD = INVALID.replace("    go*) echo", "    go*) sleep 1000; echo")
FORMATS = ("double-round-robin", "swiss", "gauntlet", "knockout")


def _team(dice, number, kinds, leaves):
    kind = dice.choice(kinds)
    team = {"player": "random:seed=%d" % number}
    if kind == "absent":
        team["no_program"] = "nothing was submitted"
    elif kind == "invalid":
        team["player"] = "ugi:./invalid.sh"
    elif kind == "ends":
        team["player"] = "ugi:false"
    elif kind == "builtin":
        team["player"] = "builtin:depth=1"
    if leaves is not None:
        team["withdrawn_after"] = leaves
    if dice.random() < 0.2:
        team["days_late"] = dice.randint(1, 3)
    if dice.random() < 0.2:
        team["wrong_name"] = "yes"
    return team


def _draw(seed, kinds):
    """A roster. In a round robin and a gauntlet at most one team leaves: the records do not show who else was meant
    to play a game that two absent teams cancelled."""
    dice = random.Random(seed)
    form = FORMATS[seed % len(FORMATS)]
    late = dice.choice((0, 1, 2)) if form != "knockout" else 0
    count = dice.randint(2 + late, 8)
    games = 2 if form == "double-round-robin" else dice.choice((1, 1, 2, 3))
    leaving = {}
    if dice.random() < 0.5 and form == "swiss":
        leaving = {team: dice.randint(0, 3) for team in dice.sample(range(count), min(2, count - 1))}
    elif dice.random() < 0.5 and form == "double-round-robin":
        leaving = {dice.randrange(count): dice.randint(0, 3)}
    game = dice.choice(("hop", "reversi", "othello", "meichu"))
    if game == "meichu":  # where it would be waited for a bid of that program
        kinds = [kind for kind in kinds if kind != "invalid"]
    teams = [_team(dice, number, kinds, leaving.get(number)) for number in range(count)]
    for team in teams[count - late:]:
        team["entered_after"] = dice.randint(0, 2)
    text = roster(game, teams, format=form, games_per_pairing=games, seed=seed, **_draw_rules(random.Random(-seed - 1)))
    references = dice.sample(("builtin:depth=1", "random:seed=77"), dice.randint(0, 2))
    lines = "".join("reference = %s\n" % reference for reference in references)
    return text.replace("[tournament]\n", "[tournament]\n" + lines)


def _draw_rules(dice):
    """Points and tie-breaks of its own for two of three, a qualification for as many."""
    rules = {}
    if dice.random() < 0.5:
        rules["points"] = dice.choice(("3 1 0", "1 0 0", "5 2 1", "10 10 9"))
        if dice.random() < 0.5:
            rules["bye_points"] = dice.choice((0, 1))
    if dice.random() < 0.5:
        names = ["wins", "differential", "buchholz", "sonneborn-berger", "direct"]
        rules["tiebreaks"] = ", ".join(dice.sample(names, dice.randint(1, 5)))
    rules["qualification"] = dice.choice(("yes", "yes", "no"))
    return rules


def _check(seed, kinds):
    with Folder() as folder:
        folder.write("invalid.sh", INVALID)
        os.chmod(folder.file("invalid.sh"), 0o755)
        text = _draw(seed, kinds)
        folder.write("t.ini", text)
        folder.plum("run", "t.ini")
        _compare(folder, text, seed)


def _compare(folder, text, seed):
    """What plum has of t.db with the count from the roster and the records."""
    rules = recount.Roster(text)
    games, reference_games, trials = recount.read_export(folder.plum("export", "t.db")[0], rules)
    rows = folder.json("standings", "t.db")
    standings = rows[:rules.count]
    number_of = {name: number for number, name in enumerate(rules.ids + rules.references)}
    lots = [0] * rules.count
    for row in standings:
        lots[number_of[row["team"]]] = row["figures"]["lot"]
    equal(sorted(lots), list(range(1, rules.count + 1)), "the lots")
    try:
        rules.enter(trials)
        recount.check_pairings(rules, games, lots)
        recount.check_references(rules, games, reference_games)
    except AssertionError as error:
        require(False, "seed %d: %s\n%s", seed, error, text)
    _check_rules(folder, rules, text)
    order, figures = recount.final_ranking(rules, games, lots)
    equal([row["team"] for row in standings], [rules.ids[team] for team in order], "seed %d: the order" % seed)
    for row in standings:
        own = figures[number_of[row["team"]]]
        what = "seed %d: team %s" % (seed, row["team"])
        equal(row["figures"], {name: own[name] for name in recount.FIGURES}, what)
        equal({name: row[name] for name in own["row"]}, own["row"], what)
        equal(row["qualified"], recount.qualifies(rules, games + trials, number_of[row["team"]]),
              "seed %d: qualified %s" % (seed, row["team"]))
    equal([row["team"] for row in rows[rules.count:]], rules.references, "seed %d: references" % seed)
    for row in rows[rules.count:]:
        own = recount.reference_row(reference_games, number_of[row["team"]])
        equal({name: row[name] for name in own}, own, "seed %d: %s" % (seed, row["team"]))
        equal((row["place"], row["figures"], row["reference"]), (None, None, True), "seed %d: %s" % (seed, row["team"]))
    _check_ratings(folder, seed, rules, games + reference_games, order)
    folder.plum("grade", "t.db", "-o", "g.csv", "--analyze", "0")
    with open(folder.file("g.json"), encoding="utf-8") as file:
        sheet = json.load(file)["grades"]
    scores = recount.grades(rules, games, trials, order)
    for grade in sheet:
        wanted = scores[number_of[grade["team"]]]
        require(abs(grade["score"] - wanted) < 0.06, "seed %d: team %s has %s, not %s", seed, grade["team"],
                grade["score"], wanted)


def _check_rules(folder, rules, text):
    """Status names the points and tie-breaks that the roster has; without any it says nothing."""
    head = folder.json("status", "t.db")
    usual = recount.Roster(re.sub("tiebreaks = .*", "", text)).tiebreaks
    are_own = (rules.win, rules.draw, rules.loss, rules.bye) != (2, 1, 0, 2) or rules.tiebreaks != usual
    wanted = {"win": rules.win, "draw": rules.draw, "loss": rules.loss, "bye": rules.bye}
    equal(head.get("points"), wanted if are_own else None, "points of " + text)
    equal(head.get("tiebreaks"), rules.tiebreaks if are_own else None, "tie-breaks of " + text)


def _check_ratings(folder, seed, rules, games, order):
    folder.plum("report", "t.db", "-o", "report")
    with open(folder.file("report/report.json"), encoding="utf-8") as file:
        rows = json.load(file)["standings"]
    wanted, stronger = recount.ratings(rules, games)
    rated = [team for team in order if wanted[team]]
    for row, team in zip(rows, order + list(range(rules.count, len(wanted))), strict=True):
        if not wanted[team]:
            equal(row["rating"], None, "seed %d: rating of %s" % (seed, row["team"]))
            continue
        for name, value in zip(("elo", "error"), wanted[team]):
            require(abs(row["rating"][name] - value) <= 0.51, "seed %d: %s of %s is %s, not %s", seed, name,
                    row["team"], row["rating"][name], value)
        below = rated[rated.index(team) + 1:] if team < rules.count else []
        share = row["rating"]["stronger_than_next"]
        require(share is None if not below else abs(share - stronger(team, below[0])) < 0.001,
                "seed %d: %s is stronger than the next by %s", seed, row["team"], share)


def a_team_that_enters_between_two_swiss_rounds_agrees_with_the_recount():
    with Folder() as folder:
        folder.write("held.sh", HELD)
        os.chmod(folder.file("held.sh"), 0o755)
        text = roster("reversi", ["ugi:./held.sh"] + ["random:seed=%d" % seed for seed in range(4)], format="swiss",
                      games_per_pairing=1, time_limit=1000, qualification="no")
        folder.write("t.ini", text)
        process = folder.start("run", "t.ini")
        deadline = time.monotonic() + PATIENCE_S
        while not os.path.exists(folder.file("t.db")) or not folder.json("games", "t.db"):
            require(time.monotonic() < deadline and process.poll() is None, "the first round is not paired")
            time.sleep(0.1)
        _, error = folder.plum("enter", "t.db", "9", "--reason", "late", code=3)
        require("another plum runs" in error, "while it runs: %s", error)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        text += "\n[team 9]\nplayer = random:seed=9\n"
        folder.write("t.ini", text)
        out, _ = folder.plum("enter", "t.db", "9", "--reason", "late")
        found = re.match(r"team 9 takes part from round ([2-5]) on; ", out)  # the held team may have a bye first
        require(found, "enter prints %s", out)
        folder.write("held.sh", INVALID)
        folder.plum("resume", "t.db")
        _compare(folder, text + "entered_after = %d\n" % (int(found.group(1)) - 1), 1)


def every_format_agrees_with_the_recount():
    for seed in range(len(FORMATS)):
        _check(seed, ("random", "random", "absent"))


def tournaments_with_faults_agree_with_the_recount():
    """Two formats here, many seeds with --long."""
    for seed in range(8, 400 if Settings.long else 10):
        _check(seed, ("random", "random", "builtin", "invalid", "ends", "absent"))


if __name__ == "__main__":
    main(globals())
