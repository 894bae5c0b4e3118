"""What workers cost: time a pairing beside local slots, idle workers, and how soon the work goes on after a kill.

usage: workers.py BUILD_FOLDER [overhead|idle|recovery]...

Needs nats-server, and a plum that was built with libnats. Read ratios, not times: machines differ and are busy.
"""
import contextlib
import os
import sqlite3
import statistics
import struct
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "tournament"))
from cluster_support import (AGENT, Cluster, Nats, add_agent, coordinator_values, is_begun, key_of,  # noqa: E402
                             need_nats, slow_text, stop, wait)
from support import Folder, Settings, randoms, roster  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
SMALL, LARGE = 10, 40  # teams
MORE = 50  # games


def _processor_s(pid):
    """Of a process with all its threads; None: it has ended."""
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / TICKS
    except OSError:
        return None


def _watch(first, processes):
    """Processor seconds of each until the first ends."""
    spent = dict.fromkeys(processes, 0)
    while first.poll() is None:
        for name, pid in processes.items():
            spent[name] = _processor_s(pid) or spent[name]
        time.sleep(0.02)
    return spent


def _pairings(teams):
    return teams * (teams - 1) // 2


def _play(teams, has_worker):
    """(Seconds, processor seconds of each process)"""
    text = roster("reversi", randoms(teams), seed=5)
    with Folder() as folder, Cluster(folder, text) as cluster:
        if not has_worker:
            begun = time.monotonic()
            local = subprocess.Popen([Settings.plum, "tournament", "run", "class.ini", "--concurrency", "1"],
                                     cwd=folder.path, stdout=subprocess.DEVNULL)
            spent = _watch(local, {"judge": local.pid})
            return time.monotonic() - begun, spent
        cluster.start()
        begun = time.monotonic()
        worker = cluster.worker("--concurrency", "1")
        spent = _watch(cluster.coordinator, {"coordinator": cluster.coordinator.pid, "worker": worker.pid,
                                             "server": cluster.server_pid()})
        return time.monotonic() - begun, spent


def overhead():
    """The difference of a large and a small tournament: what starting costs does not count."""
    runs = {False: [], True: []}
    for _ in range(3):
        for has_worker in runs:
            small, small_spent = _play(SMALL, has_worker)
            large, large_spent = _play(LARGE, has_worker)
            count = _pairings(LARGE) - _pairings(SMALL)
            runs[has_worker].append(((large - small) * 1000 / count, {
                name: (large_spent[name] - small_spent[name]) * 1000 / count for name in large_spent}))
    for has_worker, name in ((False, "one local slot"), (True, "one worker")):
        times = [run[0] for run in runs[has_worker]]
        best = min(runs[has_worker], key=lambda run: run[0])
        print("milliseconds a pairing (two random games of reversi), %s: %s; processor: %s" % (
            name, " ".join("%.2f" % one for one in times),
            ", ".join("%s %.2f" % item for item in best[1].items())))
    print("overhead a pairing, milliseconds, of the best: %.2f (aim: below 3)" % (
        min(run[0] for run in runs[True]) - min(run[0] for run in runs[False])))


def _wait_for_workers(observer, count):
    """Until as many workers have greeted."""
    ids = set()

    def is_last(message):
        if message[0].endswith(".hello"):
            machine_bytes = struct.unpack_from("<I", message[2], 8)[0]
            ids.add(message[2][12 + machine_bytes:20 + machine_bytes])
        return len(ids) == count

    observer.wait_for(is_last)


def idle():
    """One pairing whose program sleeps for most of an hour, and 50 more workers."""
    text = roster("reversi", [AGENT.replace("good", "slow 50"), "random:seed=1"], seed=5, time_limit=60)
    with Folder() as folder, Cluster(folder, text) as cluster:
        add_agent(folder)
        folder.plum("worker-file", "class.ini", "--count", "51", "-o", "files", "--workers", cluster.address)
        cluster.start()
        with contextlib.closing(Nats(cluster.address, coordinator_values(cluster))) as observer:
            observer.subscribe("plum.*.*")
            observer.answer()
            cluster.worker("--concurrency", "1", file="files/class-51.worker")
            observer.wait_for(is_begun)
            workers = [cluster.worker("--concurrency", "1", file="files/class-%d.worker" % number)
                       for number in range(1, 51)]
            _wait_for_workers(observer, 51)
        time.sleep(10)
        names = {"workers": [worker.pid for worker in workers], "server": [cluster.server_pid()],
                 "coordinator": [cluster.coordinator.pid]}
        before = {name: sum(map(_processor_s, pids)) for name, pids in names.items()}
        time.sleep(60)
        print("50 idle workers, processor seconds a minute: %s" % ", ".join(
            "%s %.2f" % (name, sum(map(_processor_s, pids)) - before[name]) for name, pids in names.items()))


def _stored(folder):
    with contextlib.closing(sqlite3.connect("file:%s?mode=ro" % folder.file("class.db"), uri=True)) as base:
        return base.execute("SELECT count(*) FROM game").fetchone()[0]


def _until_more(cluster, action):
    """Seconds from an action until MORE games are stored: too many to have been on their way before it."""
    action()
    begun = time.monotonic()
    before = _stored(cluster.folder)
    wait("more games", lambda: _stored(cluster.folder) >= before + MORE)
    return time.monotonic() - begun


def _print_times(what, times):
    print("seconds %s: median %.2f, of %d from %.2f to %.2f" % (
        what, statistics.median(times), len(times), min(times), max(times)))


def _worker_killed():
    times = []
    for _ in range(5):
        with Folder() as folder, Cluster(folder, slow_text(2, 200000)) as cluster:
            cluster.start()
            with contextlib.closing(Nats(cluster.address, coordinator_values(cluster))) as observer:
                observer.subscribe("plum.*.*")
                observer.answer()
                first = cluster.worker()
                taken = observer.wait_for(is_begun)
                cluster.worker()
                _wait_for_workers(observer, 2)
                observer.messages.clear()
                begun = time.monotonic()
                stop(first)
                observer.wait_for(lambda message: is_begun(message) and key_of(message) == key_of(taken))
                times.append(time.monotonic() - begun)
    _print_times("from the kill of a worker (lease: 1 s) until another has its pairing", times)


def recovery():
    _worker_killed()
    text = roster("reversi", randoms(150), seed=5)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        cluster.worker()

        def resume():
            stop(cluster.coordinator)
            cluster.start()

        for what, action in (("server", cluster.kill_server), ("coordinator, with resume at once,", resume)):
            times = []
            for _ in range(5):
                _until_more(cluster, lambda: None)
                times.append(_until_more(cluster, action))
            _print_times("from the kill of the %s until %d more games are stored" % (what, MORE), times)
        _print_times("for %d games otherwise" % MORE, [_until_more(cluster, lambda: None) for _ in range(5)])


if __name__ == "__main__":
    need_nats(os.path.join(sys.argv[1], "plum"))
    for part in sys.argv[2:] or ("overhead", "idle", "recovery"):
        print("load average %.1f" % os.getloadavg()[0])
        {"overhead": overhead, "idle": idle, "recovery": recovery}[part]()
