"""Runs a command while a port of this machine is taken, by us or by another program.

usage: hold_port.py PORT COMMAND...
"""
import socket
import subprocess
import sys

with socket.socket() as holder:
    try:
        holder.bind(("127.0.0.1", int(sys.argv[1])))
        holder.listen()
    except OSError:
        pass  # it is taken already
    sys.exit(subprocess.call(sys.argv[2:]))
