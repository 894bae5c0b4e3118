"""Whatever happens to workers, server and coordinator, the tournament is that of one machine.

Needs nats-server and a plum that was built with libnats; else all is skipped.
"""
import contextlib
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from cluster_support import (AGENT, LEASE_S, Cluster, Nats, add_agent, alone, attempt, class_text, compare,
                             coordinator_values, free_port, is_result, is_begun, key_of, need_nats, outcome,
                             plain_server, slow_text, stop, wait, worker_values)
from support import PATIENCE_S, Folder, OnlyLong, Settings, equal, main, require, roster


def workers_play_what_one_machine_plays():
    text = class_text(6, format="swiss", rounds=3)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        workers = [cluster.worker("--concurrency", "2"), cluster.worker()]
        cluster.finish()
        for worker in workers:
            equal(worker.wait(PATIENCE_S), 0, "exit code of a worker")
        compare(folder, "class", whole)
        results, _, refused, _, _ = cluster.counts()
        require(results > 0 and refused == 0, "%r", cluster.counts())
        equal(os.stat(folder.file("class.worker")).st_mode & 0o777, 0o600, "mode of the worker file")
        equal(os.stat(folder.file("class.queue")).st_mode & 0o777, 0o700, "mode of the queue")
        out, _ = folder.plum("export", "class.db")
        require('[Machine "' in out, "no tag Machine")


def programs_travel_to_workers():
    text = roster("reversi", [AGENT, AGENT + " again", "random:seed=3"], seed=4)
    with Folder() as folder:
        add_agent(folder)
        folder.write("class.ini", text)
        folder.plum("run", "class.ini")
        whole = outcome(folder)
    with Folder() as folder, Cluster(folder, text) as cluster:
        add_agent(folder)
        cluster.start()
        cluster.worker()
        cluster.finish()
        compare(folder, "class", whole)


def _kill_at_random(kills, text, longest_s):
    whole = alone(text)
    rng = random.Random(20181)
    done = 0
    while done < kills:
        with Folder() as folder, Cluster(folder, text) as cluster:
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
            compare(folder, "class", whole)
    print("%d kills" % done)


def random_kills_lose_nothing():
    _kill_at_random(200 if Settings.long else 5, class_text(10 if Settings.long else 6), 1.5 if Settings.long else 0.7)


def a_result_that_comes_after_its_lease_is_dropped_and_counted():
    """The first worker is stopped in a pairing, the second plays it, then the first continues."""
    text = slow_text(3, 60000)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        observer = Nats(cluster.address, coordinator_values(cluster))
        observer.subscribe("plum.*.*")
        observer.answer()
        first = cluster.worker()
        taken = observer.wait_for(is_begun)
        first.send_signal(signal.SIGSTOP)
        same = lambda message: is_result(message) and key_of(message) == key_of(taken)
        second = cluster.worker()
        observer.wait_for(same)
        second.send_signal(signal.SIGSTOP)
        observer.messages.clear()
        first.send_signal(signal.SIGCONT)
        observer.wait_for(same)
        second.send_signal(signal.SIGCONT)
        cluster.finish()
        compare(folder, "class", whole)
        _, duplicates, refused, deaths, _ = cluster.counts()
        require(duplicates >= 1 and deaths >= 1 and refused == 0, "%r", cluster.counts())


def _interrupt_with_pending_jobs(cluster):
    """Ctrl-C while a worker, which is stopped then, has jobs. Returns the worker and the subjects of all jobs."""
    cluster.start()
    with contextlib.closing(Nats(cluster.address, coordinator_values(cluster))) as observer:
        observer.subscribe("plum.*.*")
        observer.subscribe("plum.*.job.*")
        observer.answer()
        worker = cluster.worker("--concurrency", "2")
        observer.wait_for(lambda _: sum(map(is_begun, observer.messages)) == 2)
        worker.send_signal(signal.SIGSTOP)
        jobs = lambda: {message[0] for message in observer.messages if ".job." in message[0]}
        observer.wait_for(lambda _: len(jobs()) == 4)
        cluster.coordinator.send_signal(signal.SIGINT)
        cluster.coordinator.wait(PATIENCE_S)
        return worker, jobs()


