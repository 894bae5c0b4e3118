"""harness: runs real matches with rude agents and checks what is left of them.

A test file defines functions, each a case whose name is a claim, and ends in `main(globals())`:

    def a_silent_agent_is_late_at_every_move(): ...

Cases run side by side, since most of them only wait; those decorated with @long only with --long.

usage: test_X.py PLUM [--long] [CASE...]
"""
import atexit
import concurrent.futures
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
IS_STRICT = os.environ.get("PLUM_TEST_SANDBOX") != "partial"  # own_port.sh sets it
AT_ONCE = 6 if IS_STRICT else 1  # in a partial sandbox all programs share port 8888
PATIENCE_S = 100
tempfile.tempdir = "/tmp"  # every user can enter it, as the sandbox's user must

# Two moves a side, whatever they are: the counters stop the game.
HOP_SHORT = "X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 198 198"
HOP_START = "X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b %d %d"
# Six empty squares, three moves a side.
REVERSI_SHORT = "#OX.XOO#/XOOXOOO./.OXOOOOO/XOOOOOO./XOXOXOXX/.XOOXXO./XXXOXXXX/#XOOOOO# b"


class Settings:
    """What the command line says; the same for all cases."""
    plum = ""
    long = False
    is_root = os.geteuid() == 0


@functools.lru_cache(None)
def open_copy():
    """A folder with plum and the agents that every user can enter; removed at the end."""
    folder = tempfile.mkdtemp(prefix="match-test-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    shutil.copy(Settings.plum, os.path.join(folder, "plum"))
    for script in os.listdir(os.path.join(HERE, "agents")):  # programs of one folder see only their own files
        shutil.copytree(os.path.join(HERE, "agents"), os.path.join(folder, "agents", script))
    subprocess.run(["chmod", "-R", "go=u,go-w", folder], check=True)
    return folder


# An ordinary user of this test alone: another test that fills its limit of processes does not disturb this one.
USER = 20000 + os.getpid() % 10000


def as_user():
    """Options of play() by which an ordinary user runs it."""
    if not Settings.is_root:
        raise Skip("this is an ordinary user already")
    return {"wrapper": ["setpriv", "--reuid", str(USER), "--regid", str(USER), "--clear-groups"],
            "plum": os.path.join(open_copy(), "plum")}


@functools.lru_cache(None)
def own_network(is_last=False):
    """Options of play() by which port 8888 is free; is_last: and no more namespaces are."""
    wrapper = ["unshare", "-n" if Settings.is_root and not is_last else "-rn", PYTHON,
               os.path.join(os.path.dirname(HERE), "own_network.py")] + (["--last"] if is_last else [])
    if subprocess.run(wrapper + ["true"], check=False, capture_output=True).returncode:
        raise Skip("this machine has no %s namespaces" %
                   ("network" if Settings.is_root and not is_last else "user"))
    return {"wrapper": wrapper}


def container():
    """Options of play() for root without two privileges and without cgroups, as in most containers;
    port 8888 is free."""
    if not Settings.is_root:
        raise Skip("only root has privileges to lose")
    hide = ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /sys/fs/cgroup && exec "$@"', "sh"]
    if subprocess.run(hide + ["true"], check=False, capture_output=True).returncode:
        raise Skip("this machine has no mount namespaces")
    return {"wrapper": hide + own_network()["wrapper"] +
            ["setpriv", "--bounding-set", "-sys_admin,-sys_ptrace,-perfmon"]}


class Failure(Exception):
    pass


def require(condition, message, *values):
    if not condition:
        raise Failure(message % values if values else message)


def equal(got, wanted, what):
    require(got == wanted, "%s: %r instead of %r", what, got, wanted)


class Skip(Exception):
    pass


def require_strict():
    """At the beginning of a case that says what only a strict sandbox can keep."""
    if not IS_STRICT:
        raise Skip("the sandbox is only partial here: there are no namespaces")


def long(case):
    case.is_long = True
    return case


# --- Players ---

def agent(script, *words):
    """The command that runs one of our agents."""
    path = os.path.join(open_copy(), "agents", script, script)
    command = [PYTHON, "-S", "-E", path] if script.endswith(".py") else [path]
    return " ".join(shlex.quote(str(word)) for word in command + list(words))


def tcp(*words, team=7):
    return "tcp:%d:%s" % (team, agent("tcp_agent.py", "--team", team, *words))


def files(*words, team=7):
    return "file:%d:%s" % (team, agent("file_agent.py", *words))


def template(*words):
    return "template:%s" % agent("template_agent.py", *words)


def compiled(source, compiler):
    """The command of one of our agents that has to be built first."""
    folder = os.path.join(open_copy(), "agents", source)
    program = os.path.join(folder, "%s-%s" % (source, compiler))
    if not os.path.exists(program):
        new = "%s-%s" % (program, uuid.uuid4().hex)  # cases run side by side
        subprocess.run([compiler, "-x", "c" if compiler == "gcc" else "c++",
                        os.path.join(folder, source), "-o", new], check=True)
        os.chmod(new, 0o755)
        os.rename(new, program)
    return shlex.quote(program)


def ugi(*words):
    return "ugi:%s" % agent("ugi_agent.py", *words)


def check_held_judge(rude, when):
    """An agent that stops the judge at its second move, and answers then or at the end of that time."""
    limit, held, fault = {"first": (1.5, 2, None), "last": (0.5, 1, "late")}[when]
    match = rude("hold-judge", when, held, sandbox="off", openings=REVERSI_SHORT, time_limit=limit, grace=0.2)
    equal(match.game.faults("b"), [None, fault, None], "faults in the record")


# --- Records ---

class Ply:
    def __init__(self, side, move, comment):
        self.side = side
        self.move = move
        self.facts = dict(word.split("=", 1) for word in comment.split() if "=" in word)
        self.fault = self.facts.get("fault")
        self.seconds = float(self.facts["t"]) if "t" in self.facts else None


class Game:
    """One record, taken apart."""

    def __init__(self, text):
        self.tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', text, re.M))
        self.result = self.tags.get("Result")
        self.reason = self.tags.get("Reason")
        self.plies = [Ply(*found) for found in
                      re.findall(r"^\d+\. ([bw]) (\S+)(?: \{(.*)\})?$", text, re.M)]
        closing = re.search(r"^\{([bw])(?: (.*))?\}$", text, re.M)
        self.closing = Ply(closing[1], None, closing[2] or "") if closing else None

    def of(self, side):
        return [ply for ply in self.plies if ply.side == side]

    def faults(self, side):
        return [ply.fault for ply in self.of(side)]


def split_records(text):
    return [Game(part) for part in re.split(r"(?m)^(?=\[Game )", text) if part.strip()]


def without_changing_parts(text):
    """What two runs of one seed have in common."""
    return re.sub(r"(?m)^\[(Date|Sandbox) .*\n", "", re.sub(r"\{.*?\}", "{}", text))


# --- Matches ---

class Match:
    def __init__(self, code, out, err, records, seconds):
        self.code, self.out, self.err, self.records = code, out, err, records
        self.seconds = seconds
        self.games = split_records(records)
        self.report = json.loads(out) if out.startswith("{") else None

    @property
    def game(self):
        equal(len(self.games), 1, "games in the record")
        return self.games[0]

    def faults(self, player):
        counts = self.report["players"][player]["faults"]
        return {kind: count for kind, count in counts.items() if count}


def marked_processes(mark):
    """Processes that have the mark in their environment or on their command line."""
    found = []
    for name in os.listdir("/proc"):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            with open("/proc/%s/environ" % name, "rb") as file:
                environment = file.read()
            with open("/proc/%s/cmdline" % name, "rb") as file:
                words = file.read()
        except OSError:
            continue
        if mark in environment or mark in words:
            found.append("%s (%s)" % (name, words.replace(b"\0", b" ").decode(errors="replace")))
    return found


def wait_until_gone(mark, limit_s):
    """What is still running after that time."""
    end = time.monotonic() + limit_s
    while True:
        left = marked_processes(mark)
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.05)


