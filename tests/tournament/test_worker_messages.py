"""Results that come twice, late or forged, and a worker that wants to do harm: the tournament is that of one machine.

The messages are sent by a small client of its own, with the credentials of a worker file.
"""
import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys

from cluster_support import (AGENT, AGENTS, KEY, PATH, PYTHON, Cluster, Nats, add_agent, alone, attempt, attempts_of,
                             change_key, class_text, compare, coordinator_values, is_result, is_begun, key_of, need_nats,
                             outcome, pack, slow_text, stop, store_result, unpack, wait, worker_values)
from support import PATIENCE_S, Folder, Settings, Skip, equal, main, require, roster

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MAX_PAYLOAD_BYTES = 32 << 20


def _observe(cluster):
    """Sees every result, and every acknowledgement of one."""
    observer = Nats(cluster.address, coordinator_values(cluster))
    observer.subscribe("plum.*.result")
    observer.subscribe("$JS.ACK.*.plum.>")
    observer.answer()
    return observer


def _wait_for_acknowledgements(observer, count):
    """Of results that were stored since the messages were cleared."""
    is_one = lambda message: "-RESULTS." in message[0] and message[2] == b"+ACK"
    observer.wait_for(lambda _: sum(map(is_one, observer.messages)) >= count)


def a_result_that_is_delivered_twice_counts_once():
    text = class_text(6)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        observer = _observe(cluster)
        worker = cluster.worker()
        result = observer.wait_for(is_result)[2]
        worker.send_signal(signal.SIGSTOP)  # the tournament shall not be over before
        wait("the result", lambda: cluster.played() >= 2)
        values = worker_values(folder.file("class.worker"))
        attempts = attempts_of(result)
        late = [result, result, change_key(result, attempts=[one + 1 for one in attempts]),
                change_key(result, attempts=[max(one - 1, 0) for one in attempts]), change_key(result, stamp=1)]
        nats = Nats(cluster.address, values)
        observer.messages.clear()
        for body in late:
            store_result(nats, values, body)
        _wait_for_acknowledgements(observer, len(late))
        worker.send_signal(signal.SIGCONT)
        cluster.finish()
        compare(folder, "class", whole)
        _, duplicates, refused, _, _ = cluster.counts()
        require(duplicates >= len(late) and refused == 0, "%r", cluster.counts())