def jobs_that_wait_are_not_handed_out_again():
    text = slow_text(4, 15000)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        worker, before = _interrupt_with_pending_jobs(cluster)
        cluster.start()
        values = coordinator_values(cluster)
        wait("the server", lambda: attempt(lambda: Nats(cluster.address, values).close() or True))
        with contextlib.closing(Nats(cluster.address, values)) as observer:
            observer.subscribe("plum.*.job.*")
            observer.answer()
            worker.send_signal(signal.SIGCONT)
            cluster.finish()
            observer.answer()
            after = {message[0] for message in observer.messages}
        require(after and not after & before, "before %r, after %r", before, after)
        equal(cluster.counts()[2], 0, "refused results")
        compare(folder, "class", whole)


def jobs_that_wait_are_played_here_if_no_worker_comes():
    text = slow_text(4, 20000)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        worker, _ = _interrupt_with_pending_jobs(cluster)
        stop(worker)
        cluster.start("--concurrency", "1")
        cluster.finish()
        compare(folder, "class", whole)


def a_pairing_that_ends_five_workers_is_played_by_the_coordinator():
    if not Settings.long:
        raise OnlyLong
    text = roster("reversi", ["builtin:nodes=400000", "builtin:nodes=390000"], seed=2)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
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
        compare(folder, "class", whole)


def fifty_workers_join_and_leave():
    """Each leaves at least once, at any moment, by Ctrl-C, SIGTERM or SIGKILL. A new worker then uses its file."""
    if not Settings.long:
        raise OnlyLong
    nodes = 2000 * os.cpu_count()  # else many cores have played all before the last has left
    text = roster("reversi", ["builtin:nodes=%d" % (nodes + i) for i in range(14)], seed=2)
    whole = alone(text)
    rng = random.Random(50)
    with Folder() as folder, Cluster(folder, text) as cluster:
        folder.plum("worker-file", "class.ini", "--count", "50", "-o", "files", "--workers", cluster.address)
        cluster.start()
        # One that comes after the end waits for a tournament.
        start = lambda number: cluster.worker("--concurrency", "1", "--idle-exit", "20s",
                                              file="files/class-%d.worker" % (number + 1))
        workers = [start(number) for number in range(50)]
        left = 0
        for number in rng.sample(range(50), 50) + rng.sample(range(50), 50):
            if cluster.coordinator.poll() is not None:
                break
            workers[number].send_signal(rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL]))
            workers[number] = start(number)
            left += 1
            time.sleep(0.1)
        cluster.finish()
        for worker in cluster.workers:
            worker.wait(PATIENCE_S)
        compare(folder, "class", whole)
        require(left >= 50, "only %d workers left", left)
        print("%d workers left and came back; results, double, refused, lost workers, lost by the server: %r"
              % (left, cluster.counts()))


def a_worker_ends_at_every_moment():
    """Also while it starts, and when its terminal is closed."""
    with Folder() as folder, Cluster(folder, slow_text(2, 200000)) as cluster:
        cluster.start()
        worker = cluster.worker()
        wait("the worker", lambda: "game at once" in cluster.text())
        worker.send_signal(signal.SIGHUP)
        equal(worker.wait(PATIENCE_S), 130, "exit code after SIGHUP")
        for delay_s in (0.05, 0.1, 0.15, 0.2):
            worker = cluster.worker()
            time.sleep(delay_s)
            worker.send_signal(signal.SIGTERM)
            worker.wait(PATIENCE_S)
        equal(cluster.coordinator.poll(), None, "the coordinator: a worker played until the end")


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
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        link = _Link(cluster.address)
        with open(folder.file("class.worker"), encoding="utf-8") as file:
            folder.write("linked.worker", file.read().replace(cluster.address, link.address))
        cluster.worker(file="linked.worker")
        wait("the worker", lambda: "game at once" in cluster.text())
        for _ in range(20 if Settings.long else 1):
            if cluster.coordinator.poll() is not None:
                break
            link.cut(LEASE_S / 2)
            time.sleep(0.3)
        cluster.finish()
        compare(folder, "class", whole)


