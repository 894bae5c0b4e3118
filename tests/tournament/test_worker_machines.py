"""What a tournament does with the machines of its workers: qualification, quarantine, speed, comparison, running games.

Needs nats-server and a plum that was built with libnats; else all is skipped.
"""
import os
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys

from cluster_support import Cluster, alone, class_text, compare, need_nats, outcome, wait
from support import PATIENCE_S, Folder, Settings, equal, main, randoms, require, roster


def _timeless(value):
    """JSON without times."""
    if isinstance(value, dict):
        return {key: _timeless(one) for key, one in value.items() if not key.endswith("_ms")}
    return [_timeless(one) for one in value] if isinstance(value, list) else value


def workers_play_the_qualification():
    text = class_text(6, format="swiss", rounds=2)
    with Folder() as folder:
        folder.write("class.ini", text)
        expected = folder.json("qualify", "class.ini")
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start("--json", what=["qualify", "class.ini"])
        worker = cluster.worker()
        cluster.finish()
        equal(_timeless(folder.json("qualify", "class.db")), _timeless(expected), "the qualification")
        require(cluster.counts()[0] > 0, "no result of a worker: %s", cluster.text())
        equal([machine["games"] for machine in _machines(folder).values()], [12], "games of the worker")
        require(worker.poll() is None, "the worker does not wait for the tournament")
        cluster.start()
        cluster.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        compare(folder, "class", whole)


def _machines(folder):
    return {one["machine"]: one for one in folder.json("status", "class.db")["machines"]}


def a_machine_in_quarantine_is_refused_and_its_games_are_played_elsewhere():
    text = class_text(6)
    whole = alone(text)
    games = len(whole[0][2])
    name = socket.gethostname()
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        cluster.worker()
        cluster.finish()
        machines = _machines(folder)
        require(machines[name]["games"] == games and None not in machines, "%r", machines)
        out, _ = folder.plum("status", "class.db")
        require(re.search(r"^%s +%d  0 " % (re.escape(name), games), out, re.M), "%s", out)
        _, err = folder.plum("quarantine", "class.db", "pc8", "--reason", "x", code=2)
        require("'pc8' has played" in err and name in err, "%s", err)
        folder.plum("quarantine", "class.db", name, "--undo", "--reason", "x", code=1)
        out, _ = folder.plum("quarantine", "class.db", name, "--reason", "too hot")
        require("%d of its games" % games in out, "%s", out)
        folder.plum("quarantine", "class.db", name, "--reason", "x", code=1)
        equal(_machines(folder)[name]["quarantine"], "too hot", "the reason")
        audit = [entry for entry in folder.json("status", "class.db")["audit"] if "too hot" in entry["reason"]]
        equal([(entry["what"], entry["game"], entry["reason"]) for entry in audit],
              [("quarantine", None, "%s, %d games set aside: too hot" % (name, games))], "the audit log")
        equal((_machines(folder)[name]["games"], _machines(folder)[name]["set_aside"]), (0, games), "its games")
        cluster.start()
        worker = cluster.worker()
        equal(worker.wait(PATIENCE_S), 1, "exit code of a worker in quarantine")
        require("is in quarantine: too hot" in cluster.text(), "%s", cluster.text())
        cluster.coordinator.send_signal(signal.SIGINT)
        cluster.finish(130)
        folder.plum("quarantine", "class.db", name, "--undo", "--reason", "repaired")
        cluster.start("--concurrency", "1")
        cluster.worker()
        cluster.finish()
        machines = _machines(folder)
        equal(machines[name]["games"] + machines.get(None, {"games": 0})["games"], games, "games that count")
        table, games = outcome(folder)
        equal(table[:2], whole[0][:2], "the table")
        equal(games, whole[1], "the records")


