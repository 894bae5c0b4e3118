"""plum check with agents of other people: several languages, ways to read, and faults.

usage: test_check.py PLUM
"""
import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
IS_STRICT = os.environ.get("PLUM_TEST_SANDBOX") != "partial"  # own_port.sh sets it
# The courses' limits, but for programs that are late: those that never answer need little time, those that
# answer otherwise have enough of it on a busy machine.
NEVER = ["--time-limit", "1", "--grace", "0.1", "--startup-limit", "1"]
OFTEN = ["--time-limit", "2", "--grace", "0.1"]
HARD = OFTEN + ["--hard-limit", "2.5"]
READY, SHOULD, MUST = "ready for the tournament", "should fix", "must fix"


def hop(fault="", team=7, limits=()):
    return "hop", "tcp:%d:%s hop_wire.py 7 %s" % (team, PYTHON, fault), limits


def meichu(reader, fault="", limits=()):
    return "meichu", "template:%s meichu.py %s %s" % (PYTHON, reader, fault), limits


def kit(name, limits=()):
    return "meichu", "template:%s %s.py" % (PYTHON, name), limits


def files(words, limits=()):
    return "hop-noloop", "file:8:./hop_files " + words, limits


def reversi(words=""):
    return "reversi", "tcp:7:./reversi_wire 7 " + words, ()


# What is checked; exit code; then for each expected finding: row, severity, and words of it.
CASES = {
    "a_client_by_hand_in_python_is_ready": (hop(), 0, [("as White", "ok", "every move legal")]),
    "a_client_by_hand_in_cpp_is_ready": (reversi(), 0, [("reconnect", "ok", "came back")]),
    "a_file_agent_in_c_is_ready": (files("8"), 0, [("leaving", "ok", "move 0")]),
    "reading_by_input_is_ready": (meichu("input"), 0, [("budgets", "ok", "2 of 2 games")]),
    "reading_by_readline_is_ready": (meichu("readline"), 0, [("budgets", "ok", "it passed")]),
    "reading_by_tokens_is_ready": (meichu("tokens"), 0, [("budgets", "ok", "it passed")]),
    "swapped_rows_and_columns_are_guessed": (hop("swapped"), 1, [
        ("as Black", MUST, "20-30 would be legal: rows and columns swapped?"), ("reconnect", "ok", "came back")]),
    "ignoring_is_black_is_guessed": (hop("always-black"), 1, [
        ("as Black", "ok", ""), ("as White", MUST, "legal for the other colour: is is_black used?")]),
    "ignoring_is_black_in_cpp_is_guessed": (reversi("black"), 1, [("as White", MUST, "is is_black used?")]),
    "an_attempt_should_be_fixed": (hop("spy"), 0, [("attempts", SHOULD, "it tried to read /etc/shadow")]),
    "one_square_is_counted_right": (hop("one-square"), 0, [("as Black", SHOULD, "names 1 square;")]),
    "an_invalid_move_now_and_then_should_be_fixed": (hop("sometimes"), 0, [
        ("as Black", SHOULD, "00-77"), ("as White", SHOULD, "invalid"), ("two games", "ok", "")]),
    "one_late_move_should_be_fixed": (hop("late-once", limits=OFTEN), 0, [
        ("as Black", SHOULD, "against random, ply 7: late, the first of "),
        ("as Black", SHOULD, ": no move within 2.100 s; it used 0."),
        ("as Black", SHOULD, " s of processor time: it waits for something"),
        ("as Black", SHOULD, "find out what it waits for at its own turn"), ("clock", SHOULD, "late move")]),
    "late_every_time_must_be_fixed": (hop("late-always", limits=NEVER), 1, [
        ("as Black", MUST, "late"), ("as White", MUST, "late"), ("clock", MUST, "15 late moves, none in time")]),
    "garbage_must_be_fixed": (hop("garbage"), 1, [("as White", MUST, "malformed")]),
    "a_wrong_team_number_must_be_fixed": (hop(team=8), 1, [("team", MUST, "")]),
    "a_wrong_team_number_in_files_is_guessed": (files("9", NEVER), 1, [
        ("as Black", MUST, "has not read state_8.txt: is idTeam 8?")]),
    "a_crash_must_be_fixed": (files("8 crash"), 1, [("as Black", MUST, "crashed"), ("as White", MUST, "crashed")]),
    "a_program_that_ends_by_itself_is_told_so": (files("8 quit"), 1, [
        ("as Black", MUST, "it ended by itself with exit code 0 after 2 moves"),
        ("as Black", MUST, "it ends too early: let it answer until the state file has move 0")]),
    "a_move_file_without_its_end_is_named": (files("8 no-end", NEVER), 1, [
        ("as Black", MUST, "move_8.txt has no line 'end' as its last line")]),
    "forgotten_passes_are_found": (meichu("input", "no-pass", HARD), 1, [
        ("budgets", MUST, "does the program wait for a move of"), ("budgets", MUST, "had to pass")]),
    "unpaid_moves_are_found": (meichu("tokens", "unpaid", HARD), 1, [
        ("budgets", MUST, "does the program pay for every move")]),
    "a_kit_passes_the_check": (kit("kit"), 0, [("budgets", "skipped", "its own passes were not tried")]),
    "a_kit_that_awaits_a_pass_is_found": (kit("kit_awaits_pass", HARD), 1, [
        ("budgets", MUST, "does the program wait for a move of")]),
    "a_kit_that_pays_nothing_is_found": (kit("kit_pays_nothing", HARD), 1, [
        ("budgets", MUST, "does the program wait for a move of")]),
    "a_careless_kit_passes_the_check": (kit("careless"), 0, [("budgets", "ok", "it passed")]),
    "a_careless_kit_that_moves_without_money_is_found": (kit("careless_never_passes", HARD), 1, [
        ("budgets", MUST, "had to pass: does the program pay")]),
    "a_careless_kit_that_does_not_pay_is_found": (kit("careless_pays_not", HARD), 1, [
        ("budgets", MUST, "does the program pay for every move")]),
    "waiting_at_the_own_turn_must_be_fixed": (meichu("readline", "waits", HARD), 1, [
        ("as Black", MUST, "waits for something"), ("as White", MUST, "waits for something")]),
    "swapped_squares_in_meichu_are_guessed": (meichu("input", "swapped", HARD), 1, [
        ("as Black", MUST, "rows and columns swapped?")]),
}