def a_lost_disk_of_the_server_costs_time_only():
    text = class_text(6)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        wait("the server", cluster.server_pid)
        cluster.kill_server()
        shutil.rmtree(folder.file("class.queue/streams"), ignore_errors=True)
        worker = cluster.worker()
        cluster.finish()
        compare(folder, "class", whole)
        equal(worker.wait(PATIENCE_S), 0, "exit code of a worker, which hears of the end")


def workers_without_disk_give_their_work_back():
    text = roster("reversi", [AGENT, "random:seed=3"], seed=4)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))

    with Folder() as folder, Cluster(folder, text) as cluster:
        add_agent(folder, 200000)
        cluster.start()
        broken = [cluster.worker(preexec_fn=limit) for _ in range(6)]
        for worker in broken:
            equal(worker.wait(PATIENCE_S), 3, "exit code of a worker without disk")
        cluster.worker()
        cluster.finish()
        for game in folder.json("games", "class.db"):
            require("no-start" != game.get("reason"), "a team was charged: %r", game)
        require("it is played here" not in cluster.text(), "counted against the pairing: %s", cluster.text())


def a_worker_may_only_do_a_workers_work():
    with Folder() as folder, Cluster(folder, class_text(6)) as cluster:
        folder.plum("worker-file", "class.ini", "--count", "2", "-o", "files", "--workers", cluster.address)
        cluster.start()
        first = worker_values(folder.file("files/class-1.worker"))
        second = worker_values(folder.file("files/class-2.worker"))
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
            nats = Nats(cluster.address, first)
            nats.send(line, b"" if line.startswith("PUB") else None)
            text = nats.answer()
            equal("Permissions Violation" in text, line in denied, line + ": " + text)
        wrong = dict(first, password="0" * 32)
        require("Authorization Violation" in Nats(cluster.address, wrong).answer(), "a wrong password")


def a_worker_cannot_make_others_speak_for_it():
    """A request names the subject of its answer: it may be an inbox only, and the end must be true."""
    with Folder() as folder, Cluster(folder, class_text(6)) as cluster:
        folder.plum("worker-file", "class.ini", "--count", "2", "-o", "files", "--workers", cluster.address)
        cluster.start()
        first = worker_values(folder.file("files/class-1.worker"))
        prefix = "plum.%s." % first["tournament"]
        listener = Nats(cluster.address, worker_values(folder.file("files/class-2.worker")))
        listener.send("SUB %sover 1" % prefix)
        require("MSG" not in listener.answer(), "it has begun with a message")
        liar = Nats(cluster.address, first)
        liar.send("SUB _INBOX.%s.> 1" % first["user"])
        for subject in ("hello", "report", "blob"):
            liar.publish(prefix + subject, b"", prefix + "over")
        liar.publish(prefix + "hello", b"", "_INBOX.%s.x" % first["user"])
        text = liar.answer()
        while "MSG _INBOX" not in text:  # the coordinator has answered what came before
            text += liar.answer()
        require("MSG" not in listener.answer(), "an answer went to all workers")
        worker = cluster.worker(file="files/class-2.worker")
        wait("the worker", lambda: "at once" in cluster.text() or worker.poll() is not None)
        liar.publish("$JS.API.CONSUMER.MSG.NEXT.PLUM-%s-JOBS.plum" % first["tournament"], b'{"batch": 1}', prefix + "over")
        liar.answer()
        cluster.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        require("worker" in cluster.text() and "pairing" not in re.sub("workers: .*", "", cluster.text()),
                "the worker ended early: %s", cluster.text())


