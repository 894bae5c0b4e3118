"""Too few descriptors, processes, memory or disk: no team pays for it, and the sandbox stays."""
import concurrent.futures
import functools
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile

from support import PATIENCE_S, Folder, Settings, Skip, equal, main, require, roster

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
AGENTS = os.path.join(TESTS, "match", "agents")
OWN_NETWORK = os.path.join(TESTS, "own_network.py")
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
USER = 4243  # this one and those that follow run nothing but us
AT_ONCE = 4 if os.environ.get("PLUM_TEST_SANDBOX") != "partial" else 1  # there all programs share port 8888
REASONS = ("Too many open files", "Resource temporarily unavailable", "Cannot allocate memory",
           "No space left", "emory", "thread")


def _agent(kind, script, *words):
    command = [PYTHON, "-S", "-E", "agents/%s/%s" % (script, script), *words, "good"]
    return kind + " ".join(shlex.quote(word) for word in command)


TEAMS = [_agent("tcp:7:", "tcp_agent.py", "--team", "7"), _agent("file:7:", "file_agent.py"),
         _agent("ugi:", "ugi_agent.py")]
TEXT = roster("reversi", TEAMS, seed=3, startup_limit=30, time_limit=30)


def _fill(folder, text=TEXT, user=None):
    for script in ("tcp_agent.py", "file_agent.py", "ugi_agent.py"):
        shutil.copytree(AGENTS, folder.file("agents/" + script))
    # Not a copy: while one thread writes a program, what another thread starts keeps the file open for a moment.
    os.symlink(Settings.plum, folder.file("plum"))
    folder.write("t.ini", text)
    subprocess.run(["chmod", "-R", "go=u,go-w", folder.path], check=True)
    if user:
        subprocess.run(["chown", "-R", str(user), folder.path], check=True)


def _command(program, *words, user=None, limit=None):
    """The limit is a resource as prlimit names it, and its value."""
    command = ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"] if user else []
    if limit:
        command += ["prlimit", "--%s=%d:%d" % (limit[0], limit[1], limit[1])]
    return [*command, program, *words]


def _run(folder, *words, user=None, limit=None, variables=None):
    env = {**os.environ, **(variables or {})}
    if user:  # a leak checker needs a process of its own
        env["ASAN_OPTIONS"] = env.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    return subprocess.run(_command(folder.file("plum"), "tournament", *words, user=user, limit=limit), cwd=folder.path,
                          check=False, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=PATIENCE_S)


def _rows(folder, sql):
    base = sqlite3.connect(folder.file("t.db"))
    rows = base.execute(sql).fetchall()
    base.close()
    return rows


def _sandboxes(folder):
    return {line for text, in _rows(folder, "SELECT text FROM record")
            for line in text.splitlines() if line.startswith("[Sandbox ")}


@functools.lru_cache(None)
def _undisturbed(user=None):
    """(The level of its sandbox, its standings)"""
    with Folder() as folder:
        _fill(folder, user=user)
        run = _run(folder, "run", "t.ini", "--concurrency", "2", user=user)
        equal(run.returncode, 0, "exit code: " + run.stderr)
        equal(_rows(folder, "SELECT * FROM fault"), [], "faults of good agents")
        return _sandboxes(folder), run.stdout


def _squeeze_once(kind, value, user, whole):
    """Runs with the limit, resumes without; (whether it was stopped, whether games were played again)"""
    sandbox, standings = whole
    with Folder() as folder:
        _fill(folder, user=user)
        run = _run(folder, "run", "t.ini", "--concurrency", "2", user=user, limit=(kind, value))
        require(run.returncode in (0, 3), "%d: exit code %d: %s", value, run.returncode, run.stderr)
        if run.returncode == 3:
            last = run.stderr.splitlines()[-1]
            require(any(reason.lower() in last.lower() for reason in REASONS), "%d: unclear: %s", value, last)
            begun = os.path.exists(folder.file("t.db"))
            rest = _run(folder, *(["resume", "t.db"] if begun else ["run", "t.ini"]), user=user)
            equal(rest.returncode, 0, "%d: exit code of the rest: %s" % (value, rest.stderr))
        equal(_rows(folder, "SELECT game, kind, why FROM fault"), [], "faults with the limit %d" % value)
        equal(_sandboxes(folder), sandbox, "the sandbox with the limit %d" % value)
        equal(_rows(folder, "SELECT count(*) FROM game"), [(6,)], "games")
        equal(folder.plum("standings", "t.db")[0], standings, "the standings with the limit %d" % value)
        entries = _rows(folder, "SELECT game, reason FROM audit WHERE what = 'played again'")
        require(run.returncode == 3 or bool(entries) == ("is played again" in run.stderr),
                "%d: the audit log has %s after: %s", value, entries, run.stderr)
        return run.returncode == 3, "is played again" in run.stderr


