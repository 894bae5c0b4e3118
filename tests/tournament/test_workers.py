"""Whatever happens to workers, server and coordinator, the tournament is that of one machine.

Needs nats-server and a plum that was built with libnats; else all is skipped.
"""
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import sqlite3
import ssl
import struct
import subprocess
import sys
import threading
import time

from support import PATIENCE_S, Failure, Folder, Settings, Skip, equal, main, randoms, require, roster

LEASE_S = 1


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _wait(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        require(time.monotonic() < end, "in vain: %s", what)
        time.sleep(0.02)


def _games(folder, database):
    """Every game with its record, without what may differ between two runs."""
    folder.plum("export", database, "-o", database + ".pgn")
    with open(folder.file(database + ".pgn"), encoding="utf-8") as file:
        text = file.read()
    os.unlink(folder.file(database + ".pgn"))
    text = re.sub(r'^\[(Date|Sandbox|Machine) ".*"\]\n', "", text, flags=re.M)
    return re.sub(r" ?\{[^}]*\}", "", text)


class _Cluster:
    """A tournament with its server and workers; all is killed at the end."""

    def __init__(self, folder, text, name="class"):
        self.folder = folder
        self.name = name
        self.address = "127.0.0.1:%d" % _free_port()
        self.workers = []
        self.coordinator = None
        self.log = open(folder.file("log"), "w+b")
        folder.write(name + ".ini", text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.workers + [self.coordinator]:
            if process and process.poll() is None:
                process.kill()
                process.wait()

    def start(self, *words, what=None):
        """Run or, if it has begun, resume; or another command."""
        has_begun = os.path.exists(self.folder.file(self.name + ".db"))
        what = what or (["resume", self.name + ".db"] if has_begun else ["run", self.name + ".ini"])
        self.coordinator = subprocess.Popen(
            [Settings.plum, "tournament", *what, "--workers=" + self.address, "--lease", str(LEASE_S),
             *([] if "--slowest" in words else ["--slowest", "0"]), *words],
            cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        _wait("the worker file", lambda: self._said("on each machine") or self.coordinator.poll() is not None)

    def _said(self, words):
        return words in self.text()

    def text(self):
        with open(self.folder.file("log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def worker(self, *words, file=None, program=None, **options):
        process = subprocess.Popen([program or Settings.plum, "worker", file or self.name + ".worker", *words],
                                   cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=self.log,
                                   stderr=self.log, **options)
        self.workers.append(process)
        return process

    def server_pid(self):
        try:
            with open(self.folder.file(self.name + ".queue/server.pid"), encoding="ascii") as file:
                return int(file.read())
        except (OSError, ValueError):
            return None

    def kill_server(self):
        pid = self.server_pid()
        if pid and self.coordinator.poll() is None and _parent(pid) == self.coordinator.pid:
            os.kill(pid, signal.SIGKILL)

    def finish(self, code=0):
        """Waits for the coordinator, then for the workers."""
        try:
            self.coordinator.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as late:
            raise Failure("the tournament does not end: %s" % self.text()[-3000:]) from late
        equal(self.coordinator.returncode, code, "exit code; " + self.text()[-3000:])

    def counts(self):
        """Of the last run: results, duplicates, refused, deaths, repeats."""
        found = re.findall(r"workers: (\d+) results; (\d+) were there already, (\d+) refused, "
                           r"(\d+) pairings .* lost, (\d+) after", self.text())
        require(found, "no summary: %s", self.text()[-2000:])
        return [int(number) for number in found[-1]]


def _parent(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


def _compare(folder, name, whole):
    """Nothing is lost, nothing is double."""
    table, games = whole
    equal(folder.table(name + ".db"), table, "the table")
    equal(_games(folder, name + ".db"), games, "the records")
    equal(folder.json("status", name + ".db")["state"], "finished", "the state")


def _alone(text):
    with Folder() as folder:
        folder.write("class.ini", text)
        folder.plum("run", "class.ini")
        return folder.table("class.db"), _games(folder, "class.db")


def _text(teams=8, **keys):
    players = randoms(teams - 2) + ["builtin:nodes=300", "builtin:nodes=600"]
    return roster("reversi", players, seed=11, **keys)


def workers_play_what_one_machine_plays():
    text = _text(6, format="swiss", rounds=3)
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start()
        workers = [cluster.worker("--concurrency", "2"), cluster.worker()]
        cluster.finish()
        for worker in workers:
            equal(worker.wait(PATIENCE_S), 0, "exit code of a worker")
        _compare(folder, "class", whole)
        results, _, refused, _, _ = cluster.counts()
        require(results > 0 and refused == 0, "%r", cluster.counts())
        equal(os.stat(folder.file("class.worker")).st_mode & 0o777, 0o600, "mode of the worker file")
        equal(os.stat(folder.file("class.queue")).st_mode & 0o777, 0o700, "mode of the queue")
        out, _ = folder.plum("export", "class.db")
        require('[Machine "' in out, "no tag Machine")


def _timeless(value):
    """JSON without times."""
    if isinstance(value, dict):
        return {key: _timeless(one) for key, one in value.items() if not key.endswith("_ms")}
    return [_timeless(one) for one in value] if isinstance(value, list) else value


def workers_play_the_qualification():
    text = _text(6, format="swiss", rounds=2)
    with Folder() as folder:
        folder.write("class.ini", text)
        alone = folder.json("qualify", "class.ini")
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start("--json", what=["qualify", "class.ini"])
        worker = cluster.worker()
        cluster.finish()
        equal(_timeless(folder.json("qualify", "class.db")), _timeless(alone), "the qualification")
        require(cluster.counts()[0] > 0, "no result of a worker: %s", cluster.text())
        equal([machine["games"] for machine in _machines(folder).values()], [12], "games of the worker")
        require(worker.poll() is None, "the worker does not wait for the tournament")
        cluster.start()
        cluster.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        _compare(folder, "class", whole)


def _machines(folder):
    return {one["machine"]: one for one in folder.json("status", "class.db")["machines"]}


def a_machine_in_quarantine_is_refused_and_its_games_are_played_elsewhere():
    text = _text(6)
    whole = _alone(text)
    games = len(whole[0][2])
    name = socket.gethostname()
    with Folder() as folder, _Cluster(folder, text) as cluster:
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
        equal(folder.json("status", "class.db")["audit"][-1]["reason"], name + ": too hot", "the audit log")
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
        equal(machines[name]["games"] + machines.get(None, {"games": 0})["games"], 2 * games, "games in all")
        equal(folder.table("class.db")[:2], whole[0][:2], "the table")
        equal(_games(folder, "class.db"), whole[1], "the records")


def a_machine_that_is_too_slow_is_refused():
    with Folder() as folder, _Cluster(folder, _text(6)) as cluster:
        cluster.start("--slowest", "100000%")
        worker = subprocess.run([Settings.plum, "worker", "class.worker"], cwd=folder.path, capture_output=True, text=True,
                                timeout=PATIENCE_S, check=False)
        equal(worker.returncode, 1, "exit code of a slow worker: " + worker.stderr)
        require("nodes a second" in worker.stderr, "%s", worker.stderr)
        _wait("the reason", lambda: "is refused: this machine searches" in cluster.text())
        cluster.coordinator.send_signal(signal.SIGINT)
        cluster.finish(130)
        _, err = folder.plum("resume", "class.db", "--workers", "--slowest", "half", code=2)
        require("--slowest" in err, "%s", err)
        cluster.start("--slowest", "0")
        cluster.worker()
        cluster.finish()


def two_machines_agree_about_deterministic_pairings():
    text = _text(6)
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start("--verify", "100%")
        _start_both(cluster, lambda: cluster.worker("--name", "left"), lambda: cluster.worker("--name", "right"))
        cluster.finish()
        _compare(folder, "class", whole)
        verified, differing, unverified = _verified(cluster)
        pairings = len(whole[0][2]) // 2
        require(verified > 0 and differing == 0 and verified + unverified == pairings, "%s", cluster.text())


def _start_both(cluster, *starts):
    """Starts two workers; the first does nothing until the second is known."""
    first = starts[0]()
    known = lambda count: cluster.text().count(" at once") >= count
    _wait("a worker", lambda: known(1))
    first.send_signal(signal.SIGSTOP)
    starts[1]()
    _wait("another one", lambda: known(2))
    first.send_signal(signal.SIGCONT)


def _verified(cluster):
    found = re.search(r"(\d+) pairings were played by two machines in the same way, (\d+) differently; (\d+) had",
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
    with Folder() as folder, _Cluster(folder, text) as cluster:
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
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
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

        _wait("a ply", lambda: shown() or cluster.coordinator.poll() is not None)
        require(cluster.coordinator.poll() is None, "none was shown: %s", cluster.text())
        cluster.finish()
        equal(shown(), 0, "plies after the end")
        _compare(folder, "class", whole)


def _with_engine(folder):
    os.mkdir(folder.file("team"))
    shutil.copy(Settings.plum, folder.file("team/engine"))
    os.chmod(folder.file("team/engine"), 0o755)


ENGINE = "ugi:./team/engine engine reversi --nodes 50"


def programs_travel_to_workers():
    text = roster("reversi", [ENGINE, ENGINE + "0", "random:seed=3"], seed=4)
    with Folder() as folder:
        _with_engine(folder)
        folder.write("class.ini", text)
        folder.plum("run", "class.ini")
        whole = folder.table("class.db"), _games(folder, "class.db")
    with Folder() as folder, _Cluster(folder, text) as cluster:
        _with_engine(folder)
        cluster.start()
        cluster.worker()
        cluster.finish()
        _compare(folder, "class", whole)


def _kill_at_random(kills, text, longest_s):
    whole = _alone(text)
    rng = random.Random(20181)
    done = 0
    while done < kills:
        with Folder() as folder, _Cluster(folder, text) as cluster:
            cluster.start()
            for _ in range(3):
                cluster.worker()
            while done < kills and cluster.coordinator.poll() is None:
                time.sleep(rng.uniform(0, longest_s))
                victim = rng.choice(["worker", "worker", "worker", "server", "coordinator"])
                if cluster.coordinator.poll() is not None:
                    break
                if victim == "worker":
                    living = [one for one in cluster.workers if one.poll() is None]
                    if living:
                        one = rng.choice(living)
                        one.kill()
                        one.wait()
                    cluster.worker()
                elif victim == "server":
                    cluster.kill_server()
                    if rng.random() < 0.2:
                        shutil.rmtree(folder.file("class.queue/streams"), ignore_errors=True)
                else:
                    cluster.coordinator.kill()
                    cluster.coordinator.wait()
                    cluster.start()
                done += 1
            if cluster.coordinator.returncode is None:
                cluster.worker()
            cluster.finish()
            _compare(folder, "class", whole)
    print("%d kills" % done)


def random_kills_lose_nothing():
    _kill_at_random(200 if Settings.long else 5, _text(10 if Settings.long else 6), 1.5 if Settings.long else 0.7)


def _stop_one(text, whole):
    """Stops the first worker while it plays; returns how many pairings began again."""
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start()
        first = cluster.worker()
        _wait("a worker", lambda: "game at once" in cluster.text())
        time.sleep(0.2)
        first.send_signal(signal.SIGSTOP)
        cluster.worker()
        played = lambda: sum(game["status"] == "played" for game in folder.json("games", "class.db"))
        _wait("half of the games", lambda: cluster.coordinator.poll() is not None or played() >= 6)
        first.send_signal(signal.SIGCONT)
        cluster.finish()
        _compare(folder, "class", whole)
        return cluster.counts()[3]


def a_worker_that_was_stopped_beyond_its_lease_is_replaced():
    for nodes in (6000, 30000):  # machines differ: it must be hit in the middle
        text = roster("reversi", ["builtin:nodes=%d" % (nodes + i) for i in range(4)], seed=2)
        whole = _alone(text)
        if any(_stop_one(text, whole) for _ in range(2)):
            return
    require(False, "never in the middle of a pairing")


def a_pairing_that_ends_five_workers_is_played_by_the_coordinator():
    if not Settings.long:
        raise Skip("ten seconds; make test-long does it")
    text = roster("reversi", ["builtin:nodes=60000", "builtin:nodes=50000"], seed=2)
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start()
        for _ in range(30):  # some are killed before they have work
            if "it is played here" in cluster.text() or cluster.coordinator.poll() is not None:
                break
            worker = cluster.worker()
            time.sleep(LEASE_S + 0.5)
            worker.kill()
            worker.wait()
        cluster.finish()
        require("it is played here" in cluster.text(), "not given up: %s", cluster.text())
        _compare(folder, "class", whole)


class _Link:
    """A line between a worker and the server that can be cut: nothing passes, nothing is closed."""

    def __init__(self, address):
        self.target = address.split(":")
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:%d" % self.listener.getsockname()[1]
        self.is_cut = False
        self.is_over = False
        self.pairs = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while not self.is_over:
            one, _ = self.listener.accept()
            try:
                other = socket.create_connection((self.target[0], int(self.target[1])), 10)
            except OSError:
                one.close()
                continue
            self.pairs += [one, other]
            for ends in ((one, other), (other, one)):
                threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, source, target):
        try:
            while True:
                data = source.recv(65536)
                while self.is_cut:
                    time.sleep(0.02)
                if not data:
                    break
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self, seconds):
        self.is_cut = True
        time.sleep(seconds)
        for end in self.pairs:  # as a line that was down for long
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.pairs = []
        self.is_cut = False


def a_worker_that_was_cut_off_delivers_when_it_is_back():
    text = roster("reversi", ["builtin:nodes=3000", "builtin:nodes=2000", "random:seed=5"], seed=2)
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start()
        link = _Link(cluster.address)
        with open(folder.file("class.worker"), encoding="utf-8") as file:
            folder.write("linked.worker", file.read().replace(cluster.address, link.address))
        cluster.worker(file="linked.worker")
        _wait("the worker", lambda: "game at once" in cluster.text())
        for _ in range(20 if Settings.long else 1):
            if cluster.coordinator.poll() is not None:
                break
            link.cut(LEASE_S / 2)
            time.sleep(0.3)
        cluster.finish()
        _compare(folder, "class", whole)


def a_lost_disk_of_the_server_costs_time_only():
    text = _text(6)
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start()
        _wait("the server", cluster.server_pid)
        cluster.kill_server()
        shutil.rmtree(folder.file("class.queue/streams"), ignore_errors=True)
        worker = cluster.worker()
        cluster.finish()
        _compare(folder, "class", whole)
        equal(worker.wait(PATIENCE_S), 0, "exit code of a worker, which hears of the end")


def workers_without_disk_give_their_work_back():
    text = roster("reversi", [ENGINE, "random:seed=3"], seed=4)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

    with Folder() as folder, _Cluster(folder, text) as cluster:
        _with_engine(folder)
        cluster.start()
        broken = [cluster.worker(preexec_fn=limit) for _ in range(6)]
        for worker in broken:
            equal(worker.wait(PATIENCE_S), 3, "exit code of a worker without disk")
        cluster.worker()
        cluster.finish()
        for game in folder.json("games", "class.db"):
            require("no-start" != game.get("reason"), "a team was charged: %r", game)
        require("it is played here" not in cluster.text(), "counted against the pairing: %s", cluster.text())


class _Nats:
    """As much of the protocol as a test needs."""

    def __init__(self, address, values, ca=None):
        host, port = address.split(":")
        raw = socket.create_connection((host, int(port)), 10)
        self._read_line(raw)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        if ca:
            context.verify_mode = ssl.CERT_REQUIRED
            context.load_verify_locations(cadata=ca)
        self.socket = context.wrap_socket(raw)
        self.buffer = b""
        self.send('CONNECT {"user":"%s","pass":"%s","verbose":false,"lang":"test","version":"1"}'
                  % (values["user"], values["password"]))

    @staticmethod
    def _read_line(raw):
        line = b""
        while not line.endswith(b"\n"):
            got = raw.recv(1)
            require(got, "the server closed the connection")
            line += got
        return line

    def send(self, line, body=None):
        text = line + "\r\n" + (body + "\r\n" if body is not None else "")
        self.socket.sendall(text.encode())

    def answer(self):
        """What the server says to all that was sent."""
        self.send("PING")
        text = ""
        while "PONG" not in text and "-ERR" not in text:
            text += self._read_line(self.socket).decode(errors="replace")
        return text


def _values(path):
    with open(path, encoding="utf-8") as file:
        return dict(line.strip().split(" = ", 1) for line in file if " = " in line)


def a_worker_may_only_do_a_workers_work():
    with Folder() as folder, _Cluster(folder, _text(6)) as cluster:
        folder.plum("worker-file", "class.ini", "--count", "2", "-o", "files", "--workers", cluster.address)
        cluster.start()
        first = _values(folder.file("files/class-1.worker"))
        second = _values(folder.file("files/class-2.worker"))
        require(first["password"] != second["password"], "the same password")
        prefix = "plum.%s." % first["tournament"]
        jobs = "PLUM-%s-JOBS" % first["tournament"]
        allowed = ["PUB %shello 0" % prefix, "SUB _INBOX.%s.> 1" % first["user"],
                   "SUB %sover 2" % prefix, "PUB %sply.%s 0" % (prefix, first["user"])]
        denied = ["PUB %sjob 0" % prefix, "SUB _INBOX.%s.> 1" % second["user"], "SUB > 1",
                  "SUB %sresult 1" % prefix, "PUB $JS.API.STREAM.PURGE.%s 0" % jobs,
                  "PUB $JS.API.STREAM.DELETE.%s 0" % jobs, "PUB _INBOX.%s.x 0" % second["user"],
                  "PUB %sply.%s 0" % (prefix, second["user"]), "SUB %sply.> 1" % prefix]
        for line in allowed + denied:
            nats = _Nats(cluster.address, first)
            nats.send(line, "" if line.startswith("PUB") else None)
            text = nats.answer()
            equal("Permissions Violation" in text, line in denied, line + ": " + text)
        wrong = dict(first, password="0" * 32)
        require("Authorization Violation" in _Nats(cluster.address, wrong).answer(), "a wrong password")


def a_worker_cannot_make_others_speak_for_it():
    """A request names the subject of its answer: it may be an inbox only, and the end must be true."""
    with Folder() as folder, _Cluster(folder, _text(6)) as cluster:
        folder.plum("worker-file", "class.ini", "--count", "2", "-o", "files", "--workers", cluster.address)
        cluster.start()
        first = _values(folder.file("files/class-1.worker"))
        prefix = "plum.%s." % first["tournament"]
        listener = _Nats(cluster.address, _values(folder.file("files/class-2.worker")))
        listener.send("SUB %sover 1" % prefix)
        require("MSG" not in listener.answer(), "it has begun with a message")
        liar = _Nats(cluster.address, first)
        liar.send("SUB _INBOX.%s.> 1" % first["user"])
        for subject in ("hello", "report", "blob"):
            liar.send("PUB %s%s %sover 0" % (prefix, subject, prefix), "")
        liar.send("PUB %shello _INBOX.%s.x 0" % (prefix, first["user"]), "")
        text = liar.answer()
        while "MSG _INBOX" not in text:  # the coordinator has answered what came before
            text += liar.answer()
        require("MSG" not in listener.answer(), "an answer went to all workers")
        worker = cluster.worker(file="files/class-2.worker")
        _wait("the worker", lambda: "at once" in cluster.text() or worker.poll() is not None)
        liar.send("PUB $JS.API.CONSUMER.MSG.NEXT.PLUM-%s-JOBS.plum %sover 12" % (first["tournament"], prefix),
                  '{"batch": 1}')
        liar.answer()
        cluster.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        require("worker" in cluster.text() and "pairing" not in re.sub("workers: .*", "", cluster.text()),
                "the worker ended early: %s", cluster.text())


def a_worker_file_can_be_written_while_it_runs():
    text = _text(6)
    whole = _alone(text)
    with Folder() as folder, _Cluster(folder, text) as cluster:
        cluster.start()
        folder.plum("worker-file", "class.db", "-o", "files")
        values = _values(folder.file("files/class-1.worker"))
        _wait("the new user", lambda: "PONG" in _Nats(cluster.address, values).answer())
        cluster.worker(file="files/class-1.worker")
        cluster.finish()
        _compare(folder, "class", whole)


def a_server_that_runs_already_can_be_used():
    text = _text(6)
    whole = _alone(text)
    with Folder() as folder:
        folder.write("class.ini", text)
        port = _free_port()
        url = "nats://127.0.0.1:%d" % port
        path = os.environ.get("PATH", "") + ":/usr/sbin"
        server = subprocess.Popen([shutil.which("nats-server", path=path), "-js", "-a", "127.0.0.1", "-p", str(port),
                                   "-sd", folder.file("streams")], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        worker = None
        try:
            _wait("the server", lambda: _is_open(port))
            tournament = folder.start("run", "class.ini", "--queue", url, "--slowest", "0")
            _wait("the worker file", lambda: os.path.exists(folder.file("class.worker")))
            worker = subprocess.Popen([Settings.plum, "worker", "class.worker"], cwd=folder.path)
            _, err = tournament.communicate(timeout=PATIENCE_S)
            equal(tournament.returncode, 0, err)
            equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        finally:
            for process in (worker, server):
                if process and process.poll() is None:
                    process.kill()
                    process.wait()
        _compare(folder, "class", whole)


def _is_open(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


def _another_build(folder):
    """The program with another commit in it."""
    version = subprocess.run([Settings.plum, "version", "--json"], check=True, capture_output=True, text=True).stdout
    commit = json.loads(version)["commit"].encode()
    with open(Settings.plum, "rb") as file:
        data = file.read()
    require(commit in data, "no commit in the program")
    path = folder.file("other-plum")
    with open(path, "wb") as file:
        file.write(data.replace(commit, b"x" * len(commit)))
    os.chmod(path, 0o755)
    return path


def strangers_are_refused():
    with Folder() as folder, _Cluster(folder, _text(6)) as cluster:
        cluster.start()
        with open(folder.file("class.worker"), encoding="utf-8") as file:
            good = file.read()
        folder.plum("worker-file", "other.ini", "-o", "other")
        other = _values(folder.file("other/other-1.worker"))
        cases = {
            "wrong-ca": re.sub(r"^ca = .*$", "ca = " + other["ca"], good, flags=re.M),
            "plaintext": re.sub(r"^ca = .*$", "ca =", good.replace("tls://", "nats://"), flags=re.M),
            "password": re.sub(r"^password = .*$", "password = 00", good, flags=re.M),
        }
        for name, text in cases.items():
            folder.write(name, text)
            worker = cluster.worker("--idle-exit", "60s", file=name)
            equal(worker.wait(PATIENCE_S), 1, "exit code with " + name)
        other_build = _another_build(folder)
        worker = subprocess.run([other_build, "worker", "class.worker"], cwd=folder.path, capture_output=True, text=True,
                                timeout=PATIENCE_S, check=False)
        equal(worker.returncode, 1, "exit code of another build: " + worker.stderr)
        require("the tournament needs plum" in worker.stderr, "%s", worker.stderr)
        _wait("the reason", lambda: "is refused: this worker is plum" in cluster.text())
        folder.write("not-a-file", "[worker]\nurl = x\n")
        equal(cluster.worker(file="not-a-file").wait(PATIENCE_S), 2, "exit code")


def a_worker_without_work_ends_by_itself():
    with Folder() as folder, _Cluster(folder, _text(6)) as cluster:
        folder.plum("worker-file", "class.ini", "-o", "files", "--workers", cluster.address)
        worker = cluster.worker("--idle-exit", "1s", file="files/class-1.worker")
        equal(worker.wait(PATIENCE_S), 3, "exit code without a server")


def _need_nats():
    paths = os.environ.get("PATH", "") + ":/usr/sbin"
    if not shutil.which("nats-server", path=paths):
        print("skipped: nats-server is not installed")
        sys.exit(77)
    with Folder() as folder:
        _, err = folder.plum("worker-file", "x.ini", "-o", "files", code=None)
        if "built without NATS" in err:
            print("skipped: %s" % err.strip())
            sys.exit(77)


if __name__ == "__main__":
    Settings.plum = sys.argv[1]
    _need_nats()
    main(globals())
