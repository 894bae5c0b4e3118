"""Presses Ctrl-C at the right moment, however busy the machine is.

usage: ctrl_c.py CONDITION COMMAND...

Runs COMMAND, sends SIGINT as soon as CONDITION is true, and ends with the exit code of COMMAND.
CONDITION is a line for sh, in which $PID is the number of the process. SIGNAL in the environment
names another signal, such as TERM. COMMAND starts with SIGINT ignored, as in the background of a
script: Ctrl-C must end it all the same.
"""
import os
import signal
import subprocess
import sys
import time


def main():
    condition, *command = sys.argv[1:]
    number = signal.Signals["SIG" + os.environ.get("SIGNAL", "INT")]
    process = subprocess.Popen(command, preexec_fn=lambda: number == signal.SIGKILL or signal.signal(
        number, signal.SIG_IGN if number == signal.SIGINT else signal.SIG_DFL))
    environment = dict(os.environ, PID=str(process.pid))
    while subprocess.run(["sh", "-c", condition], env=environment, check=False).returncode:
        if process.poll() is not None:
            sys.exit("ctrl_c: it has ended before: %s" % condition)
        time.sleep(0.02)
    process.send_signal(number)
    code = process.wait()
    sys.exit(code if code >= 0 else 128 - code)


main()