# Copies of the kit: what is replaced in it. Careless ones do not attack, so that the game lasts until
# their own money is spent.
SEED = ("import sys\n", "import sys\nrandom.seed(1)\n")
CARELESS = ("prize + 3 * nearer - self.cost(who, *move)", "0")
TURN = "            if self.get_moves(who):"
PAYMENT = "self.budget[who] -= self.cost("
KITS = {
    "kit": [],
    "kit_awaits_pass": [(TURN, "            if who != self.color or self.get_moves(who):")],
    "kit_pays_nothing": [(PAYMENT, "self.budget[who] -= 0 * self.cost(")],
    "careless": [CARELESS],
    "careless_never_passes": [CARELESS, (TURN, "            if who == self.color or self.get_moves(who):"),
                              ("max(moves, key=value)", "max(moves, key=value, default=[8, 8, 8, 8])")],
    "careless_pays_not": [CARELESS, (PAYMENT, "self.budget[who] -= (who != self.color) * self.cost(")],
}


def copy_kits(plum, folder):
    subprocess.run([plum, "new", "meichu", "python", "kit", "--team", "0816001"], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(folder, "kit", "0816001.py")) as file:
        source = file.read()
    for name, changes in KITS.items():
        text = source
        for old, new in [SEED] + changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        with open(os.path.join(folder, "agents", name + ".py"), "w") as file:
            file.write(text)
    forgetful = os.path.join(folder, "agents", "forgetful")
    subprocess.run([plum, "new", "reversi", "python", forgetful, "--team", "7"], check=True,
                   stdout=subprocess.DEVNULL)
    with open(os.path.join(forgetful, "Sample.py"), "r+") as file:
        text = file.read().replace("    return max(squares", "    max(squares")
        file.seek(0)
        file.truncate()
        file.write(text)


def copy_agents(plum):
    """A folder with the agents that every user can enter."""
    folder = tempfile.mkdtemp(prefix="check-test-", dir="/tmp")
    agents = os.path.join(folder, "agents")
    shutil.copytree(os.path.join(HERE, "agents"), agents)
    shutil.copy(plum, os.path.join(folder, "plum"))
    for compiler, source in (("gcc", "hop_files.c"), ("g++", "reversi_wire.cpp")):
        subprocess.run([compiler, "-O1", source, "-o", source.split(".")[0]], cwd=agents, check=True)
    copy_kits(os.path.join(folder, "plum"), folder)
    subprocess.run(["chmod", "-R", "go=u,go-w", folder], check=True)
    return folder


def words_of(finding):
    return " ".join(str(finding[key]) for key in ("detail", "answer", "refused", "guess", "advice"))


