"""support: rosters, runs of plum and their tables, for the tournament tests.

A test file defines functions, each a case whose name is a claim, and ends in `main(globals())`.

usage: test_X.py PLUM [--long] [CASE...]
"""
import atexit
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

PATIENCE_S = 200
tempfile.tempdir = "/tmp"  # every user can enter it, as the sandbox's user must


class Settings:
    plum = ""
    long = False


class Failure(Exception):
    pass


class Skip(Exception):
    pass


class OnlyLong(Exception):
    """The case belongs to make test-long: nothing is missing here."""


def require(condition, message, *values):
    if not condition:
        raise Failure(message % values if values else message)


def equal(got, wanted, what):
    require(got == wanted, "%s: %r instead of %r", what, got, wanted)


def roster(game, players, **keys):
    """The text of a roster; `players` are specifications, or dictionaries of a team's keys."""
    lines = ["[tournament]", "game = %s" % game]
    lines += ["%s = %s" % item for item in keys.items()]
    for number, player in enumerate(players, 1):
        team = player if isinstance(player, dict) else {"player": player}
        lines += ["", "[team %s]" % team.get("id", number)]
        lines += ["%s = %s" % item for item in team.items() if item[0] != "id"]
    return "\n".join(lines) + "\n"


def randoms(count):
    return ["random:seed=%d" % seed for seed in range(1, count + 1)]


class Folder:
    """A scratch folder in which plum runs."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="tournament-test-")
        os.chmod(self.path, 0o755)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        with open(self.file(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def start(self, *words, **options):
        return subprocess.Popen([Settings.plum, "tournament", *words], cwd=self.path,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **options)

    def plum(self, *words, code=0, **options):
        """What it printed on standard output and standard error. The code None is any."""
        process = self.start(*words, **options)
        try:
            out, err = process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired as late:
            process.kill()
            raise Failure("plum tournament %s does not end" % " ".join(words)) from late
        require(code in (process.returncode, None), "plum tournament %s: exit code %d instead of %d: %s%s",
                " ".join(words), process.returncode, code, out[-2000:], err[-2000:])
        return out, err

    def json(self, *words):
        return json.loads(self.plum(*words, "--json")[0])

    def table(self, database):
        """All that must be equal whenever two tournaments are."""
        timing = ("thinking_ms", "slowest_ms", "started_ms", "ended_ms")
        games = self.json("games", database)
        for game in games:
            for key in timing:
                game.pop(key, None)
        return self.json("standings", database), self.json("crosstable", database), games


def _open_copy(plum):
    """A copy that every user can run; removed at the end."""
    folder = tempfile.mkdtemp(prefix="tournament-test-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.chmod(folder, 0o755)
    copy = shutil.copy(plum, os.path.join(folder, "plum"))
    os.chmod(copy, 0o755)
    return copy


def main(names):
    os.umask(0o022)  # root's agents run as another user and must be able to read their files
    Settings.plum = _open_copy(sys.argv[1])
    words = sys.argv[2:]
    Settings.long = "--long" in words
    wanted = [word for word in words if not word.startswith("--")]
    cases = [case for name, case in names.items()
             if callable(case) and getattr(case, "__module__", "") == "__main__"
             and not name.startswith("_") and (not wanted or name in wanted)]
    failed = 0
    for case in cases:
        started = time.monotonic()
        try:
            case()
            verdict = "ok"
        except Skip as skip:
            verdict = "skipped: %s" % skip
        except OnlyLong:
            verdict = "only with --long"
        except Failure as failure:
            verdict = "FAILED: %s" % failure
            failed += 1
        except Exception:  # pylint: disable=broad-except
            verdict = "FAILED:\n%s" % traceback.format_exc()
            failed += 1
        print("%-60s %5.1f s  %s" % (case.__name__, time.monotonic() - started, verdict),
              flush=True)
    sys.exit(1 if failed or not cases else 0)
