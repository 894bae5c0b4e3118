"""cluster_support: a tournament with a real nats-server and real workers, and a raw client of NATS."""
import itertools
import os
import re
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from support import PATIENCE_S, Failure, Folder, Settings, equal, randoms, require, roster

LEASE_S = 1
PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"


def need_nats(plum):
    """Ends the test as skipped where there is no nats-server, or a plum without libnats."""
    Settings.plum = os.path.abspath(plum)
    if not shutil.which("nats-server", path=PATH):
        print("skipped: nats-server is not installed")
        sys.exit(77)
    with Folder() as folder:
        _, err = folder.plum("worker-file", "x.ini", "-o", "files", code=None)
        if "built without NATS" in err:
            print("skipped: %s" % err.strip())
            sys.exit(77)


def enter_namespaces(*kinds):
    """Starts this test again in namespaces of its own, as root there; skips it where that is not allowed."""
    mark = "PLUM_TEST_NAMESPACES"
    if os.environ.get(mark):
        return
    command = ["unshare", *([] if os.geteuid() == 0 else ["-r"]), *kinds]
    probe = [*command, "true"]
    if not shutil.which("unshare") or subprocess.run(probe, stderr=subprocess.DEVNULL, check=False).returncode:
        print("skipped: '%s' is not possible here: run it as root" % " ".join(probe))
        sys.exit(77)
    os.environ[mark] = "yes"
    os.execvp("unshare", [*command, sys.executable, "-B", *sys.argv])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait(what, condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        require(time.monotonic() < end, "in vain: %s", what)
        time.sleep(0.02)


def attempt(action):
    """Its result; None: there was an error of the network."""
    try:
        return action()
    except OSError:
        return None


def _games(folder, database):
    """Every game with its record, without what may differ between two runs."""
    folder.plum("export", database, "-o", database + ".pgn")
    with open(folder.file(database + ".pgn"), encoding="utf-8") as file:
        text = file.read()
    os.unlink(folder.file(database + ".pgn"))
    text = re.sub(r'^\[(Date|Sandbox|Machine) ".*"\]\n', "", text, flags=re.M)
    return re.sub(r" ?\{[^}]*\}", "", text)


def outcome(folder, database="class.db"):
    """All that must be equal to a run on one machine: nothing is lost, nothing is double."""
    return folder.table(database), _games(folder, database)


def compare(folder, name, whole):
    table, games = whole
    equal(folder.table(name + ".db"), table, "the table")
    equal(_games(folder, name + ".db"), games, "the records")
    equal(folder.json("status", name + ".db")["state"], "finished", "the state")


def alone(text):
    with Folder() as folder:
        folder.write("class.ini", text)
        folder.plum("run", "class.ini")
        return outcome(folder)


def class_text(teams=8, **keys):
    players = randoms(teams - 2) + ["builtin:nodes=300", "builtin:nodes=600"]
    return roster("reversi", players, seed=11, **keys)


def slow_text(teams, nodes):
    """Each pairing takes a while."""
    return roster("reversi", ["builtin:nodes=%d" % (nodes + i) for i in range(teams)], seed=2)


AGENTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "match", "agents")
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
AGENT = "ugi:%s -S -E team/ugi_agent.py good" % PYTHON


