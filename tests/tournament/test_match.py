"""A match that other machines play is the match of one machine: its games, its table and its logs.

Needs nats-server and a plum that was built with libnats; else all is skipped.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys

from cluster_support import LEASE_S, free_port, need_nats, wait
from support import PATIENCE_S, Folder, Settings, equal, main, require

AGENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "match", "agents")


def _text(path):
    """The records without what may differ between two runs."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r'^\[(Date|Machine) ".*"\]\n', "", file.read(), flags=re.M)
    return re.sub(r" ?\{[^}]*\}", "", text)


def _table(out):
    """What is printed, without times."""
    return re.sub(r"( +[0-9]+\.[0-9]){3}  ", "  ", out)


def _alone(folder, words, record="alone.txt"):
    done = subprocess.run([Settings.plum, "match", *words, "--record", record], cwd=folder.path,
                          capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    equal(done.returncode, 0, "exit code of plum match: " + done.stderr)
    return done.stdout


class _Run:
    """A match with workers; all is killed at the end."""

    def __init__(self, folder, words, *more):
        self.folder = folder
        self.log = open(folder.file("log"), "w+b")
        self.out = open(folder.file("out"), "w+b")
        self.workers = []
        self.match = subprocess.Popen(
            [Settings.plum, "match", *words, "--record", "shared.txt", "--workers=127.0.0.1:%d" % free_port(),
             "--slowest", "0", "--lease", str(LEASE_S), *more],
            cwd=folder.path, stdin=subprocess.DEVNULL, stdout=self.out, stderr=self.log)
        wait("the worker file", lambda: "on each machine" in self.text("log") or self.match.poll() is not None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.workers + [self.match]:
            if process.poll() is None:
                process.kill()
                process.wait()
        self.log.close()
        self.out.close()

    def text(self, name):
        try:
            with open(self.folder.file(name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def worker(self):
        process = subprocess.Popen([Settings.plum, "worker", "match.worker", "--concurrency", "1"],
                                   cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.workers.append(process)
        return process

    def wait_for_records(self, count):
        wait("%d records" % count,
             lambda: self.text("shared.txt").count("[Game ") >= count or self.match.poll() is not None)

    def finish(self, code=0):
        equal(self.match.wait(PATIENCE_S), code, "exit code; " + self.text("log")[-2000:])
        return self.text("out")


def workers_play_the_match_of_one_machine_although_one_is_killed():
    words = ["reversi", "--black", "builtin:nodes=300,hash=1", "--white", "random:seed=3", "--games", "101",
             "--openings", "4"]
    with Folder() as folder:
        alone = _alone(folder, words)
        with _Run(folder, words) as run:
            first, second = run.worker(), run.worker()
            run.wait_for_records(4)
            first.kill()
            first.wait()
            require(run.match.poll() is None, "it was over before a worker was killed")
            out = run.finish()
            equal(second.wait(PATIENCE_S), 0, "exit code of a worker")
            require(_text(folder.file("shared.txt")) == _text(folder.file("alone.txt")), "the games are others")
            equal(_table(out), _table(alone), "the table")
            require("median ms" in out and "workers: results" in run.text("log"), "%s", run.text("log"))


def openings_of_a_file_and_places_that_stay_travel_with_the_job():
    with Folder() as folder:
        folder.write("openings.txt", "#......#/......../...X..../......../......../......../......../#......# w\n"
                                     "#......#/......../..X...../......../......../......../......../#......# w\n")
        words = ["reversi", "--black", "random", "--white", "random:seed=3", "--games", "5", "--no-swap",
                 "--openings", "openings.txt"]
        alone = _alone(folder, words)
        with _Run(folder, words) as run:
            run.worker()
            equal(_table(run.finish()), _table(alone), "the table")
            require(_text(folder.file("shared.txt")) == _text(folder.file("alone.txt")), "the games are others")


def programs_travel_and_their_faults_and_output_come_back():
    with Folder() as folder:
        os.mkdir(folder.file("agent"))
        shutil.copy(os.path.join(AGENTS, "ugi_agent.py"), folder.file("agent"))
        shutil.copy(os.path.join(AGENTS, "boards.py"), folder.file("agent"))
        folder.write("agent/crash.sh", "#!/bin/sh\necho no licence >&2\nexit 7\n")
        os.chmod(folder.file("agent/crash.sh"), 0o755)
        words = ["hop", "--black", "ugi:./agent/crash.sh", "--white", "random", "--games", "2", "--logs", "logs"]
        alone = _alone(folder, words)
        logs = folder.file("logs/player-1.log")
        with open(logs, encoding="utf-8") as file:
            own = file.read()
        with _Run(folder, words) as run:
            run.worker()
            equal(_table(run.finish()), _table(alone), "what is printed")
            with open(logs, encoding="utf-8") as file:
                equal(sorted(file.read().split()), sorted(own.split()), "the log of the program")


def a_test_ends_the_match_and_json_is_the_same():
    words = ["reversi", "--black", "builtin:depth=3", "--white", "random", "--games", "400", "--sprt", "0,200", "--json"]
    with Folder() as folder:
        alone = json.loads(_alone(folder, words))
        with _Run(folder, words) as run:
            run.worker()
            shared = json.loads(run.finish())
        equal(shared["sprt"], "H1", "the decision")
        for report in (alone, shared):
            for player in report["players"]:
                require(player.pop("time_ms")["max"] >= 0, "no times")
            report["records"] = len(report["records"])
        equal(shared, alone, "the report")


def ctrl_c_reports_what_was_played():
    words = ["reversi", "--black", "builtin:nodes=3000,hash=1", "--white", "random", "--games", "100000"]
    with Folder() as folder, _Run(folder, words) as run:
        worker = run.worker()
        run.wait_for_records(4)
        run.match.send_signal(signal.SIGINT)
        out = run.finish(130)
        require(re.match(r"reversi, \d+ games\n", out), "%s", out)
        require(re.search(r"interrupted after \d+ of 100000 games", run.text("log")), "%s", run.text("log"))
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")


if __name__ == "__main__":
    need_nats(sys.argv[1])
    main(globals())