def _squeeze(kind, values, user=None):
    """Each limit with a user of its own, if there is one: the kernel counts processes by user.
    (How many were stopped, how many played games again)"""
    whole = _undisturbed(user)
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        runs = [pool.submit(_squeeze_once, kind, value, user and user + number, whole)
                for number, value in enumerate(values)]
        results = [run.result() for run in runs]
    return sum(stopped for stopped, _ in results), sum(repeated for _, repeated in results)


def no_team_pays_for_a_lack_of_descriptors():
    stopped, repeated = _squeeze("nofile", (6, 8, 12, 16, 26, 34, 40, 46, 64))
    require(stopped >= 4, "only %d runs were stopped", stopped)
    require(repeated >= 2, "only %d runs have played a game again", repeated)


# Fails a number of calls from the one on that FIRST names, as if the whole machine had no descriptor left.
SHIM = """#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
enum { CALLS = 40 };
static atomic_int calls;
static int first;
__attribute__((constructor)) static void start(void)
{
    first = atoi(getenv("FIRST"));
    unsetenv("LD_PRELOAD");
}
static int is_refused(void)
{
    int number = atomic_fetch_add(&calls, 1);
    errno = ENFILE;
    return number >= first && number < first + CALLS;
}
int pipe2(int ends[2], int flags) { return is_refused() ? -1 : (int)syscall(SYS_pipe2, ends, flags); }
int socket(int a, int b, int c) { return is_refused() ? -1 : (int)syscall(SYS_socket, a, b, c); }
int socketpair(int a, int b, int c, int ends[2])
{
    return is_refused() ? -1 : (int)syscall(SYS_socketpair, a, b, c, ends);
}
"""


def no_team_pays_for_a_machine_without_descriptors():
    sandbox, standings = _undisturbed()
    stopped = repeated = 0
    for first in (0, 30):
        with Folder() as folder:
            _fill(folder)
            folder.write("shim.c", SHIM)
            subprocess.run(["gcc", "-shared", "-fPIC", "-o", "shim.so", "shim.c"], cwd=folder.path, check=True)
            run = _run(folder, "run", "t.ini", "--concurrency", "2",
                       variables={"LD_PRELOAD": folder.file("shim.so"), "FIRST": str(first)})
            if "ASan runtime" in run.stderr:
                raise Skip("a sanitizer does not load after another library")
            require(run.returncode in (0, 3), "%d: exit code %d: %s", first, run.returncode, run.stderr)
            stopped += run.returncode == 3
            repeated += "is played again" in run.stderr
            if run.returncode == 3:
                require("Too many open files in system" in run.stderr, "%d: unclear: %s", first, run.stderr)
                begun = os.path.exists(folder.file("t.db"))
                rest = _run(folder, *(["resume", "t.db"] if begun else ["run", "t.ini"]))
                equal(rest.returncode, 0, "%d: exit code of the rest: %s" % (first, rest.stderr))
            equal(_rows(folder, "SELECT game, kind, why FROM fault"), [], "faults from call %d on" % first)
            equal(_sandboxes(folder), sandbox, "the sandbox from call %d on" % first)
            equal(folder.plum("standings", "t.db")[0], standings, "the standings from call %d on" % first)
    require(stopped + repeated >= 2, "%d runs were stopped, %d played a game again", stopped, repeated)


def no_team_pays_for_a_lack_of_processes():
    if os.getuid() != 0:
        raise Skip("only root can start a user that runs nothing else")
    stopped, repeated = _squeeze("nproc", (1, 2, 3, 5, 8, 10, 24), user=USER)
    require(stopped >= 3, "only %d runs were stopped", stopped)
    require(repeated >= 1, "only %d runs have played a game again", repeated)


def _loads(bytes_):
    return subprocess.run(_command(Settings.plum, "tournament", "--help", limit=("as", bytes_)), check=False,
                          capture_output=True).returncode == 0


def no_team_pays_for_a_lack_of_memory():
    least = next((size for size in range(8, 400, 2) if _loads(size << 20)), None)
    if not least:
        raise Skip("plum does not load with a limit on its addresses, as with a sanitizer")
    stopped, _ = _squeeze("as", [(least + more) << 20 for more in (2, 6, 10, 14, 60)])
    require(stopped >= 2, "only %d runs were stopped", stopped)


SOURCE = """#include <iostream>
#include <map>
#include <string>
int main() { std::map<std::string, int> m; std::cout << m["a"]; return 0; }
"""