def add_agent(folder, bytes_more=0):
    """The program of AGENT, with as many more bytes."""
    shutil.copytree(AGENTS, folder.file("team"), dirs_exist_ok=True)
    with open(folder.file("team/weights"), "wb") as file:
        file.write(bytes(range(251)) * (bytes_more // 251))
    for place, _, files in os.walk(folder.file("team")):  # whatever the umask of the checkout was
        os.chmod(place, 0o755)
        for name in files:
            os.chmod(os.path.join(place, name), 0o644)


def stop(*processes):
    for process in processes:
        if process and process.poll() is None:
            process.kill()
            process.wait()


def plain_server(folder, address, inside=()):
    """A nats-server without TLS, as a campus may have one."""
    host, port = address.split(":")
    return subprocess.Popen([*inside, shutil.which("nats-server", path=PATH), "-js", "-a", host, "-p", port, "-sd",
                             folder.file("streams")], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Cluster:
    """A tournament with its server and workers; all is killed at the end.

    `inside`: words before a command that let it run elsewhere."""

    def __init__(self, folder, text, name="class", address=None, queue=None):
        self.folder = folder
        self.name = name
        self.address = address or "127.0.0.1:%d" % free_port()
        self.where = ["--queue", queue] if queue else ["--workers=" + self.address]
        self.workers = []
        self.coordinator = None
        self.log = tempfile.NamedTemporaryFile(prefix="tournament-test-")  # the disk of the folder may be full
        folder.write(name + ".ini", text)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(*self.workers, self.coordinator)
        self.log.close()

    def start(self, *words, what=None, inside=(), **options):
        """Run or, if it has begun, resume; or another command. Slow machines may play, unless the test asks."""
        has_begun = os.path.exists(self.folder.file(self.name + ".db"))
        what = what or (["resume", self.name + ".db"] if has_begun else ["run", self.name + ".ini"])
        slowest = [] if "--slowest" in words else ["--slowest", "0"]
        self.coordinator = subprocess.Popen(
            [*inside, Settings.plum, "tournament", *what, *self.where, "--lease", str(LEASE_S), *slowest,
             *words],
            cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log, **options)
        wait("the worker file", lambda: "on each machine" in self.text() or self.coordinator.poll() is not None)

    def text(self):
        with open(self.log.name, encoding="utf-8", errors="replace") as file:
            return file.read()

    def worker(self, *words, file=None, program=None, inside=(), **options):
        process = subprocess.Popen([*inside, program or Settings.plum, "worker", file or self.name + ".worker", *words],
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
        if pid and self.coordinator.poll() is None and parent(pid) == self.coordinator.pid:
            os.kill(pid, signal.SIGKILL)

    def played(self):
        """How many games are stored."""
        return sum(game["status"] == "played" for game in self.folder.json("games", self.name + ".db"))

    def finish(self, code=0):
        """Waits for the coordinator."""
        try:
            self.coordinator.wait(PATIENCE_S)
        except subprocess.TimeoutExpired as late:
            raise Failure("the tournament does not end: %s" % self.text()[-3000:]) from late
        equal(self.coordinator.returncode, code, "exit code; " + self.text()[-3000:])

    def counts(self):
        """Of the last run: results, duplicates, refused, deaths, repeats."""
        found = re.findall(r"workers: results (\d+), duplicates (\d+), refused (\d+); .* was lost (\d+), .* them (\d+)",
                           self.text())
        require(found, "no summary: %s", self.text()[-2000:])
        return [int(number) for number in found[-1]]


def parent(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as file:
            return int(file.read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


# --- Messages, without the product's own client ---

def worker_values(path):
    """The keys of a worker file."""
    with open(path, encoding="utf-8") as file:
        return dict(line.strip().split(" = ", 1) for line in file if " = " in line)


def coordinator_values(cluster):
    """Who may see everything; the other keys are those of the worker file."""
    with open(cluster.folder.file(cluster.name + ".queue/users"), encoding="ascii") as file:
        users = dict(line.split() for line in file)
    return dict(worker_values(cluster.folder.file(cluster.name + ".worker")), user="coordinator",
                password=users["coordinator"])


class Nats:
    """As much of the protocol as a test needs, over TLS with the authority of a worker file."""

    def __init__(self, address, values):
        host, port = address.split(":")
        raw = socket.create_connection((host, int(port)), 10)
        while raw.recv(1) != b"\n":  # INFO
            pass
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.load_verify_locations(
            cadata="-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n" % values["ca"])
        self.socket = context.wrap_socket(raw, server_hostname="plum-queue")
        self.file = self.socket.makefile("rb")
        self.messages = []  # (subject, reply, body)
        self.subscriptions = 0
        self.send('CONNECT {"user":"%s","pass":"%s","verbose":false,"lang":"test","version":"1"}'
                  % (values["user"], values["password"]))

    def close(self):
        self.file.close()
        self.socket.close()

    def send(self, line, body=None):
        data = line.encode() + b"\r\n" + (body + b"\r\n" if body is not None else b"")
        try:
            self.socket.sendall(data)
        except OSError:
            pass  # the server has closed the connection

    def publish(self, subject, body, reply=""):
        self.send("PUB %s %s %d" % (subject, reply, len(body)), body)

    def subscribe(self, subject):
        self.subscriptions += 1
        self.send("SUB %s %d" % (subject, self.subscriptions))

    def _line(self):
        """One line of the server, with its message if it has one; "": it has closed the connection."""
        try:
            line = self.file.readline().decode()
            words = line.split()
            if words and words[0] in ("MSG", "HMSG"):
                body = self.file.read(int(words[-1]) + 2)[:-2]
                head = int(words[-2]) if words[0] == "HMSG" else 0
                has_reply = len(words) == (6 if head else 5)
                self.messages.append((words[1], words[3] if has_reply else "", body[head:]))
            return line
        except OSError:
            return ""

    def answer(self):
        """What the server says to all that was sent; its messages are kept."""
        self.send("PING")
        text = ""
        while True:
            line = self._line()
            text += line
            if not line or line.startswith("PONG"):
                return text

    def wait_for(self, condition):
        """Reads messages until one fulfils the condition, and returns it."""
        self.socket.settimeout(PATIENCE_S)
        seen = 0
        while True:
            for message in self.messages[seen:]:
                if condition(message):
                    return message
            seen = len(self.messages)
            line = self._line()
            require(line, "the server closed the connection, or sent nothing any more")
            if line.startswith("PING"):
                self.send("PONG")


_deliveries = itertools.count()


def store_result(nats, values, body):
    """As a worker delivers: returns when the server has confirmed it."""
    inbox = "_INBOX.%s.test%d" % (values["user"], next(_deliveries))  # not where an earlier confirmation can still arrive
    nats.subscribe(inbox)
    nats.publish("plum.%s.result" % values["tournament"], body, inbox)
    nats.wait_for(lambda message: message[0] == inbox)


def pack(data):
    return struct.pack("<I", len(data)) + zlib.compress(data, 1)


def unpack(body):
    return zlib.decompress(body[4:]) if any(body[:4]) else body[4:]


KEY = struct.Struct("<Q?7i")  # stamp, is_qualification, pairing, round, two teams, first game, from, to
KEY_NAMES = ("stamp", "is_qualification", "pairing", "round", "team0", "team1", "first", "from", "to")
RESULT, REPORT = 4, 5  # kinds of messages
FORMAT = 4
HEAD = struct.pack("<ii", FORMAT, RESULT)


def is_result(message):
    return message[0].endswith(".result")


def is_begun(message):
    """Whether a worker reports that it plays a job."""
    return message[0].endswith(".report") and struct.unpack_from("<iii", message[2]) == (FORMAT, REPORT, 0)


def key_of(message):
    """Which games a result or a report is about."""
    body = message[2]
    if is_result(message):
        return KEY.unpack_from(unpack(body), len(HEAD))
    machine_bytes = struct.unpack_from("<I", body, 12)[0]
    return KEY.unpack_from(body, 16 + machine_bytes + 8)


def attempts_of(body):
    """Of the games of a result."""
    data = unpack(body)
    values = dict(zip(KEY_NAMES, KEY.unpack_from(data, len(HEAD))))
    return struct.unpack_from("<%di" % (values["to"] - values["from"]), data, len(HEAD) + KEY.size)


def change_key(body, attempts=None, **keys):
    """A result with another key."""
    data = unpack(body)
    values = dict(zip(KEY_NAMES, KEY.unpack_from(data, len(HEAD))))
    values.update(keys)
    attempts = attempts or attempts_of(body)
    rest = data[len(HEAD) + KEY.size + 4 * len(attempts):]
    return pack(HEAD + KEY.pack(*values.values()) + struct.pack("<%di" % len(attempts), *attempts) + rest)