def temporary_folders(pid, earlier):
    """Those of a process, but for what another one with its number had left before."""
    return [name for name in os.listdir("/tmp")
            if name.startswith("plum-%d-" % pid) and name not in earlier]


class Running:
    """A match under way, in a folder of its own."""

    def __init__(self, words, wrapper=(), plum=None, **options):
        self.mark = ("plum-test-" + uuid.uuid4().hex).encode()
        self.earlier = set(os.listdir("/tmp"))
        self.folder = tempfile.mkdtemp(prefix="match-test-")
        self.record = os.path.join(self.folder, "record.txt")
        os.chmod(self.folder, 0o777)
        words = list(wrapper) + [plum or Settings.plum, "match"] + words
        if "--record" not in words:
            words += ["--record", self.record]
        # The sandbox passes LC_… on to the program: so whatever it starts bears the mark.
        self.environment = dict(os.environ, LC_PLUM_TEST=self.mark.decode())
        self.out = open(os.path.join(self.folder, "out"), "w+b")
        self.err = open(os.path.join(self.folder, "err"), "w+b")
        self.started = time.monotonic()
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=self.out,
                                        stderr=self.err, cwd=self.folder, env=self.environment,
                                        **options)

    def finish(self, limit_s=PATIENCE_S):
        try:
            code = self.process.wait(limit_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failure("the match did not end within %d s; stderr: %s" %
                          (limit_s, self.text(self.err)[-500:]))
        seconds = time.monotonic() - self.started
        left = wait_until_gone(self.mark, 20)
        records = ""
        if os.path.exists(self.record):
            with open(self.record, encoding="utf-8", errors="surrogateescape") as file:
                records = file.read()
        match = Match(code, self.text(self.out), self.text(self.err), records, seconds)
        require(not left, "left running: %s", left)
        equal(temporary_folders(self.process.pid, self.earlier), [], "folders left in /tmp")
        return match

    @staticmethod
    def text(file):
        file.seek(0)
        return file.read().decode(errors="replace")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.out.close()
        self.err.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def option_words(options):
    """time_limit=0.3 becomes --time-limit 0.3, swap=False --no-swap."""
    words = []
    for name, value in options.items():
        name = "--" + name.replace("_", "-")
        if value is True:
            words.append(name)
        elif value is not False:
            words += [name, str(value)]
    return words


def run(words, code=0, **options):
    """A match of any form; checks its exit code and that nothing is left of it."""
    running = Running(words, **options)
    try:
        match = running.finish()
    finally:
        running.close()
    equal(match.code, code, "exit code; stderr: %s" % match.err[-500:])
    return match


def check_replay(records):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", errors="surrogateescape") as file:
        file.write(records)
        file.flush()
        replay = subprocess.run([Settings.plum, "replay", file.name], capture_output=True,
                                text=True, check=False)
    require(replay.returncode == 0, "the record does not replay: %s%s\n%s", replay.stderr,
            replay.stdout, records)


def play(game, black, white, openings=None, how=None, **options):
    """A match with --json whose records are checked. One game unless `games` says more."""
    words = [game, "--black", black, "--white", white, "--json"]
    options = {"games": 1, "no_swap": "games" not in options, "concurrency": 1, "seed": 1,
               **options}
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        os.chmod(file.name, 0o644)
        if openings:
            file.write(openings + "\n")
            file.flush()
            words += ["--openings", file.name]
        match = run(words + option_words(options), **(how or {}))
    equal("".join(match.report["records"]), match.records, "records in JSON and in the file")
    check_replay(match.records)
    return match


def play_logged(*words, **options):
    """play(), and what the first player's log says."""
    folder = tempfile.mkdtemp(prefix="match-test-")
    os.chmod(folder, 0o777)
    try:
        match = play(*words, logs=folder, **options)
        with open(os.path.join(folder, "player-1.log"), errors="replace") as file:
            return match, file.read()
    finally:
        shutil.rmtree(folder)


def check(match, result=None, reason=None, faults=None, other_faults=None):
    """The only game's verdict, the rude player's faults (it is player 0) and the other's."""
    if result:
        equal(match.game.result, result, "result")
    if reason:
        equal(match.game.reason, reason, "reason")
    if faults is not None:
        require(match.faults(0) == faults, "faults of the rude player: %r instead of %r in this match:\n%s%s",
                match.faults(0), faults, match.records, match.err)
    equal(match.faults(1), other_faults or {}, "faults of the other player")


# --- Running the cases ---

def run_case(case):
    started = time.monotonic()
    try:
        case()
        outcome, text = "passed", ""
    except Skip as skip:
        outcome, text = "skipped", str(skip)
    except Failure as failure:
        outcome, text = "FAILED", str(failure)
    except Exception:  # whatever it is, the other cases continue
        outcome, text = "FAILED", traceback.format_exc()
    return case.__name__, outcome, text, time.monotonic() - started


def tell(outcome_of_case, lock):
    name, outcome, text, seconds = outcome_of_case
    with lock:
        print("%-7s %5.1f s  %s%s" % (outcome, seconds, name, ": " + text if text else ""), flush=True)


def main(namespace, at_once=AT_ONCE):
    os.umask(0o022)  # root's agents run as another user and must be able to read their files
    words = sys.argv[1:]
    Settings.long = "--long" in words
    words = [word for word in words if word != "--long"]
    Settings.plum = os.path.abspath(words[0])
    cases = [value for name, value in namespace.items()
             if callable(value) and getattr(value, "__module__", "") == "__main__"
             and not name.startswith("_") and not isinstance(value, type)
             and (name in words[1:] if words[1:] else True)
             and (words[1:] or getattr(value, "is_long", False) == Settings.long)]
    open_copy()  # before there are threads: what one starts could keep a program open that another writes
    lock = threading.Lock()
    outcomes = []

    def run_and_tell(case):
        outcome = run_case(case)
        tell(outcome, lock)
        outcomes.append(outcome)

    with concurrent.futures.ThreadPoolExecutor(min(at_once, AT_ONCE)) as pool:
        list(pool.map(run_and_tell, cases))
    failed = sum(outcome[1] == "FAILED" for outcome in outcomes)
    print("%d of %d cases passed" % (len(outcomes) - failed, len(outcomes)))
    sys.exit(1 if failed or not outcomes else 0)


def family(*variants):
    """One case for each variant, named NAME_VARIANT."""
    def decorate(function):
        namespace = sys.modules["__main__"].__dict__
        for variant in variants:
            name = "%s_%s" % (function.__name__, variant.replace("-", "_"))
            case = functools.partial(function, variant)
            functools.update_wrapper(case, function)
            case.__name__ = name
            namespace[name] = case
        return None
    return decorate
