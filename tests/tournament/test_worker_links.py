"""The link of one machine is down, at the worst moments: the tournament is that of one machine.

Two machines are network namespaces. This test is the cable between them: it sees every frame, so that it can cut the
link exactly between two acknowledgements. Nothing is closed; frames just do not arrive any more.
"""
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import threading
import time

from cluster_support import (LEASE_S, PATH, Cluster, alone, compare, enter_namespaces, need_nats, plain_server,
                             slow_text, stop, wait)
from support import Folder, equal, main, require

NEAR, FAR = "10.77.0.1", "10.77.0.2"
PORT = 7586
ADDRESS = "%s:%d" % (NEAR, PORT)
PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING, SOL_PACKET, ETH_P_ALL = 15, 23, 263, 3
FRAME_BYTES = 1 << 17


class _Cable:
    """Two machines, near and far."""

    def __init__(self):
        self.machines = []
        self.ends = []
        self.is_cut = False
        self.is_over = False
        self.pattern = None  # a frame of the far machine with this is lost, and all that follow
        try:
            for name, address in (("near", NEAR), ("far", FAR)):
                self._add(name, address)
        except BaseException:
            stop(*self.machines)
            raise
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    def _add(self, name, address):
        # Without our output: one that is left over would keep the test's reader waiting.
        machine = subprocess.Popen(["unshare", "-n", "sleep", "1000000"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        self.machines.append(machine)
        own = os.readlink("/proc/self/ns/net")
        wait("a network namespace", lambda: os.readlink("/proc/%d/ns/net" % machine.pid) != own)
        _ip("link", "add", name, "type", "veth", "peer", "name", "wire", "netns", str(machine.pid))
        _ip("link", "set", name, "up")
        inside = self.inside(name)
        _ip("link", "set", "lo", "up", inside=inside)
        _ip("address", "add", address + "/24", "dev", "wire", inside=inside)
        _ip("link", "set", "wire", "up", inside=inside)
        end = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        end.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)  # checksums and long frames stay as they are
        end.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
        end.bind((name, 0))
        self.ends.append(end)

    def inside(self, name):
        """The words before a command that runs on one of the machines."""
        return ["nsenter", "--net=/proc/%d/ns/net" % self.machines[0 if name == "near" else 1].pid, "--"]

    def _carry(self):
        near, far = self.ends
        while not self.is_over:
            for end in select.select(self.ends, [], [], 0.1)[0]:
                frame = end.recv(FRAME_BYTES)
                if end is far and self.pattern and self.pattern.search(frame):
                    self.pattern = None
                    self.is_cut = True
                if not self.is_cut:
                    try:
                        (near if end is far else far).send(frame)
                    except OSError:
                        pass  # as if it was lost

    def cut_at(self, pattern):
        self.pattern = re.compile(pattern, re.S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_over = True
        self.thread.join()
        for name in ("near", "far"):  # now: the kernel removes them with the namespaces, but later
            _ip("link", "delete", name)
        stop(*self.machines)
        for end in self.ends:
            end.close()


def _ip(*words, inside=()):
    subprocess.run([*inside, shutil.which("ip", path=PATH), *words], check=True)


def a_link_that_is_down_in_mid_game_costs_time_only():
    """Shorter than the lease: the worker delivers. Longer: another one plays the pairing, the first result counts."""
    text = slow_text(4, 20000)
    whole = alone(text)
    for seconds in (LEASE_S / 2, 3 * LEASE_S):
        with _Cable() as cable, Folder() as folder, Cluster(folder, text, address=ADDRESS) as cluster:
            cluster.start(inside=cable.inside("near"))
            far = cluster.worker(inside=cable.inside("far"))
            wait("a worker", lambda: "game at once" in cluster.text())
            time.sleep(0.3)
            cable.is_cut = True
            if seconds > LEASE_S:
                cluster.worker(inside=cable.inside("near"))
            time.sleep(seconds)
            cable.is_cut = False
            cluster.finish()
            compare(folder, "class", whole)
            require(far.poll() in (None, 0), "exit code of the worker: %r", far.poll())


def _with_server(text):
    """A cable, with a server on the near machine."""
    cable = _Cable()
    folder = Folder()
    server = plain_server(folder, ADDRESS, cable.inside("near"))
    cluster = Cluster(folder, text, queue="nats://" + ADDRESS)
    return cable, folder, server, cluster


def _is_up(cable):
    probe = "import socket; socket.create_connection(('%s', %d), 1)" % (NEAR, PORT)
    return subprocess.run([*cable.inside("near"), sys.executable, "-c", probe], stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def _between(text, what, machine_of_coordinator, then):
    """Cuts the link when an acknowledgement of `what` leaves the far machine; `then` is what happens next."""
    whole = alone(text)
    cable, folder, server, cluster = _with_server(text)
    with cable, folder, cluster:
        try:
            wait("the server", lambda: _is_up(cable))
            cable.cut_at(rb"PUB \$JS\.ACK\.PLUM-[^ ]*-%s\.[^\r]*\r\n\+ACK" % what)
            cluster.start(inside=cable.inside(machine_of_coordinator))
            then(cable, folder, cluster)
            cluster.finish()
            compare(folder, "class", whole)
        finally:
            stop(server)


def _lose_job_acknowledgement(cable, _, cluster):
    """The far worker's result is stored; its job is lent to the near worker, which finds that it is not wanted."""
    far = cluster.worker(inside=cable.inside("far"))
    wait("the cut", lambda: cable.is_cut)
    cluster.worker(inside=cable.inside("near"))
    time.sleep(2 * LEASE_S)
    cable.is_cut = False
    cluster.finish()
    require(far.poll() in (None, 0), "exit code of the worker: %r", far.poll())
    equal(cluster.counts()[2], 0, "refused results")


def a_link_that_is_down_between_a_workers_result_and_its_acknowledgement():
    _between(slow_text(4, 3000), b"JOBS", "near", _lose_job_acknowledgement)


def _lose_result_acknowledgement(cable, folder, cluster):
    """The coordinator has committed the games, the server still has the result."""
    cluster.worker(inside=cable.inside("near"))
    wait("the cut", lambda: cable.is_cut)
    require(cluster.played() >= 2, "acknowledged before the commit: %r", folder.json("games", "class.db"))


def _kill_coordinator(cable, folder, cluster):
    _lose_result_acknowledgement(cable, folder, cluster)
    stop(cluster.coordinator)
    cable.is_cut = False
    cluster.start(inside=cable.inside("far"))
    cluster.finish()
    require(cluster.counts()[1] >= 1, "the result did not come again: %r", cluster.counts())


def _wait_a_while(cable, folder, cluster):
    _lose_result_acknowledgement(cable, folder, cluster)
    time.sleep(2 * LEASE_S)
    cable.is_cut = False


def a_link_that_is_down_between_the_commit_and_its_acknowledgement():
    for then in (_wait_a_while, _kill_coordinator):
        _between(slow_text(4, 3000), b"RESULTS", "far", then)


if __name__ == "__main__":
    if not shutil.which("ip", path=PATH):
        print("skipped: ip is not installed: it is in the package iproute2")
        sys.exit(77)
    enter_namespaces("-n")
    need_nats(sys.argv[1])
    main(globals())
