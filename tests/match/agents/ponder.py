"""ponder: what an agent does with the processor while it owes no answer, and how much it gets."""
import os
import sys
import time


def work(seconds):
    """Uses the processor for this long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def count(steps):
    """Does this much work and writes how long it took."""
    start = time.monotonic()
    value = 1
    for _ in range(steps):
        value = value * 69069 % 4294967291
    print("worked %.6f" % (time.monotonic() - start), file=sys.stderr, flush=True)


def spin(children):
    for _ in range(children):
        if os.fork() == 0:
            while True:
                pass


class Spinner:
    """A child that always works. At each question the time that it got since the last answer is written."""

    def __init__(self):
        self.answered = None
        self.child = os.fork()
        if self.child == 0:
            while True:
                pass

    def used(self):
        with open("/proc/%d/stat" % self.child) as file:
            words = file.read().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def note_question(self):
        if self.answered is not None:
            print("pondered %.2f" % (self.used() - self.answered), file=sys.stderr, flush=True)

    def note_answer(self):
        self.answered = self.used()
