"""Whatever happens to workers, server and coordinator, the file of self-play is that of one machine.

Needs nats-server and a plum that was built with libnats; else all is skipped.
"""
import collections
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

from cluster_support import LEASE_S, PATH, Nats, free_port, need_nats, parent, store_result, wait, worker_values
from support import PATIENCE_S, Failure, Folder, Settings, equal, main, require


def _patience_s():
    """For a whole run."""
    return 10 * PATIENCE_S if Settings.long else PATIENCE_S


def _is_open(port):
    try:
        with socket.create_connection(("127.0.0.1", port), 1):
            return True
    except OSError:
        return False


def _options(game="reversi", games=200, player="builtin:nodes=100,hash=1", **more):
    words = [game, "--games", str(games), "--player", player, "--record", "data.txt"]
    for name, value in more.items():
        words += ["--" + name, str(value)]
    return words


def _text(path):
    """The records without what may differ between two runs."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r'^\[Date ".*"\]\n', "", file.read(), flags=re.M)
    return re.sub(r" ?\{[^}]*\}", "", text)


def _plain(folder, *words, code=0):
    done = subprocess.run([Settings.plum, "selfplay", *words], cwd=folder.path, capture_output=True, text=True,
                          timeout=_patience_s(), check=False)
    equal(done.returncode, code, "exit code of plum selfplay %s: %s" % (" ".join(words), done.stderr))
    return done.stdout


def _alone(words):
    with Folder() as folder:
        _plain(folder, *words)
        return _text(folder.file("data.txt"))


class _Run:
    """A run with its server and workers; all is killed at the end."""

    def __init__(self, folder, words, *how):
        self.folder = folder
        self.words = words
        self.how = how or ("--workers=127.0.0.1:%d" % free_port(), "--games-per-job", "10")
        self.workers = []
        self.coordinator = None
        self.log = open(folder.file("log"), "w+b")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.workers + [self.coordinator]:
            if process and process.poll() is None:
                process.kill()
                process.wait()
        self.log.close()

    def text(self):
        with open(self.folder.file("log"), encoding="utf-8", errors="replace") as file:
            return file.read()

    def start(self, **options):
        before = self.text().count("on each machine")
        self.coordinator = subprocess.Popen(
            [Settings.plum, "selfplay", *self.words, *self.how, "--lease", str(LEASE_S)], cwd=self.folder.path,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, **options)
        wait("the worker file",
              lambda: self.text().count("on each machine") > before or self.coordinator.poll() is not None)

    def worker(self, *words, file="data.txt.worker"):
        process = subprocess.Popen([Settings.plum, "worker", file, *words], cwd=self.folder.path,
                                   stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.workers.append(process)
        return process

    def kill_worker(self, rng):
        living = [one for one in self.workers if one.poll() is None]
        if living:
            one = rng.choice(living)
            one.kill()
            one.wait()

    def kill_server(self):
        try:
            with open(self.folder.file("data.txt.queue/server.pid"), encoding="ascii") as file:
                pid = int(file.read())
        except (OSError, ValueError):
            return
        if self.coordinator.poll() is None and parent(pid) == self.coordinator.pid:
            os.kill(pid, signal.SIGKILL)

    def kill_coordinator(self):
        self.coordinator.kill()
        self.coordinator.wait()

    def records(self):
        try:
            with open(self.folder.file("data.txt"), encoding="utf-8") as file:
                return file.read().count("[Game ")
        except OSError:
            return 0

    def wait_for_records(self, count):
        wait("%d records" % count, lambda: self.records() >= count or self.coordinator.poll() is not None)

    def finish(self, code=0):
        try:
            self.coordinator.wait(_patience_s())
        except subprocess.TimeoutExpired as late:
            raise Failure("it does not end: %s" % self.text()[-3000:]) from late
        equal(self.coordinator.returncode, code, "exit code; " + self.text()[-3000:])

    def compare(self, whole):
        """Nothing is lost, nothing is double."""
        text = _text(self.folder.file("data.txt"))
        found = collections.Counter(int(number) for number in re.findall(r'^\[Round "(\d+)"\]$', text, flags=re.M))
        wanted = len(re.findall(r"^\[Game ", whole, flags=re.M))
        lost = [number for number in range(1, wanted + 1) if not found[number]]
        double = [number for number, times in found.items() if times > 1]
        equal(len(lost), 0, "lost games, the first of them %s" % lost[:5])
        equal(len(double), 0, "double games, the first of them %s" % double[:5])
        require(text == whole, "the file is not that of one machine")


def workers_write_the_file_of_one_machine_although_one_is_killed():
    words = _options()
    whole = _alone(words)
    with Folder() as folder, _Run(folder, words) as run:
        run.start()
        first = run.worker("--concurrency", "1")
        second = run.worker("--concurrency", "1")
        run.wait_for_records(20)
        first.kill()
        first.wait()
        require(run.coordinator.poll() is None, "it was over before a worker was killed")
        run.finish()
        equal(second.wait(PATIENCE_S), 0, "exit code of a worker")
        run.compare(whole)
        require("data.txt: 200 games, 200 of them now" in run.text(), "%s", run.text())
        require(re.search(r"workers: results \d+, duplicates \d+, refused 0;", run.text()), "%s", run.text())
        equal(os.stat(folder.file("data.txt.worker")).st_mode & 0o777, 0o600, "mode of the worker file")
        require("[Machine" not in whole, "one machine names none")


def _kill_at_random(words, kills, workers, longest_s):
    whole = _alone(words)
    rng = random.Random(71)
    done = 0
    while done < kills:
        with Folder() as folder, _Run(folder, words) as run:
            run.start()
            for _ in range(workers):
                run.worker("--concurrency", "1")
            while done < kills and run.coordinator.poll() is None:
                time.sleep(rng.uniform(0, longest_s))
                if run.coordinator.poll() is not None:
                    break
                victim = rng.choice(["worker", "worker", "worker", "server", "coordinator"])
                if victim == "worker":
                    run.kill_worker(rng)
                    run.worker("--concurrency", "1")
                elif victim == "server":
                    run.kill_server()
                    if rng.random() < 0.2:
                        shutil.rmtree(folder.file("data.txt.queue/streams"), ignore_errors=True)
                else:
                    run.kill_coordinator()
                    run.start()
                done += 1
            run.finish()
            run.compare(whole)
    print("%d kills" % done)


def random_kills_lose_nothing():
    if Settings.long:
        _kill_at_random(_options(games=20000, player="builtin:nodes=10,hash=1"), 40, 8, 3)
    else:
        _kill_at_random(_options(games=120), 5, 2, 0.6)


def a_file_is_continued_here_and_elsewhere():
    whole = _alone(_options("hop", 70, "builtin:nodes=20,hash=1", openings=4, seed=9))
    with Folder() as folder:
        _plain(folder, *_options("hop", 13, "builtin:nodes=20,hash=1", openings=4, seed=9))
        with _Run(folder, _options("hop", 57, "builtin:nodes=20,hash=1", openings=4, seed=9)) as run:
            run.start()
            run.worker()
            run.finish()
            require("data.txt: 57 games, 44 of them now" in run.text(), "%s", run.text())
            _plain(folder, *_options("hop", 70, "builtin:nodes=20,hash=1", openings=4, seed=9))
            run.compare(whole)
        other = _options("hop", 80, "builtin:nodes=20,hash=1", openings=4, seed=8)
        _plain(folder, *other, "--workers=127.0.0.1:%d" % free_port(), code=2)


def ctrl_c_prints_the_command_that_continues():
    words = _options("meichu", 40, "builtin:nodes=100,hash=1")
    whole = _alone(words)
    with Folder() as folder, _Run(folder, words) as run:
        run.start()
        worker = run.worker("--concurrency", "1")
        run.wait_for_records(1)
        run.coordinator.send_signal(signal.SIGINT)
        run.finish(130)
        found = re.search(r"stopped after \d+ of 40 games; continue with: plum (selfplay .*)", run.text())
        require(found, "no command: %s", run.text())
        run.coordinator = subprocess.Popen("exec '%s' %s" % (Settings.plum, found.group(1)), shell=True,
                                           cwd=folder.path, stdout=run.log, stderr=run.log)
        run.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        run.compare(whole)


def this_machine_can_play_along():
    words = _options(games=60, player="random", concurrency=2)
    whole = _alone(words)
    with Folder() as folder, _Run(folder, words) as run:
        run.start()
        run.finish()
        run.compare(whole)


def a_full_disk_costs_no_game_and_another_server_can_be_used():
    words = _options(games=60)
    whole = _alone(words)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000))

    with Folder() as folder:
        port = free_port()
        server = subprocess.Popen([shutil.which("nats-server", path=PATH), "-js", "-a", "127.0.0.1", "-p", str(port),
                                   "-sd", folder.file("streams")], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        try:
            wait("the server", lambda: _is_open(port))
            with _Run(folder, words, "--queue", "nats://127.0.0.1:%d" % port, "--games-per-job", "7") as run:
                run.start(preexec_fn=limit)
                worker = run.worker("--concurrency", "1")
                run.finish(3)
                require("cannot write data.txt" in run.text(), "%s", run.text())
                before = _text(folder.file("data.txt"))
                require(before and whole.startswith(before), "the file does not end with a whole record")
                run.start()
                run.finish()
                equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
                run.compare(whole)
        finally:
            server.kill()
            server.wait()


def a_range_with_an_unreadable_result_is_played_again():
    """A worker acknowledges its range, and its result cannot be read."""
    words = _options(games=40)
    whole = _alone(words)
    with Folder() as folder, _Run(folder, words) as run:
        run.start()
        values = worker_values(folder.file("data.txt.worker"))
        first = run.worker("--concurrency", "1")
        wait("the worker", lambda: "at once" in run.text())
        first.kill()
        first.wait()
        nats = Nats(run.how[0].split("=")[1], values)
        inbox = "_INBOX.%s.job" % values["user"]
        nats.subscribe(inbox)
        nats.publish("$JS.API.CONSUMER.MSG.NEXT.PLUM-%s-JOBS.plum" % values["tournament"],
                     b'{"batch":1,"expires":30000000000}', inbox)
        _, lender, _ = nats.wait_for(lambda message: message[1].startswith("$JS.ACK."))
        store_result(nats, values, b"not a result")
        nats.publish(lender, b"+ACK")
        nats.answer()
        run.worker()
        run.finish()
        run.compare(whole)
        require(re.search(r"refused 1; .* lost them [1-9]", run.text()), "%s", run.text())


def files_for_many_workers_can_be_written_before():
    words = _options(games=40)
    whole = _alone(words)
    with Folder() as folder, _Run(folder, words) as run:
        folder.plum("worker-file", "data.txt", "--count", "2", "-o", "files", "--workers", run.how[0].split("=")[1])
        worker = run.worker(file="files/data.txt-2.worker")
        run.start()
        run.finish()
        equal(worker.wait(PATIENCE_S), 0, "exit code of the worker")
        run.compare(whole)


if __name__ == "__main__":
    need_nats(sys.argv[1])
    main(globals())
