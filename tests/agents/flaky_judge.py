"""A judge that loses the connection after the answer and asks again: the agent must not think twice.

usage: flaky_judge.py COMMAND...        PORT in it stands for the judge's port
"""
import os
import socket
import struct
import subprocess
import sys
import time

START = "X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O".replace("/", "")
QUESTION = struct.pack("<67i", 1, 5, *(".XO".index(cell) for cell in START), 1)


def accept(listener):
    line, _ = listener.accept()
    line.settimeout(20)
    print("team", struct.unpack("<i", line.recv(4, socket.MSG_WAITALL))[0])
    return line


def processor_s(process):
    with open("/proc/%d/stat" % process.pid) as file:
        words = file.read().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def ask(line):
    line.sendall(QUESTION)
    count, package = struct.unpack("<ii", line.recv(8, socket.MSG_WAITALL))
    squares = line.recv(8 * count, socket.MSG_WAITALL)
    print("an answer to package", package)
    return squares


def main():
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(20)
    command = [word.replace("PORT", str(listener.getsockname()[1])) for word in sys.argv[1:]]
    agent = subprocess.Popen(command)
    line = accept(listener)
    began = time.monotonic()
    first = ask(line)
    print("after a while" if time.monotonic() - began > 0.4 else "after a moment")
    line.close()
    line = accept(listener)
    # On a busy machine even an answer that is there takes a while to come, but no thinking.
    began = processor_s(agent)
    print("the same answer" if ask(line) == first else "another answer")
    print("without thinking" if processor_s(agent) - began < 0.2 else "after thinking")
    line.sendall(struct.pack("<ii", 0, 0))
    print("exit code", agent.wait(20))


main()
