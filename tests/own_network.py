"""own_network: runs a command in a network namespace of its own, where port 8888 is free.

usage: unshare -rn python3 own_network.py [--last] COMMAND...        --last: it can make no more of them
"""
import fcntl
import os
import socket
import struct
import sys

SIOCSIFFLAGS, IFF_UP = 0x8914, 1

words = sys.argv[1:]
with socket.socket() as line:
    fcntl.ioctl(line, SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", IFF_UP))
if words[0] == "--last":
    words = words[1:]
    for kind in ("user", "mnt", "pid", "net", "ipc", "uts"):
        with open("/proc/sys/user/max_%s_namespaces" % kind, "w") as file:
            file.write("0")
os.execvp(words[0], words)
