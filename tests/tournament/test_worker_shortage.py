"""The disk of a worker, or of the coordinator, is full: it costs time, never a result, and no team pays for it."""
import os
import re
import subprocess
import sys

from cluster_support import (AGENT, Cluster, add_agent, alone, compare, enter_namespaces, need_nats, outcome, slow_text,
                             wait)
from support import PATIENCE_S, Folder, equal, main, require, roster


class _SmallDisk:
    """A disk of its own at a folder. It is full once it was filled."""

    def __init__(self, path, kilobytes, mode=755):
        self.path = path
        self.rest = os.path.join(path, "rest")
        os.makedirs(path, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk,mode=%d" % (kilobytes, mode), "plum-test", path],
                       check=True)

    def fill(self):
        with open(self.rest, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                pass

    def empty(self):
        os.unlink(self.rest)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path], check=True)


def workers_with_a_full_disk_give_their_work_back():
    text = roster("reversi", [AGENT, "random:seed=3"], seed=4)
    with Folder() as folder:
        add_agent(folder, 1000000)
        folder.write("class.ini", text)
        folder.plum("run", "class.ini")
        whole = outcome(folder)
    with Folder() as folder, _SmallDisk(folder.file("small"), 256) as disk, Cluster(folder, text) as cluster:
        add_agent(folder, 1000000)
        cluster.start()
        full = dict(os.environ, TMPDIR=disk.path)
        for _ in range(6):
            equal(cluster.worker(env=full).wait(PATIENCE_S), 3, "exit code with a full disk; " + cluster.text()[-2000:])
        require("No space left" in cluster.text(), "no reason: %s", cluster.text())
        cluster.worker()
        cluster.finish()
        compare(folder, "class", whole)
        require("it is played here" not in cluster.text(), "counted against the pairing: %s", cluster.text())


def _fill_disk(folder, disk, cluster, text):
    """The disk becomes full after the first pairing, and is emptied when the coordinator has said so. The tournament
    goes on, or has ended with exit code 3 and is resumed."""
    whole = alone(text)
    cluster.start()
    cluster.worker()
    wait("a pairing", lambda: cluster.played() >= 2)
    disk.fill()
    wait("a sentence", lambda: re.search("disk|space", cluster.text()))
    disk.empty()
    wait("the end, or more games", lambda: cluster.coordinator.poll() is not None or cluster.played() >= 6)
    if cluster.coordinator.poll():
        equal(cluster.coordinator.returncode, 3, "exit code; " + cluster.text()[-2000:])
        cluster.start()
        cluster.worker()
    cluster.finish()
    compare(folder, "class", whole)


def a_full_disk_of_the_coordinator_costs_time_only():
    """It has the database and the streams."""
    text = slow_text(5, 500)
    with Folder() as folder, _SmallDisk(folder.path, 30000) as disk, Cluster(folder, text) as cluster:
        _fill_disk(folder, disk, cluster, text)


def a_full_disk_of_the_server_costs_time_only():
    """It has only the streams."""
    text = slow_text(5, 500)
    with Folder() as folder, _SmallDisk(folder.file("class.queue"), 20000, 700) as disk, \
            Cluster(folder, text) as cluster:
        _fill_disk(folder, disk, cluster, text)


if __name__ == "__main__":
    enter_namespaces("-m")
    need_nats(sys.argv[1])
    main(globals())
