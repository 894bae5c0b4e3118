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
    """A child that always works. At each question the processor time that it got since the last one is written."""

    def __init__(self):
        self.before = self.now = 0.0
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        if os.fork() == 0:
            self.spin()

    def spin(self):
        last = 0
        while True:
            now = time.process_time()
            if now - last > 0.02:
                os.write(self.writer, b"%.2f\n" % now)
                last = now

    def note_question(self):
        try:
            self.now = float(os.read(self.reader, 65536).decode().split()[-1])
        except BlockingIOError:
            pass
        print("pondered %.2f" % (self.now - self.before), file=sys.stderr, flush=True)
        self.before = self.now
