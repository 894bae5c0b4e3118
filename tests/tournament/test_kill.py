"""Whatever happens while a tournament runs, its final table is the same."""
import json
import random
import signal
import subprocess
import time

from support import PATIENCE_S, Folder, Settings, equal, main, randoms, require, roster

SLOW = "builtin:nodes=2000"


def _kills():
    return 50 if Settings.long else 5


def _played(folder, database):
    """How many games; None if there is no tournament yet."""
    status = subprocess.run([Settings.plum, "tournament", "status", database, "--json"],
                            cwd=folder.path, check=False, capture_output=True)
    return json.loads(status.stdout)["played_games"] if status.returncode == 0 else None


def _next_words(folder, name):
    """A run that was killed before there was a tournament is begun again."""
    has_begun = _played(folder, name + ".db") is not None
    return ["resume", name + ".db"] if has_begun else ["run", name + ".ini"]


def _kill_until_done(folder, name, kills, concurrency, longest_s):
    """Runs NAME.ini, killed at random moments, until nothing is left to do. Returns how many
    games were played after each kill."""
    rng = random.Random(4711)
    stages = []
    for kill in range(kills):
        process = folder.start(*_next_words(folder, name), "--concurrency", str(concurrency))
        time.sleep(rng.uniform(0, longest_s))
        process.kill()
        _, err = process.communicate()
        require(process.returncode in (0, -signal.SIGKILL), "kill %d: exit code %d: %s", kill,
                process.returncode, err)
        stages.append(_played(folder, name + ".db") or 0)
    folder.plum(*_next_words(folder, name))
    return stages


def _compare_killed(text, concurrency):
    with Folder() as folder:
        folder.write("whole.ini", text)
        started = time.monotonic()
        folder.plum("run", "whole.ini")
        longest_s = 3 * (time.monotonic() - started) / _kills()
        whole = folder.table("whole.db")
    total = len(whole[2])
    for _ in range(10):
        with Folder() as folder:
            folder.write("killed.ini", text)
            stages = _kill_until_done(folder, "killed", _kills(), concurrency, longest_s)
            equal(stages, sorted(stages), "games that stay")
            equal(folder.table("killed.db"), whole, "the table")
            equal(folder.json("status", "killed.db")["state"], "finished", "the state")
        if any(0 < stage < total for stage in stages):
            return
        # Machines differ: it must be hit in the middle.
        longest_s *= 3 if max(stages) == 0 else 0.4
    require(False, "never in the middle: %r", stages)


def a_round_robin_survives_being_killed():
    _compare_killed(roster("hop", randoms(30), seed=3), 1)


def a_swiss_tournament_survives_being_killed():
    _compare_killed(roster("reversi", randoms(61), format="swiss", rounds=20, seed=5), 2)


def a_meichu_knockout_survives_being_killed():
    _compare_killed(roster("meichu", randoms(300), format="knockout", seed=8), 3)


def thinking_players_survive_being_killed():
    _compare_killed(roster("reversi", [SLOW, "builtin:nodes=500", "builtin:nodes=50", "random"],
                           seed=2), 2)


def the_table_is_the_same_at_any_concurrency():
    texts = {
        "robin": roster("hop-noloop", randoms(9), seed=1),
        "swiss": roster("meichu", randoms(13), format="swiss", seed=6),
        "knockout": roster("othello", randoms(11), format="knockout", seed=9),
        "gauntlet": roster("reversi", randoms(8), format="gauntlet", seed=4),
        "single": roster("reversi", randoms(9), format="swiss", games_per_pairing=1, rounds=6),
        "thinkers": roster("meichu", [SLOW, "builtin:nodes=300", "random", "random:seed=2"],
                           format="swiss", rounds=3),
    }
    for name, text in texts.items():
        tables = []
        for concurrency in (1, 2, 4):
            with Folder() as folder:
                folder.write("t.ini", text)
                folder.plum("run", "t.ini", "--concurrency", str(concurrency))
                tables.append(folder.table("t.db"))
        equal(tables[1], tables[0], "%s with two games at once" % name)
        equal(tables[2], tables[0], "%s with four games at once" % name)


def another_seed_gives_another_table():
    tables = []
    for seed in (1, 2):
        with Folder() as folder:
            folder.write("t.ini", roster("hop", randoms(6), seed=seed))
            folder.plum("run", "t.ini")
            tables.append(folder.table("t.db"))
    require(tables[0] != tables[1], "both seeds give the same games")


def ctrl_c_keeps_the_finished_games_and_prints_how_to_continue():
    for number, serving in ((signal.SIGINT, []), (signal.SIGTERM, ["--serve=0"])):
        with Folder() as folder:
            text = roster("reversi", [SLOW] * 6, seed=1)
            folder.write("t.ini", text)
            process = folder.start("run", "t.ini", "--concurrency", "1", *serving)
            while not _played(folder, "t.db"):
                require(process.poll() is None, "it has ended")
                time.sleep(0.02)
            process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE_S)
            equal(process.returncode, 130, "exit code")
            way_on = " ".join(["plum tournament resume t.db", *serving])
            require(err.endswith(way_on + "\n"), "no command to go on: %s", err)
            played = folder.json("status", "t.db")["played_games"]
            require(0 < played < 30, "%d of 30 games were played", played)
            folder.plum("resume", "t.db")
            folder.write("whole.ini", text)
            folder.plum("run", "whole.ini")
            equal(folder.table("t.db"), folder.table("whole.db"), "the table")


main(globals())
