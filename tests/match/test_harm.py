"""Agents that attack: the machine, the judge, the opponent. Nothing may come of it."""
import socket

from harness import *

LATE = {"openings": REVERSI_SHORT, "time_limit": 3, "grace": 0.3}  # the attacker is, its opponent is not


def _attack(*words, how=None, other=None, **options):
    """The match and the attacker's log. The other player is an honest program."""
    other = other or tcp("good", team=8)
    return play_logged("reversi", tcp("harm", *words), other, how=how,
                       **{"openings": REVERSI_SHORT, "time_limit": 10, **options})


def _refused(log, count):
    require("harm:" in log, "nothing was tried: %s", log)
    require(": done" not in log and "harm: secret:" not in log, "done: %s", log)
    require(log.count("refused") >= count, "too little was tried: %s", log)


def _as(who):
    return as_user() if who == "user" else container() if who == "container" else {}


@family("self", "user")
def children_die_with_the_program(who):
    match, _ = _attack("children", how=_as(who))
    check(match, faults={})


def children_die_with_the_program_without_a_sandbox():
    match, _ = play_logged("reversi", files("harm", "children"), "random", sandbox="off",
                           openings=REVERSI_SHORT, time_limit=10)
    check(match, faults={})


@family("self", "user")
def a_fork_bomb_harms_no_other_process(who):
    match, _ = _attack("fork_bomb", how=_as(who), **LATE)
    require(match.faults(0).get("late"), "%s", match.faults(0))
    check(match)


@family("self", "user")
@long
def an_agent_that_fills_the_memory_is_stopped(who):
    match, _ = _attack("memory", how=_as(who), time_limit=60)
    check(match, faults={"crashed": 1})


@family("self", "user", "container")
def processes_share_one_memory_limit(who):
    """A cgroup's limit may kill one of them only."""
    match, log = _attack("memory_together", 8, 64, how=_as(who), memory="256M", time_limit=60)
    check(match, faults={"crashed": 1} if who != "self" else None)
    require(who == "self" or "more than 256 MiB of memory" in log, "log: %s", log)


@family("self", "user", "container")
def memory_that_processes_share_counts_once(who):
    match, log = _attack("memory_copied", 8, 64, how=_as(who), memory="256M", time_limit=60)
    require("memory: done" in log, "log: %s", log)
    check(match, faults={})


@family("self-anonymous", "user-anonymous", "self-/dev/zero", "user-/dev/zero")
def shared_memory_has_the_same_limit(variant):
    """It is limited by a cgroup, or refused."""
    who, kind = variant.split("-")
    match, log = _attack("memory_shared", 512, *([kind] if kind != "anonymous" else []),
                         how=_as(who), memory="256M", time_limit=60)
    require("memory: done" not in log, "done: %s", log)
    require("more than 256 MiB of memory" in log or "memory: refused" in log, "log: %s", log)
    check(match)


@family("self", "user", "container", "partial")
def the_kernels_quotas_are_not_used_up_for_others(who):
    """Black takes all inotify instances; White's program needs one, and so does the judge."""
    how = own_network(is_last=True) if who == "partial" else _as(who)
    match, log = play_logged("reversi", tcp("hoard"), files("watcher"), how=how,
                             openings=REVERSI_SHORT, time_limit=20, startup_limit=60)
    require("hoard: " in log, "log: %s", log)
    check(match, faults={})


@family("self", "user")
def the_disk_cannot_be_filled(who):
    match, log = _attack("disk", how=_as(who))
    if IS_STRICT:
        check(match, faults={})
        _refused(log, 4)
    else:  # on a disk of the machine it is stopped at the limit
        check(match, faults={"crashed": 1})


@family("self", "user")
def nothing_outside_can_be_written(who):
    folder = tempfile.mkdtemp(prefix="match-test-")
    os.chmod(folder, 0o777)
    here = os.path.join(open_copy(), "agents", "tcp_agent.py", "new")
    paths = [folder + "/x", here, "/etc/x", "/usr/x", "/x", "/proc/sys/kernel/hostname"]
    try:
        match, log = _attack("outside", *paths, how=_as(who))
        equal(os.listdir(folder), [], "files outside")
    finally:
        shutil.rmtree(folder)
    check(match, faults={})
    _refused(log, len(paths))
    require(not os.path.exists(here), "a file in the agent's folder")


@family("self", "user")
def a_secret_cannot_be_read(who):
    folder = tempfile.mkdtemp(prefix="match-test-")
    path = os.path.join(folder, "secret")
    try:
        with open(path, "w") as file:
            file.write("the password")
        os.chmod(path, 0o600)
        match, log = _attack("secret", path, how=_as(who))
        match, log2 = _attack("secret", "/etc/shadow", how=_as(who))
    finally:
        shutil.rmtree(folder)
    check(match, faults={})
    _refused(log, 1)
    _refused(log2, 1)
    recorded = "refused by the sandbox: it tried to read /etc/shadow; first at "
    require(recorded in log2, "not recorded: %s", log2)


@family("self", "user")
def the_network_cannot_be_reached(who):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.1)
        match, log = _attack("network", server.getsockname()[1], how=_as(who))
        try:
            server.accept()
            raise Failure("a program connected")
        except socket.timeout:
            pass
    check(match, faults={})
    _refused(log, 3)


@family("self-signals", "user-signals", "self-ptrace", "user-ptrace")
def no_other_process_can_be_touched(variant):
    who, attack = variant.split("-")
    victim = subprocess.Popen(["sleep", "1000"], user=USER if who == "user" and Settings.is_root else None)
    try:
        match, log = _attack(attack, victim.pid, how=_as(who))
        require(victim.poll() is None, "the victim is dead")
    finally:
        victim.kill()
        victim.wait()
    require("done" not in log, "done: %s", log)
    check(match)


@family("flood-forever", "flood-socket", "spin", "connect-forever")
def an_honest_program_is_not_disturbed_by(behaviour):
    """Four games at once, in each of which it meets such an opponent."""
    match = play("reversi", tcp(behaviour), tcp("good", team=8), games=4, no_swap=True,
                 concurrency=4, **LATE)
    check(match)


main(globals())
