# --- The clock ---
# The time that counts is that of the judge's clock, so this is a clock on the wall: on a busy machine it also runs while
# our program waits for a processor.

class TimeOver(Exception):
    """What was being computed is thrown away."""


turn_begins = turn_ends = 0.0


def start_clock(seconds):
    global turn_begins, turn_ends
    turn_begins = time.perf_counter()
    turn_ends = turn_begins + seconds


def check_clock():
    if time.perf_counter() > turn_ends:
        raise TimeOver


def seconds_used():
    return time.perf_counter() - turn_begins