@contextlib.contextmanager
def _server_alone(cluster):
    """The tournament's server while no coordinator runs: what is stored now waits for `resume`."""
    folder = cluster.folder.file(cluster.name + ".queue")
    server = subprocess.Popen([shutil.which("nats-server", path=PATH), "-c", "server.conf"], cwd=folder,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    values = worker_values(cluster.folder.file(cluster.name + ".worker"))
    try:
        wait("the server", lambda: attempt(lambda: Nats(cluster.address, values)))
        yield Nats(cluster.address, values), values
    finally:
        server.terminate()
        server.wait()


def _interrupt(cluster, results):
    """Plays a while, then Ctrl-C; returns what the workers have delivered."""
    cluster.start()
    observer = _observe(cluster)
    worker = cluster.worker()
    observer.wait_for(lambda _: sum(map(is_result, observer.messages)) >= results)
    worker.send_signal(signal.SIGSTOP)
    wait("the results", lambda: cluster.played() >= 2 * results)
    cluster.coordinator.send_signal(signal.SIGINT)
    cluster.coordinator.wait(PATIENCE_S)
    stop(worker)
    return [message for message in observer.messages if is_result(message)]


def _deliver_late(decide, expected):
    """Waiting results of games that were played or decided already: none counts. `decide` makes the teaching
    assistant's decisions about a pairing, given as the number of its first game."""
    text = slow_text(5, 500)
    with Folder() as folder, Cluster(folder, text) as cluster:
        messages = _interrupt(cluster, 2)
        first = key_of(messages[0])[6] + 1
        decide(folder, first)
        with _server_alone(cluster) as (nats, values):
            for message in messages[:2] * 2:
                store_result(nats, values, message[2])
        cluster.start()
        cluster.worker()
        cluster.finish()
        equal(folder.json("status", "class.db")["state"], "finished", "the state")
        equal(outcome(folder), expected(text, first), "table and records")
        require(cluster.counts()[1] >= 4, "%r", cluster.counts())


def late_results_of_played_pairings_are_dropped_and_counted():
    _deliver_late(lambda folder, first: None, lambda text, first: alone(text))


def _annul(folder, first):
    folder.plum("annul", "class.db", str(first), "--reason", "test")


def _replay(folder, first):
    for number in (first, first + 1):
        folder.plum("replay", "class.db", str(number), "--reason", "test")


def _alone_with(decide):
    def expected(text, first):
        with Folder() as folder:
            folder.write("class.ini", text)
            folder.plum("run", "class.ini")
            decide(folder, first)
            folder.plum("resume", "class.db")
            return outcome(folder)
    return expected


def a_late_result_of_an_annulled_game_is_dropped_and_counted():
    _deliver_late(_annul, _alone_with(_annul))


def a_late_result_of_an_old_attempt_is_dropped_and_counted():
    _deliver_late(_replay, _alone_with(_replay))


def _other_rules(job):
    """A job with another hash of its rules."""
    games = struct.unpack_from("<2i", job, 8 + KEY.size - 8)
    at = 8 + KEY.size + 4 * (games[1] - games[0])
    return job[:at] + bytes(8) + job[at + 8:]


def a_job_that_no_worker_can_play_drives_none_out():
    """It is of other rules, or of another version. The coordinator removes it."""
    text = slow_text(4, 20000)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        observer = Nats(cluster.address, coordinator_values(cluster))
        observer.subscribe("plum.*.job.*")
        observer.subscribe("$JS.ACK.*.plum.>")
        observer.answer()
        worker = cluster.worker("--concurrency", "8")  # more than there are pairings: it fetches all jobs
        subject, _, job = observer.wait_for(lambda message: ".job." in message[0])
        observer.messages.clear()
        for name, body in (("0" * 16, _other_rules(job)), ("1" * 16, b"of another version")):
            observer.publish(subject.rsplit(".", 1)[0] + "." + name, body)
        given_back = lambda: sum(message[2].startswith(b"-NAK {") for message in observer.messages)
        observer.wait_for(lambda _: given_back() >= 2)
        cluster.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker; " + cluster.text())
        compare(folder, "class", whole)


# --- A worker that wants to do harm ---

def _forbidden(values, other):
    """What the server refuses."""
    prefix = "plum.%s." % values["tournament"]
    streams = ["PLUM-%s-%s" % (values["tournament"], kind) for kind in ("JOBS", "RESULTS")]
    subscriptions = [">", "*.>", "plum.>", prefix + "result", prefix + "report", prefix + "hello", prefix + "job",
                     "_INBOX.>", "_INBOX.%s.>" % other["user"], "_INBOX.coordinator.>", "$JS.>", "$SYS.>"]
    publications = [prefix + "job", prefix + "job.x", prefix + "over", "_INBOX.%s.x" % other["user"], "_INBOX.coordinator.x"]
    for stream in streams:
        publications += ["$JS.API.STREAM.%s.%s" % (verb, stream) for verb in (
            "CREATE", "UPDATE", "PURGE", "DELETE", "INFO", "MSG.GET", "MSG.DELETE", "SNAPSHOT")]
        publications += ["$JS.API.CONSUMER.%s.%s.%s" % (verb, stream, name) for name in ("plum", "x")
                         for verb in ("CREATE", "DURABLE.CREATE", "DELETE", "INFO")]
    publications += ["$JS.API.CONSUMER.MSG.NEXT.%s.plum" % streams[1], "$JS.ACK.%s.plum.1.1.1.1.0" % streams[1],
                     "$JS.API.STREAM.NAMES", "$JS.API.INFO"]
    return subscriptions, publications


def _try_the_forbidden(address, values, other):
    subscriptions, publications = _forbidden(values, other)
    nats = Nats(address, values)
    for subject in subscriptions:
        nats.subscribe(subject)
        require("Permissions Violation" in nats.answer(), "may subscribe to %s", subject)
    for subject in publications:
        nats.publish(subject, b"")
        require("Permissions Violation" in nats.answer(), "may publish %s", subject)


def _misuse_answers(nats, values, other, blob):
    """The server and the coordinator answer to a subject of the sender's choice, and may publish more than it."""
    prefix = "plum.%s." % values["tournament"]
    streams = ["PLUM-%s-%s" % (values["tournament"], kind) for kind in ("JOBS", "RESULTS")]
    targets = [prefix + "job", prefix + "job.x", prefix + "over", prefix + "result", prefix + "report", prefix + "hello",
               "_INBOX.%s.x" % other["user"]]
    for stream in streams:
        targets += ["$JS.API.STREAM.%s.%s" % (verb, stream) for verb in ("DELETE", "PURGE", "MSG.DELETE", "UPDATE")]
        targets += ["$JS.API.CONSUMER.DELETE.%s.plum" % stream]
    for target in targets:
        nats.publish(prefix + "blob", b"0" * 64 + b" 0", target)
        nats.publish(prefix + "blob", blob.encode() + b" 60000000", target)  # an empty answer
        nats.publish(prefix + "hello", b"", target)
        nats.publish(prefix + "report", b"", target)
        nats.publish(prefix + "result", b"", target)
        nats.publish("$JS.API.CONSUMER.MSG.NEXT.%s.plum" % streams[0], b'{"batch":1,"no_wait":true}', target)
        nats.answer()


def _take_jobs(nats, values):
    """Borrows jobs; acknowledges them, and those of others, without a result. Returns one of them."""
    stream = "PLUM-%s-JOBS" % values["tournament"]
    inbox = "_INBOX.%s.jobs" % values["user"]
    nats.subscribe(inbox)
    nats.messages.clear()
    nats.publish("$JS.API.CONSUMER.MSG.NEXT.%s.plum" % stream, b'{"batch":100,"expires":100000000000}', inbox)
    _, lender, job = nats.wait_for(lambda message: message[1].startswith("$JS.ACK."))
    nats.publish(lender, b"+TERM")
    for number in range(1, 60):
        for word in (b"+ACK", b"-NAK", b"+WPI", b"+TERM", b"+NXT"):
            nats.publish("$JS.ACK.%s.plum.1.%d.%d.1.0" % (stream, number, number), word)
    nats.answer()
    return job


def _malformed(result, job):
    """Bytes that no worker sends."""
    rng = random.Random(7)
    bodies = [b"", b"\0" * 4, b"\xff" * 200, rng.randbytes(100000), struct.pack("<I", 64 << 20) + result[4:],
              struct.pack("<I", 0xffffffff) + result[4:], result[:-1], result + b"x", pack(b"\0" * (64 << 20)), job,
              pack(job)]
    folder = os.path.join(TESTS, "fuzz", "corpus", "cluster")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as file:
            data = file.read()
        bodies += [data, data[1:], pack(data[1:])]
    plain = unpack(result)
    for _ in range(50):
        changed = bytearray(plain)
        for _ in range(rng.randint(1, 4)):
            changed[rng.randrange(len(changed))] = rng.randrange(256)
        bodies.append(pack(bytes(changed)))
    return bodies


def _forged(result):
    """Well-formed results that are not true, or about other games."""
    number = key_of(("x.result", "", result))[2]
    for pairing in range(number + 6):
        yield change_key(result, pairing=pairing)
        yield change_key(result, pairing=pairing, first=2 * pairing)
    yield change_key(result, first=2147480000)
    yield change_key(result, team0=4000, team1=4000)
    yield change_key(result, is_qualification=True)
    yield change_key(result, attempts=[2147483647] * 2)
    plain = unpack(result)
    for one, other in ((b'"1-0"', b'"0-1"'), (b'"0-1"', b'"1-0"'), (b"[Seed ", b"[Sead "), (b" w ", b" b ")):
        yield pack(plain.replace(one, other))


def a_malicious_worker_breaks_nothing():
    text = roster("reversi", [AGENT, "builtin:nodes=200", "builtin:nodes=201",
                              "random:seed=3", "random:seed=4"], seed=11)

    def fill(folder):
        add_agent(folder)
        folder.write("class.ini", text)

    with Folder() as folder:
        fill(folder)
        folder.plum("run", "class.ini")
        whole = outcome(folder)
    with Folder() as folder, Cluster(folder, text) as cluster:
        fill(folder)
        folder.plum("worker-file", "class.ini", "--count", "2", "-o", "files", "--workers", cluster.address)
        cluster.start()
        values, other = (worker_values(folder.file("files/class-%d.worker" % number)) for number in (1, 2))
        observer = _observe(cluster)
        good = cluster.worker(file="files/class-2.worker")
        result = observer.wait_for(is_result)[2]
        good.send_signal(signal.SIGSTOP)  # its job comes back to the server
        _try_the_forbidden(cluster.address, values, other)
        nats = Nats(cluster.address, values)
        job = _take_jobs(nats, values)
        _misuse_answers(nats, values, other, os.listdir(folder.file("class.queue/blobs"))[0])
        prefix = "plum.%s." % values["tournament"]
        for body in [*_malformed(result, job), *_forged(result)]:
            for kind in ("hello", "report", "blob", "result"):
                nats.publish(prefix + kind, body, "_INBOX.%s.x" % values["user"])
        nats.answer()
        nats.publish(prefix + "result", b"x" * (MAX_PAYLOAD_BYTES + 1))
        require("PONG" not in nats.answer(), "the server takes a message of any size")
        good.send_signal(signal.SIGCONT)
        cluster.finish()
        compare(folder, "class", whole)
        equal(good.wait(PATIENCE_S), 0, "exit code of the good worker; " + cluster.text()[-3000:])
        require(cluster.counts()[2] > 40, "refused: %r", cluster.counts())


def _claim(message, machine, worker):
    """A report that another worker plays the job."""
    body = message[2]
    name = struct.unpack_from("<I", body, 12)[0]
    rest = body[16 + name + 8:]
    return body[:12] + struct.pack("<I", len(machine)) + machine.encode() + struct.pack("<Q", worker) + rest


def a_machine_that_takes_jobs_and_finishes_none_is_set_aside():
    with Folder() as folder, Cluster(folder, slow_text(4, 8000)) as cluster:
        cluster.start()
        values = worker_values(folder.file("class.worker"))
        observer = Nats(cluster.address, coordinator_values(cluster))
        observer.subscribe("plum.*.report")
        observer.answer()
        worker = cluster.worker("--concurrency", "6")
        observer.wait_for(lambda _: sum(map(is_begun, observer.messages)) == 6)
        worker.send_signal(signal.SIGSTOP)
        thief = Nats(cluster.address, values)
        for claim in filter(is_begun, list(observer.messages)):
            for number in range(1, 6):
                thief.publish("plum.%s.report" % values["tournament"], _claim(claim, "thief", number))
        thief.answer()
        wait("the warning", lambda: "WARNING: the machine thief is set aside" in cluster.text())
        equal(cluster.worker("--name", "thief").wait(PATIENCE_S), 1, "exit code of its worker")
        worker.send_signal(signal.SIGCONT)
        cluster.finish()
        machines = {one["machine"]: one for one in folder.json("status", "class.db")["machines"]}
        require(machines["thief"]["lost"] >= 20 and machines["thief"]["games"] == 0, "%r", machines)


# --- An agent in the sandbox of a worker ---

SPY = '''
import glob, json, os, socket, sys
here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, here)
with open(os.path.join(here, "targets.json")) as file:
    targets = json.load(file)
for path in targets["files"] + glob.glob("/proc/*/environ") + glob.glob("/proc/*/fd/*"):
    try:
        if not os.path.isfile(path):
            continue
        with open(path, "rb") as file:
            if targets["secret"].encode() in file.read(100000):
                print("spy: reached", path, file=sys.stderr)
    except OSError:
        pass
for host in (targets["host"], "127.0.0.1", "localhost"):
    try:
        socket.create_connection((host, targets["port"]), 2).close()
        print("spy: reached", host, file=sys.stderr)
    except OSError:
        pass
print("spy: looked around", file=sys.stderr, flush=True)
import ugi_agent
ugi_agent.Agent("good", []).run()
'''


def an_agent_in_the_sandbox_reaches_neither_server_nor_worker_file():
    if os.environ.get("PLUM_TEST_SANDBOX") != "strict":
        raise Skip("the sandbox has no namespaces here")
    text = roster("reversi", ["ugi:%s -E spy/spy.py" % PYTHON, "random:seed=3"], seed=4)
    with Folder() as folder, Cluster(folder, text) as cluster:
        shutil.copytree(AGENTS, folder.file("spy"))
        folder.write("spy/spy.py", SPY)
        folder.plum("worker-file", "class.ini", "-o", "files", "--workers", cluster.address)
        host, port = cluster.address.split(":")
        files = ["files/class-1.worker", "class.worker", "class.queue/users", "class.queue/server.conf"]
        secret = worker_values(folder.file("files/class-1.worker"))["password"]
        folder.write("spy/targets.json", json.dumps({
            "files": [folder.file(name) for name in files], "host": host, "port": int(port), "secret": secret}))
        cluster.start()
        control = subprocess.run([sys.executable, folder.file("spy/spy.py")], stdin=subprocess.DEVNULL, check=False,
                                 capture_output=True, text=True, timeout=PATIENCE_S).stderr
        require("class-1.worker" in control and "reached 127.0.0.1" in control, "the spy finds nothing: %s", control)
        cluster.worker(file="files/class-1.worker")
        cluster.finish()
        with contextlib.closing(sqlite3.connect(folder.file("class.db"))) as base:
            log = "".join(row[0] for row in base.execute("SELECT text FROM log"))
        require("looked around" in log and "reached" not in log, "%s", log)
        for game in folder.json("games", "class.db"):
            equal(game["status"], "played", "a game")


if __name__ == "__main__":
    need_nats(sys.argv[1])
    main(globals())
