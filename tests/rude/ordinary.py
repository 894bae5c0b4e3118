"""ordinary: what programs in Python and their libraries do, and a sandbox need not report."""
import asyncio
import ctypes
import ctypes.util
import getpass
import importlib
import json
import locale
import logging
import multiprocessing
import os
import platform
import pwd
import random
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
import uuid
import zoneinfo


def square(number):
    return number * number


def attempt(what, *arguments):
    """Does what may fail here, as it may on any machine."""
    try:
        return what(*arguments)
    except (OSError, KeyError, ImportError, sqlite3.Error):
        return None


def write(path):
    with open(path, "w", encoding="utf-8") as file:
        file.write("text\n")


def read(path):
    with open(path, "rb") as file:
        return file.read(4096)


def import_widely():
    """Modules for numbers and pictures look for caches, settings and processors."""
    for name in ("numpy", "scipy", "torch", "numba", "matplotlib", "pandas"):
        attempt(importlib.import_module, name)


def main():
    import_widely()
    folder = os.path.dirname(os.path.abspath(__file__))
    # Its own folder is read-only: a log there fails, as does a cache of compiled modules.
    attempt(write, "debug.log")
    attempt(write, os.path.join(folder, "log.txt"))
    attempt(os.mkdir, os.path.join(folder, "__pycache__"))
    attempt(os.mkdir, os.path.join(os.path.dirname(os.__file__), "__pycache__"))
    attempt(write, os.path.join(os.path.dirname(os.__file__), "__pycache__", "os.pyc"))
    # A path of the author's own machine.
    attempt(write, os.path.join("/home", "no-such-user-here", "project", "log.txt"))
    attempt(read, os.path.join("/home", "no-such-user-here", "project", "weights.bin"))
    # Weights where they were on the author's machine; nothing is there.
    for path in ("../no-weights.npz", "../data/no-weights.npz", "../../no-weights.npz"):
        attempt(read, path)
    # Caches, temporary files.
    with tempfile.TemporaryDirectory() as place:
        write(os.path.join(place, "file"))
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"text")
    attempt(write, "/tmp/plum-ordinary.txt")
    attempt(write, "/var/tmp/plum-ordinary.txt")
    attempt(os.makedirs, os.path.expanduser("~/.cache/matplotlib"))
    attempt(write, os.path.expanduser("~/.cache/matplotlib/fontlist.json"))
    attempt(write, "/var/cache/fontconfig/CACHEDIR.TAG")
    for path in ("/dev/null", "/dev/tty", "/proc/self/comm", "/proc/self/oom_score_adj"):
        attempt(write, path)
    # What libraries read.
    for path in ("/proc/self/status", "/proc/self/maps", "/proc/self/environ", "/proc/cpuinfo",
                 "/proc/meminfo", "/proc/stat", "/proc/1/cgroup", "/proc/1/stat", "/etc/localtime",
                 "/etc/passwd", "/etc/hosts", "/etc/resolv.conf", "/etc/ssl/openssl.cnf",
                 "/etc/os-release", "/etc/machine-id", "/sys/devices/system/cpu/online",
                 "/sys/fs/cgroup/memory.max", "/usr/share/zoneinfo/UTC", "/dev/urandom",
                 f"/proc/{os.getpid()}/stat", f"/proc/{os.getpid()}/environ"):
        attempt(read, path)
    attempt(os.listdir, "/")
    attempt(os.listdir, "/proc")
    attempt(os.listdir, folder)
    attempt(os.listdir, os.path.dirname(folder))
    attempt(zoneinfo.ZoneInfo, "Asia/Taipei")
    attempt(locale.setlocale, locale.LC_ALL, "")
    attempt(pwd.getpwuid, os.getuid())
    attempt(getpass.getuser)
    attempt(ctypes.util.find_library, "m")
    ctypes.CDLL(None)
    platform.platform()
    uuid.uuid4()
    uuid.getnode()
    attempt(ssl.create_default_context)
    # Network: only its own loopback, names, and what getaddrinfo does.
    socket.gethostname()
    attempt(socket.getaddrinfo, "localhost", 8888)
    attempt(socket.gethostbyname, "no-such-host.invalid")
    attempt(socket.gethostbyname, socket.gethostname())
    attempt(socket.socket, socket.AF_UNIX)
    first, second = socket.socketpair()
    first.sendall(b"x")
    second.recv(1)
    try:
        with socket.create_connection(("127.0.0.1", 8888), timeout=1):
            pass
    except OSError:
        pass
    # Its own processes.
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    child.terminate()
    child.wait()
    attempt(os.kill, child.pid, signal.SIGTERM)
    os.kill(os.getpid(), 0)
    attempt(os.kill, os.getppid(), 0)
    signal.signal(signal.SIGUSR1, lambda *_: None)
    os.kill(os.getpid(), signal.SIGUSR1)
    signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)
    process = multiprocessing.Process(target=time.sleep, args=(60,))
    process.start()
    process.terminate()
    process.join()
    try:
        with multiprocessing.Pool(2) as pool:
            assert pool.map(square, [1, 2, 3]) == [1, 4, 9]
        value = multiprocessing.Value("i", 1)
        value.value += 1
    except OSError as error:
        print("multiprocessing:", error, file=sys.stderr)
    thread = threading.Thread(target=square, args=(2,))
    thread.start()
    thread.join()
    asyncio.run(asyncio.sleep(0))
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE t (a)")
    attempt(sqlite3.connect, os.path.join(folder, "book.db"))
    logging.getLogger().warning("%s", json.dumps(random.random() < 2))
    urllib.request.getproxies()
    print("done")


if __name__ == "__main__":
    main()