def run_case(folder, case):
    (game, player, options), code, expected = case
    command = [os.path.join(folder, "plum"), "check", game, player, "--json", "--max-time", "550", *options]
    done = subprocess.run(command, cwd=os.path.join(folder, "agents"), capture_output=True, text=True,
                          check=False, timeout=590)
    if done.returncode != code:
        return "exit code %d instead of %d: %s%s" % (done.returncode, code, done.stdout[-1500:], done.stderr)
    report = json.loads(done.stdout)
    if report["ready"] != (code == 0):
        return "ready is %s" % report["ready"]
    if report["checks"] and not any(check == "attempts" for check, _, _ in expected):
        for finding in report["checks"]:
            if finding["check"] == "attempts":
                return "an attempt without reason: %s" % words_of(finding)
    for check, severity, words in expected:
        if not any(f["check"] == check and f["severity"] == severity and words in words_of(f)
                   for f in report["checks"]):
            return "no finding %s, %s, '%s' in %s" % (check, severity, words, done.stdout)
    return ""


def run_printed(folder, case):
    """What is printed for a person: these words, in this order; those only so often."""
    (game, player, options), code, expected, counts = case
    command = [os.path.join(folder, "plum"), "check", game, player, *options]
    done = subprocess.run(command, cwd=os.path.join(folder, "agents"), capture_output=True, text=True,
                          check=False, timeout=590)
    if done.returncode != code:
        return "exit code %d instead of %d: %s%s" % (done.returncode, code, done.stdout, done.stderr)
    if not re.search(".*".join(expected), done.stdout, re.DOTALL):
        return "not in this order: %s in %s" % (expected, done.stdout)
    for words, count in counts.items():
        if done.stdout.count(words) != count:
            return "'%s' is not there %d times in %s" % (words, count, done.stdout)
    return ""


def run_interrupted(folder, number):
    """Stopped in the second trial, it prints what it has."""
    command = [os.path.join(folder, "plum"), "check", "hop-noloop", "file:8:./hop_files 8 hang"]
    process = subprocess.Popen(command, cwd=os.path.join(folder, "agents"), stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    header = process.stdout.readline()
    time.sleep(1)  # anything may be under way by then
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    if process.returncode != 130 or "interrupted" not in err:
        return "exit code %d, %s" % (process.returncode, err)
    if "at most 15 minutes" not in header or "sandbox: " not in header:
        return "the first line is %s" % header
    if "start-up" not in out or ("interrupted before the end" not in out and "not ready" not in out):
        return "it printed %s" % out
    return ""


PRINTED = {
    "each_game_has_a_line_and_the_rest_is_announced": (reversi(), 0, [
        r"reversi: 4 trials, at most 15 minutes", r"\ngame 1     as Black   \w+ -?\d+ to -?\d+ against random, \d+ plies, longest",
        r"\ngame 2     as White ", r"\nso far nothing must be fixed; the rest, 2 more games and a broken connection, "
        r"takes about \d+ \w+, at most 1[45] min", r"\ngame 3 ", r"\ngame 4 ", r"\nready for the tournament"], {}),
    "a_quick_check_ends_after_the_first_games": (reversi()[:2] + (["--quick"],), 0, [
        r"reversi: only the first of 4 trials", r"\ngame 2 ", r"\nok         leaving", r"\nskipped    not tried: reconnect",
        r"\nnothing must be fixed so far"], {"game 3": 0, "so far nothing": 0}),
    "a_forgotten_return_is_said_first_and_once": (("reversi", "tcp:7:%s forgetful/Sample.py" % PYTHON, []), 1, [
        r"\ngame 2 ", r"\nmust fix   as Black ", r"wrote to standard error, \d times:\n  \| STcpClient: GetStep returned "
        r"None, which is not a move", r"\nmust fix   as White .*\n +the same fault: see above\nso far 2 findings must be",
        r"\nok         file name", r"\nskipped    not tried: ", r"\nnot ready: 2 findings"],
     {"GetStep": 1, "\nskipped": 1, "position:": 1}),
}


def measure(folder, function, argument):
    started = time.monotonic()
    return function(folder, argument), time.monotonic() - started


def main():
    folder = copy_agents(sys.argv[1])
    jobs = {name: (run_case, case) for name, case in CASES.items()}
    jobs.update((name, (run_printed, case)) for name, case in PRINTED.items())
    jobs["ctrl_c_prints_what_there_is"] = (run_interrupted, signal.SIGINT)
    jobs["a_request_to_end_does_the_same"] = (run_interrupted, signal.SIGTERM)
    wanted = sys.argv[2:] or list(jobs)
    wanted.sort(key=lambda name: name not in CASES or not CASES[name][0][2])  # those that wait begin first
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(8 if IS_STRICT else 1) as pool:
        results = {name: pool.submit(measure, folder, *jobs[name]) for name in wanted}
        for name, result in results.items():
            problem, seconds = result.result()
            failed += bool(problem)
            print("%5.1f s  %s%s" % (seconds, name, ": " + problem if problem else ""))
    shutil.rmtree(folder, ignore_errors=True)
    print("%d of %d cases passed" % (len(wanted) - failed, len(wanted)))
    sys.exit(1 if failed else 0)


main()
