"""fair: how much an opponent that always uses the processor slows an agent down.

usage: python3 bench/fair.py PLUM [--rounds N] [--steps N] [CASE...]

An agent does the same work at each move and measures how long that takes. It plays three games in turn: against an
idle agent, against an idle agent once more, and against one with 30 children that never stop working. A round is three
games, about 28 moves of the agent in each. The ratios are those of the medians over all rounds: idle to idle shows the
noise, spinning to idle the damage. Exit code 1: in some case the two differ by more than 0.1.

Cases: no-cgroups, no-plain, yes-cgroups, yes-plain: `ponder` and with or without cgroups. `plain` needs root, which
hides the cgroups, or a user for whom there are none. Where plum can give each agent a core (3 cores and more), there is
nothing to measure: run it on two cores with `taskset -c 0,1`.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
AGENTS = os.path.join(os.path.dirname(HERE), "tests", "match", "agents")
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
CASES = ("no-cgroups", "no-plain", "yes-cgroups", "yes-plain")
OPPONENTS = ("good", "good", "spin 30")
LARGEST = 0.1
HIDE = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /sys/fs/cgroup && exec \"$@\"", "sh"]


def play(plum, folder, case, opponent, steps):
    """The times of the agent's work in one game."""
    ponder, kind = case.split("-")
    agent = "ugi:%s -S -E %s/agents/ugi_agent.py " % (PYTHON, folder)
    logs, record = os.path.join(folder, "logs"), os.path.join(folder, "record")
    wrapper = HIDE if kind == "plain" and os.geteuid() == 0 else []
    subprocess.run(wrapper + [plum, "match", "reversi", "--black", agent + "count %d" % steps, "--white",
                              agent + opponent, "--games", "1", "--concurrency", "1", "--time-limit", "60",
                              "--ponder", ponder, "--logs", logs, "--record", record], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(record) as file:
        level = re.search(r'\[Sandbox "(.*)"\]', file.read())[1]
    if ("without cgroups" in level) != (kind == "plain"):
        sys.exit("fair: %s is not possible here: the sandbox is %s" % (case, level))
    with open(os.path.join(logs, "player-1.log")) as file:
        times = [float(word) for word in re.findall(r"^worked (\S+)$", file.read(), re.M)]
    with open(os.path.join(logs, "player-2.log")) as file:
        frozen = re.search(r"^frozen (\d+) ", file.read(), re.M)
    if not times:
        sys.exit("fair: the agent did not play: plum match reversi --black '%scount 1' --white random" % agent)
    return times, int(frozen[1]) if frozen else 0


def measure(options, folder, case):
    times, frozen = [[], [], []], [0, 0, 0]
    for _ in range(options.rounds):
        for i, opponent in enumerate(OPPONENTS):
            more, count = play(options.plum, folder, case, opponent, options.steps)
            times[i] += more
            frozen[i] += count
    medians = [statistics.median(part) for part in times]
    noise, damage = medians[1] / medians[0], medians[2] / medians[0]
    print("%-12s %5d moves  idle %6.1f ms  idle/idle %.3f  spinning/idle %.3f  difference %+.3f  frozen %d, %d, %d" %
          (case, len(times[2]), medians[0] * 1e3, noise, damage, damage - noise, *frozen), flush=True)
    return abs(damage - noise) <= LARGEST


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plum", type=os.path.abspath)
    parser.add_argument("cases", nargs="*", default=CASES)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--steps", type=int, default=3000000, help="the work of a move: about 0.2 s")
    options = parser.parse_args()
    print("load %s, cores %d" % (" ".join(map(str, os.getloadavg())), len(os.sched_getaffinity(0))), flush=True)
    with tempfile.TemporaryDirectory(prefix="plum-fair-", dir="/tmp") as folder:
        shutil.copytree(AGENTS, os.path.join(folder, "agents"))
        subprocess.run(["chmod", "-R", "go=u,go-w", folder], check=True)
        holds = [measure(options, folder, case) for case in options.cases]
    print("load %s" % " ".join(map(str, os.getloadavg())))
    sys.exit(0 if all(holds) else 1)


main()