def a_machine_that_is_too_slow_is_refused():
    with Folder() as folder, Cluster(folder, class_text(6)) as cluster:
        cluster.start("--slowest", "100000%")
        worker = subprocess.run([Settings.plum, "worker", "class.worker"], cwd=folder.path, capture_output=True, text=True,
                                timeout=PATIENCE_S, check=False)
        equal(worker.returncode, 1, "exit code of a slow worker: " + worker.stderr)
        require("nodes a second" in worker.stderr, "%s", worker.stderr)
        wait("the reason", lambda: "is refused: this machine searches" in cluster.text())
        cluster.coordinator.send_signal(signal.SIGINT)
        cluster.finish(130)
        _, err = folder.plum("resume", "class.db", "--workers", "--slowest", "half", code=2)
        require("--slowest" in err, "%s", err)
        cluster.start("--slowest", "0")
        cluster.worker()
        cluster.finish()


def two_machines_agree_about_deterministic_pairings():
    text = class_text(6)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start("--verify", "100%")
        _start_both(cluster, lambda: cluster.worker("--name", "left"), lambda: cluster.worker("--name", "right"))
        cluster.finish()
        compare(folder, "class", whole)
        verified, differing, unverified = _verified(cluster)
        pairings = len(whole[0][2]) // 2
        require(verified > 0 and differing == 0 and verified + unverified == pairings, "%s", cluster.text())


def _start_both(cluster, *starts):
    """Starts two workers; the first does nothing until the second is known."""
    first = starts[0]()
    known = lambda count: cluster.text().count(" at once") >= count
    wait("a worker", lambda: known(1))
    first.send_signal(signal.SIGSTOP)
    starts[1]()
    wait("another one", lambda: known(2))
    first.send_signal(signal.SIGCONT)


def _verified(cluster):
    found = re.search(r"two machines played: alike (\d+), differently (\d+); without a second machine (\d+)",
                      cluster.text())
    require(found, "no summary: %s", cluster.text())
    return [int(number) for number in found.groups()]


def _wrong_numbers(folder):
    """The program, but its random numbers are others: a constant of the generator is changed."""
    with open(Settings.plum, "rb") as file:
        data = file.read()
    constant = struct.pack("<Q", 0xbf58476d1ce4e5b9)  # of hash_word, which makes the generator's state
    require(constant in data, "no such constant in the program")
    path = folder.file("wrong-plum")
    with open(path, "wb") as file:
        file.write(data.replace(constant, struct.pack("<Q", 0xbf58476d1ce4e5bb)))
    os.chmod(path, 0o755)
    return path


def a_machine_that_computes_wrongly_is_found():
    text = roster("reversi", randoms(8), seed=11)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start("--verify", "100")
        program = _wrong_numbers(folder)
        _start_both(cluster, lambda: cluster.worker("--name", "right"),
                    lambda: cluster.worker("--name", "wrong", program=program))
        cluster.finish()
        verified, differing, _ = _verified(cluster)
        require(differing > 0 and verified == 0, "%s", cluster.text())
        require(re.search("WARNING: the machines (right and wrong|wrong and right) played", cluster.text()),
                "%s", cluster.text())


def spectators_see_running_games_of_workers():
    text = roster("reversi", ["builtin:nodes=20000", "builtin:nodes=21000"], seed=3)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        cluster.worker()

        def shown():
            """A ply of a game that is not over, and of which the start is known."""
            base = sqlite3.connect("file:%s?mode=ro" % folder.file("class.db"), uri=True)
            try:
                return base.execute("SELECT count(*) FROM event AS ply JOIN event AS start USING (game)"
                                    " WHERE ply.kind = 'ply' AND start.kind = 'start' AND game NOT IN"
                                    " (SELECT game FROM game)").fetchone()[0]
            finally:
                base.close()

        wait("a ply", lambda: shown() or cluster.coordinator.poll() is not None)
        require(cluster.coordinator.poll() is None, "none was shown: %s", cluster.text())
        cluster.finish()
        equal(shown(), 0, "plies after the end")
        compare(folder, "class", whole)


if __name__ == "__main__":
    need_nats(sys.argv[1])
    main(globals())