def a_compiler_without_memory_is_not_a_source_that_does_not_compile():
    with Folder() as folder:
        _fill(folder, roster("reversi", [{"id": 1, "source": "a.cpp"}, "random"], startup_limit=5))
        folder.write("a.cpp", SOURCE)
        run = _run(folder, "run", "t.ini", limit=("as", 60 << 20))
        if "shared libraries" in run.stderr or "Sanitizer" in run.stderr:
            raise Skip("plum does not load with a limit on its addresses")
        equal(run.returncode, 3, "exit code: " + run.stderr)
        require("team 1" in run.stderr and "Cannot allocate memory" in run.stderr, "unclear: %s",
                run.stderr)
        equal(_run(folder, "run", "t.ini").returncode, 0, "exit code without a limit")


def a_source_cannot_pretend_that_the_machine_is_short():
    lies = {"b.c": "#error Cannot allocate memory\n",
            "c.cpp": '#pragma GCC error "No space left on device"\n',
            "d.c": '#line 1 "cc1"\n#pragma GCC error "out of memory allocating 9 bytes\\ncc1: Cannot allocate memory"\n'}
    with Folder() as folder:
        _fill(folder, roster("reversi", [{"id": number, "source": name} for number, name in enumerate(lies, 1)] + [{"id": 9, "player": "random"}]))
        for name, text in lies.items():
            folder.write(name, text)
        run = _run(folder, "run", "t.ini")
        equal(run.returncode, 0, "exit code: " + run.stderr)
        equal(_rows(folder, "SELECT count(*) FROM build WHERE is_built = 0"), [(3,)], "sources that do not compile")


def an_engine_without_memory_ends_the_run():
    with Folder() as folder:
        _fill(folder, roster("reversi", ["builtin:hash=1024,nodes=10", "random"], seed=3))
        run = _run(folder, "run", "t.ini", limit=("as", 600 << 20))
        if "shared libraries" in run.stderr or "Sanitizer" in run.stderr:
            raise Skip("plum does not load with a limit on its addresses")
        equal(run.returncode, 3, "exit code: " + run.stderr)
        require("memory" in run.stderr, "unclear: %s", run.stderr)
        equal(_rows(folder, "SELECT count(*) FROM game"), [(0,)], "games")


def no_team_pays_for_a_full_disk():
    """Without a sandbox the folders that programs exchange files in are on the machine's disk."""
    with Folder() as folder:
        shutil.rmtree(folder.path)
        folder.path = tempfile.mkdtemp(prefix="tournament-test-", dir="/var/tmp")
        os.chmod(folder.path, 0o755)
        _fill(folder, roster("reversi", TEAMS, seed=3, startup_limit=30, sandbox="off"))
        os.remove(folder.file("plum"))
        shutil.copy(Settings.plum, folder.file("plum"))  # /tmp will be another one
        script = ("mount -t tmpfs -o size=64k,mode=1777 tmpfs /tmp && echo mounted >mounted && "
                  "{ cat /dev/zero >/tmp/full 2>/dev/null; "
                  "mkdir $(seq -f /tmp/%g 2000) 2>/dev/null; "
                  "exec ./plum tournament run t.ini; }")
        run = subprocess.run(["unshare", "-rmn", sys.executable, "-B", OWN_NETWORK, "sh", "-c", script],
                             cwd=folder.path, check=False, capture_output=True, text=True, timeout=PATIENCE_S)
        if not os.path.exists(folder.file("mounted")):
            raise Skip("no file system can be mounted here: %s" % run.stderr.strip())
        equal(run.returncode, 3, "exit code: " + run.stderr)
        require("No space left" in run.stderr, "unclear: %s", run.stderr)
        equal(_rows(folder, "SELECT kind, why FROM fault"), [], "faults")


def a_match_ends_with_the_reason_and_names_the_program():
    """With ever more descriptors the sandbox cannot be looked at, then no player be made, then no program be started."""
    with Folder() as folder:
        _fill(folder)
        is_named = False
        for limit in (18, 20, 21, 22, 23, 24, 25, 26):
            words = _command(folder.file("plum"), "match", "reversi", "--black", TEAMS[0], "--white", TEAMS[2],
                             "--games", "2", limit=("nofile", limit))
            run = subprocess.run(words, cwd=folder.path, check=False, capture_output=True, text=True,
                                 timeout=PATIENCE_S)
            if run.returncode == 0 and limit > 18:
                break
            equal(run.returncode, 3, "exit code: " + run.stdout + run.stderr)
            require("Too many open files" in run.stderr, "unclear: %s", run.stderr)
            is_named |= "player 1: " in run.stderr or "player 2: " in run.stderr or "_agent.py" in run.stderr
            require(is_named or "what sandbox there is: " in run.stderr, "the program is not named: %s", run.stderr)
            require("crashed" not in run.stdout + run.stderr, "a player is charged: %s%s", run.stdout,
                    run.stderr)
        require(is_named, "no run has named the program")


main(globals())
