"""Each call of store, writer, record files and intake that may fail fails once: memory, disk, SQLite.

usage: test_fault.py PLUM_FAULT [SCENARIO...]

A scenario is a list of commands. It runs once to list the call sites that its faulty command reaches; then, for each
site in the folders of interest, in a fresh folder with that one call failing. The command must then end with exit code 0
(it lived without it), 3 (with a sentence), or as the scenario says; AddressSanitizer ends it with 1 for a leak or a bad access.
Afterwards, without a fault, the scenario must come to the same end as if nothing had happened.
"""
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

INTEREST = re.compile(r"/src/(store|course|base)/|/src/judge/record|/src/app/(tournament_source|selfplay)")

ROSTER = """[tournament]
name = faults
game = othello
games_per_pairing = 2
concurrency = 1
[team 1]
player = random:seed=1
[team 2]
player = random:seed=2
[team 3]
player = random:seed=3
"""
AGENT = "import STcpClient\nwhile True:\n    stop, ident, board, black = STcpClient.GetBoard()\n    if stop: break\n"


class Failure(Exception):
    pass


class Run:
    """Commands in a folder of their own."""

    def __init__(self, plum, site=None, listing=None):
        self.plum = plum
        self.folder = tempfile.mkdtemp(prefix="fault-test-")
        self.fault = {}
        if site:
            self.fault["PLUM_FAULT_SITE"] = site
        if listing:
            self.fault["PLUM_FAULT_LIST"] = listing
        os.mkdir(self.path("tmp"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def command(self, *words, faulty=False):
        environment = dict(os.environ, TMPDIR=self.path("tmp"), ASAN_OPTIONS="exitcode=99:detect_leaks=1")
        if faulty:
            environment.update(self.fault)
        return subprocess.run([self.plum, *words], cwd=self.folder, env=environment, capture_output=True, text=True,
                              errors="replace", timeout=300, check=False)

    def good(self, *words):
        done = self.command(*words)
        if done.returncode != 0:
            raise Failure("afterwards, plum %s: exit code %d: %s" % (" ".join(words), done.returncode, done.stderr[-600:]))
        return done.stdout

    def faulty(self, *words):
        """The command in which a call fails; whether it was done all the same."""
        done = self.command(*words, faulty=True)
        if done.returncode not in (0, 3):
            raise Failure("plum %s: exit code %d: %s" % (" ".join(words), done.returncode, done.stderr[-1500:]))
        if done.returncode == 3 and len(done.stderr.strip()) < 20:
            raise Failure("plum %s: no sentence: '%s'" % (" ".join(words), done.stderr))
        left = os.listdir(self.path("tmp"))
        if left:
            raise Failure("left in the temporary folder: %s" % left)
        return done.returncode == 0

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def standings(run):
    return run.good("tournament", "standings", "t.db", "--json") + run.good("tournament", "crosstable", "t.db")


def tournament_run(run):
    run.write("t.ini", ROSTER)
    if not run.faulty("tournament", "run", "t.ini"):
        saved = [name for name in os.listdir(run.folder) if name.startswith("t.db.saved")]
        if saved:
            raise Failure("the database was given up: %s" % saved)
        has_begun = os.path.exists(run.path("t.db"))
        run.good(*(["tournament", "resume", "t.db"] if has_begun else ["tournament", "run", "t.ini"]))
    return standings(run)


def decisions(run):
    """What a teaching assistant decides is done or not done, never half."""
    run.write("t.ini", ROSTER)
    run.good("tournament", "run", "t.ini")
    before = standings(run)
    if not run.faulty("tournament", "annul", "t.db", "2", "--reason", "power"):
        if standings(run) not in (before,):
            raise Failure("annul failed, and the table is another one")
        run.good("tournament", "annul", "t.db", "2", "--reason", "power")
    return standings(run)


def backup(run):
    run.write("t.ini", ROSTER)
    run.good("tournament", "run", "t.ini")
    if not run.faulty("tournament", "backup", "t.db", "-o", "copy.db"):
        names = sorted(name for name in os.listdir(run.folder) if "copy" in name or name.endswith(".tmp"))
        if names:
            raise Failure("left behind: %s" % names)
        run.good("tournament", "backup", "t.db", "-o", "copy.db")
    return run.good("tournament", "standings", "copy.db", "--json")


def export(run):
    run.write("t.ini", ROSTER)
    run.good("tournament", "run", "t.ini")
    if not run.faulty("tournament", "export", "t.db", "-o", "games.txt"):
        if os.path.exists(run.path("games.txt")):
            raise Failure("half an export is there")
        run.good("tournament", "export", "t.db", "-o", "games.txt")
    return re.sub(r"\{.*?\}|\[Date.*?\]", "", open(run.path("games.txt")).read())


def records(run):
    words = ["match", "othello", "--black", "random:seed=1", "--white", "random:seed=2", "--games", "4", "--seed", "7",
             "--record", "games.txt"]
    if not run.faulty(*words):
        if os.path.exists(run.path("games.txt")):
            if os.path.getsize(run.path("games.txt")):
                run.good("replay", "games.txt")  # what is there is whole
            os.remove(run.path("games.txt"))
        run.good(*words)
    run.good("replay", "games.txt")
    return re.sub(r"\{.*?\}|\[Date.*?\]", "", open(run.path("games.txt")).read())


def intake(run):
    for team in (1, 2):
        run.write("sub/Team_%d/Team_%d.py" % (team, team), AGENT)
        run.write("sub/Team_%d/STcpClient.py" % team, "idTeam = %d\n" % team)
    words = ["tournament", "init", "reversi", "sub", "-o", "class.ini"]
    if not run.faulty(*words):
        left = sorted(name for name in os.listdir(run.folder) if name not in ("sub", "tmp"))
        if left:
            raise Failure("left behind: %s" % left)
        run.good(*words)
    return open(run.path("class.ini")).read()


SCENARIOS = [tournament_run, decisions, backup, export, records, intake]


def attempt(plum, scenario, site=None, listing=None):
    run = Run(plum, site, listing)
    try:
        return scenario(run)
    finally:
        run.close()


def sites_of(plum, scenario):
    """The call sites in the folders of interest: id, function and place of each; and the result without a fault."""
    handle, listing = tempfile.mkstemp(prefix="fault-sites-")
    os.close(handle)
    try:
        wanted = attempt(plum, scenario, listing=listing)
        with open(listing) as file:
            lines = sorted({line.strip() for line in file})
    finally:
        os.remove(listing)
    base = 0x400000
    addresses = [hex(int(part, 16) + base - 1) for line in lines for part in line.split()[2:5]]
    done = subprocess.run(["addr2line", "-e", plum], input="\n".join(addresses), capture_output=True, text=True, check=True)
    places = done.stdout.split("\n")
    sites = []
    for number, line in enumerate(lines):
        ident, function = line.split()[:2]
        chain = places[3 * number:3 * number + 3]
        if any(INTEREST.search(os.path.normpath(place)) for place in chain[:2]):
            sites.append((ident, function, " < ".join(re.sub(r".*/src/", "", place) for place in chain)))
    return sites, wanted


def main():
    plum = os.path.abspath(sys.argv[1])
    only = sys.argv[2:]
    failures = 0
    tried = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for scenario in SCENARIOS:
            if only and scenario.__name__ not in only:
                continue
            sites, wanted = sites_of(plum, scenario)
            jobs = [(site, pool.submit(attempt, plum, scenario, site[0])) for site in sites]
            kinds = {}
            for (_, function, place), job in jobs:
                kinds[function] = kinds.get(function, 0) + 1
                try:
                    why = None if job.result() == wanted else "the result is another one"
                except (Failure, subprocess.TimeoutExpired) as failure:
                    why = str(failure)
                if why:
                    failures += 1
                    print("%s: %s at %s: %s\n" % (scenario.__name__, function, place, why))
            tried += len(sites)
            print("%s: each of %d call sites failed once: %s" % (
                scenario.__name__, len(sites), ", ".join("%s %d" % item for item in sorted(kinds.items()))))
            sys.stdout.flush()
    print("%d call sites tried, %d failures" % (tried, failures))
    return 1 if failures or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