def a_worker_file_can_be_written_while_it_runs():
    text = class_text(6)
    whole = alone(text)
    with Folder() as folder, Cluster(folder, text) as cluster:
        cluster.start()
        folder.plum("worker-file", "class.db", "-o", "files")
        values = worker_values(folder.file("files/class-1.worker"))
        wait("the new user", lambda: "PONG" in (attempt(lambda: Nats(cluster.address, values).answer()) or ""))
        cluster.worker(file="files/class-1.worker")
        cluster.finish()
        compare(folder, "class", whole)


def an_address_is_kept_when_it_works():
    wrong, first, second = "203.0.113.7:7586", "127.0.0.1:%d" % free_port(), "127.0.0.1:%d" % free_port()
    with Folder() as folder:
        folder.write("class.ini", class_text(6))
        _, err = folder.plum("run", "class.ini", "--workers=" + wrong, code=3)
        require("does not have the address " + wrong in err, "%s", err)
        require(not os.path.exists(folder.file("class.worker")), "a worker file with a wrong address")
        out, err = folder.plum("worker-file", "class.ini", "-o", "files")
        require(wrong not in out and not err, "it was kept: %s %s", out, err)
        out, err = folder.plum("worker-file", "class.ini", "-o", "files", "--workers", first)
        require("connect to " + first in out and "has changed" in err, "%s %s", out, err)
        _, err = folder.plum("worker-file", "class.ini", "-o", "files", "--workers", second)
        require(first in err and second in err, "no warning: %s", err)
        _, err = folder.plum("worker-file", "class.ini", "-o", "files")
        equal(err, "", "a warning without a change")
        equal(worker_values(folder.file("files/class-1.worker"))["url"], "tls://" + second, "the address")


def a_server_that_runs_already_can_be_used():
    text = class_text(6)
    whole = alone(text)
    with Folder() as folder:
        folder.write("class.ini", text)
        address = "127.0.0.1:%d" % free_port()
        worker = None
        server = plain_server(folder, address)
        try:
            wait("the server", lambda: _is_open(address))
            tournament = folder.start("run", "class.ini", "--queue", "nats://" + address)
            wait("the worker file", lambda: os.path.exists(folder.file("class.worker")))
            worker = subprocess.Popen([Settings.plum, "worker", "class.worker"], cwd=folder.path)
            _, err = tournament.communicate(timeout=PATIENCE_S)
            equal(tournament.returncode, 0, err)
            equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        finally:
            stop(worker, server)
        compare(folder, "class", whole)


def _is_open(address):
    host, port = address.split(":")
    try:
        with socket.create_connection((host, int(port)), 1):
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
    with Folder() as folder, Cluster(folder, class_text(6)) as cluster:
        cluster.start()
        with open(folder.file("class.worker"), encoding="utf-8") as file:
            good = file.read()
        folder.write("other.ini", class_text(6))
        folder.plum("worker-file", "other.ini", "-o", "other")
        other = worker_values(folder.file("other/other-1.worker"))
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
        worker = subprocess.run([other_build, "worker", "class.worker"], cwd=folder.path, capture_output=True,
                                text=True, timeout=PATIENCE_S, check=False)
        equal(worker.returncode, 1, "exit code of another build: " + worker.stderr)
        require("the coordinator is plum" in worker.stderr, "%s", worker.stderr)
        wait("the reason", lambda: "is refused: this worker is plum" in cluster.text())
        folder.write("not-a-file", "[worker]\nurl = x\n")
        equal(cluster.worker(file="not-a-file").wait(PATIENCE_S), 2, "exit code")


def a_worker_without_work_ends_by_itself():
    with Folder() as folder, Cluster(folder, class_text(6)) as cluster:
        folder.plum("worker-file", "class.ini", "-o", "files", "--workers", cluster.address)
        worker = cluster.worker("--idle-exit", "1s", file="files/class-1.worker")
        equal(worker.wait(PATIENCE_S), 3, "exit code without a server")


if __name__ == "__main__":
    need_nats(sys.argv[1])
    main(globals())
