"""harm: what a hostile program may try. Each function says on stderr how it went."""
import os
import signal
import socket
import sys
import time


def say(text):
    print("harm:", text, file=sys.stderr, flush=True)


def attempt(what, function, *words):
    """Says whether something that must fail does."""
    try:
        function(*words)
        say(what + ": done")
    except Exception as error:  # any refusal will do
        say("%s: refused, %s" % (what, error))


def write(path, text="x"):
    with open(path, "w") as file:
        file.write(text)


def read(path):
    with open(path) as file:
        say("secret: " + file.read(100))


def state_of(path):
    """The fields of a stat file of /proc from the state on."""
    with open(path) as file:
        return file.read().rsplit(")", 1)[1].split()


def hold_judge(answer, comes_first, seconds):
    """Stops the judge for that time, without a sandbox, and answers at the beginning or the end of it.

    It waits first until the judge does: on a busy machine it would stop it in the call that writes the question,
    before the clock of the move is started."""
    judge = int(state_of("/proc/%d/stat" % os.getppid())[1])  # the parent of its helper
    while state_of("/proc/%d/stat" % judge)[0] != "S":
        time.sleep(0.001)
    os.kill(judge, signal.SIGSTOP)
    if comes_first:
        answer()
    time.sleep(seconds)
    if not comes_first:
        answer()
    os.kill(judge, signal.SIGCONT)


def children():
    """Some that sleep, one in a session of its own, one without a parent that waits, one that spins."""
    for kind in range(4):
        if os.fork() == 0:
            if kind == 1:
                os.setsid()
            if kind == 2 and os.fork():
                os._exit(0)
            while kind == 3:
                pass
            time.sleep(1000)


def fork_bomb():
    while True:
        try:
            os.fork()
        except OSError:
            time.sleep(0.05)


def memory():
    kept = []
    while True:
        kept.append(b"x" * (64 << 20))


def memory_together(count, mib):
    """Each of several processes takes less than the limit."""
    for _ in range(int(count)):
        if os.fork() == 0:
            kept = bytearray(b"x") * (int(mib) << 20)
            time.sleep(1000)
            say(str(kept[0]))
    time.sleep(8)
    say("memory: done")


def memory_copied(count, mib):
    """Several processes share what one has taken: together they use it once."""
    kept = bytearray(b"x") * (int(mib) << 20)
    for _ in range(int(count)):
        if os.fork() == 0:
            time.sleep(1000)
            say(str(kept[0]))
    time.sleep(2)
    say("memory: done")


def memory_shared(mib, path=None):
    """Memory that no limit of a single process counts; it is never mapped all at once."""
    import mmap
    try:
        kept = []
        file = os.open(path, os.O_RDWR) if path else -1
        for _ in range(int(mib)):
            kept.append(mmap.mmap(file, 1 << 20))
            kept[-1].write(b"x" * (1 << 20))
            kept[-1].madvise(mmap.MADV_DONTNEED)
        time.sleep(2)
        say("memory: done, %d MiB" % sum(piece[0] == ord("x") for piece in kept))
    except OSError as error:
        say("memory: refused, %s" % error)


def inotify_instances(wanted):
    """How many of them it got, which it keeps, and the error that ended it."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    taken = 0
    while taken < int(wanted) and libc.inotify_init() >= 0:
        taken += 1
    return taken, ctypes.get_errno()


def disk():
    """Fills every folder it can write to."""
    for folder in (".", os.environ.get("HOME", "."), "/tmp", "/dev/shm", "/var/tmp"):
        attempt("fill " + folder, fill, folder)


def fill(folder):
    for number in range(1000):
        with open(os.path.join(folder, "fill%d" % number), "wb") as file:
            file.write(b"x" * (4 << 20))


def outside(*paths):
    for path in paths:
        attempt("write " + path, write, path)


def secret(path):
    attempt("read " + path, read, path)


def network(port):
    attempt("connect", socket.create_connection, ("127.0.0.1", int(port)), 1)
    attempt("connect far", socket.create_connection, ("192.0.2.1", 80), 1)
    attempt("raw socket", socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)


def signals(judge):
    for number in {int(judge), os.getppid(), 1}:
        attempt("kill %d" % number, os.kill, number, signal.SIGKILL)


def ptrace(judge):
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    for number in {int(judge), os.getppid()}:
        attached = libc.ptrace(16, number, None, None)
        say("ptrace %d: %s" % (number, "done" if attached == 0 else "refused"))


def do(name, *words):
    globals()[name](*words)
