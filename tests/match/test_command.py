"""plum match itself: repeatable, interruptible, tidy, and honest about what fails."""
import signal

from harness import *

FOREVER = ["hop", "--black", None, "--white", None, "--games", "1000", "--concurrency", "4",
           "--time-limit", "20"]


# --- The same seed gives the same records ---

def _same_records(game, black, white, **options):
    one = play(game, black, white, concurrency=1, **options)
    four = play(game, black, white, concurrency=4, **options)
    equal(without_changing_parts(four.records), without_changing_parts(one.records), "records")
    equal([four.faults(i) for i in (0, 1)], [one.faults(i) for i in (0, 1)], "faults")


def records_do_not_depend_on_concurrency():
    _same_records("hop", "random", "random:seed=5", games=12, openings=HOP_START % (150, 150))
    _same_records("reversi", "builtin:depth=2", "random", games=9)
    _same_records("meichu", "builtin:nodes=500", "random", games=10)


@family("leave-at 2", "silent", "empty", "garbage", "old-id", "leave-after 3")
def records_of_faulty_agents_do_not_depend_on_concurrency(behaviour):
    limits = {"time_limit": 0.2, "grace": 0.1} if behaviour == "silent" else {"time_limit": 10}
    _same_records("reversi", tcp(*behaviour.split()), "random", games=8, openings=REVERSI_SHORT,
                  **limits)


def records_of_other_kinds_do_not_depend_on_concurrency():
    _same_records("reversi", files("leave-at", 2), ugi("word", "(none)"), games=8,
                  openings=REVERSI_SHORT)
    _same_records("meichu", template("illegal"), "random", games=8)


def random_openings_are_the_same_for_both_colours():
    match = run(["hop", "--black", "random", "--white", "random", "--games", "6", "--openings", "4"])
    starts = [game.tags["Start"] for game in match.games]
    equal([starts[i] == starts[i + 1] for i in (0, 2, 4)], [True] * 3, "pairs of openings")
    require(len(set(starts)) == 3, "openings: %s", starts)


# --- Interrupted ---

def _start(black, white, **options):
    words = list(FOREVER)
    words[2], words[4] = black, white
    return Running(words + ["--json"], **options)


def _wait_for_a_game(running):
    end = time.monotonic() + PATIENCE_S
    while not (os.path.exists(running.record) and os.path.getsize(running.record)):
        require(time.monotonic() < end, "no game is finished")
        time.sleep(0.05)


def _interrupted(black, white, to_group=False, after_a_game=False, number=signal.SIGINT):
    running = _start(black, white, start_new_session=True)
    try:
        time.sleep(1.5)
        if after_a_game:
            _wait_for_a_game(running)
        if to_group:
            os.killpg(running.process.pid, number)
        else:
            running.process.send_signal(number)
        sent = time.monotonic()
        match = running.finish()
        took = time.monotonic() - sent
    finally:
        running.close()
    equal(match.code, 130, "exit code; stderr: %s" % match.err)
    require("interrupted after" in match.err, "stderr: %s", match.err)
    equal(match.report["games"], len(match.games), "games in the report")
    equal("".join(match.report["records"]), match.records, "records")
    require(took < 60, "it took %.1f s to stop", took)  # its players would play for hours
    if match.records:
        check_replay(match.records)
    return match


@family("self", "group")
def an_interrupt_stops_everything(whom):
    match = _interrupted(tcp("good"), ugi("deaf"), whom == "group")
    check(match, faults={})
    match = _interrupted(tcp("good"), tcp("ignore", team=8), whom == "group", after_a_game=True)
    require(match.games, "no game is in the record")
    check(match, faults={})


def a_shutdown_is_an_interrupt():
    match = _interrupted(tcp("good"), tcp("ignore", team=8), after_a_game=True, number=signal.SIGTERM)
    require(match.games, "no game is in the record")


def an_interrupt_while_programs_start_stops_everything():
    match = _interrupted(tcp("never"), tcp("hang", team=8))
    equal(match.games, [], "games")


@family("tcp", "file", "off")
def nothing_survives_a_kill(kind):
    black = files("harm", "children") if kind == "file" else tcp("harm", "children")
    running = _start(black, ugi("deaf") if kind == "off" else tcp("good", team=8),
                     start_new_session=True)
    try:
        time.sleep(1.5)
        end = time.monotonic() + PATIENCE_S
        while len(marked_processes(running.mark)) <= 3:
            require(time.monotonic() < end, "too little is running")
            time.sleep(0.05)
        running.process.kill()
        running.process.wait()
        left = wait_until_gone(running.mark, 20)
    finally:
        running.close()
    equal(left, [], "left running")
    equal(temporary_folders(running.process.pid, running.earlier), [], "folders left in /tmp")


# --- What fails ---

@family("/dev/full", "/nowhere/record.txt", "/")
def an_unwritable_record_is_reported(path):
    match = run(["reversi", "--black", "random", "--white", "random", "--games", "200",
                 "--record", path], code=3)
    require("cannot write %s" % path in match.err, "stderr: %s", match.err)
    require(path != "/dev/full" or match.out.startswith("reversi, 1 game\n"), "it went on: %s", match.out)


def an_unwritable_output_is_reported():
    for words in (["--json"], [], ["--watch"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run([Settings.plum, "match", "reversi", "--black", "random", "--white",
                                   "random"] + words, stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
        equal(done.returncode, 3, "exit code with %s; stderr: %s" % (words, done.stderr))


def unwritable_logs_are_reported():
    match = run(["reversi", "--black", "random", "--white", "random", "--logs", "/dev/null/logs"],
                code=3)
    require("/dev/null/logs" in match.err, "stderr: %s", match.err)


def an_agent_that_only_root_may_read_is_refused_before_the_first_game():
    if not Settings.is_root:
        raise Skip("agents of an ordinary user run as that user")
    folder = tempfile.mkdtemp(prefix="match-test-")
    os.chmod(folder, 0o755)
    try:
        path = os.path.join(folder, "closed.py")
        with open(path, "w") as file:
            file.write("print('hello')")
        os.chmod(path, 0o600)
        for words in (["--white", "random", "--black"], ["--black", "random", "--white"]):
            match = run(["reversi", *words, "ugi:%s %s" % (PYTHON, path)], code=3)
            require("chmod go+rX '%s'" % path in match.err, "stderr: %s", match.err)
            equal(match.games, [], "games")
    finally:
        shutil.rmtree(folder)


# --- Without network namespaces: one port for all ---

def _shared(black, white, **options):
    return play("reversi", black, white, how=own_network(), sandbox="off", openings=REVERSI_SHORT,
                **{"time_limit": 10, **options})


def two_teams_share_the_port():
    match = _shared(tcp("good"), tcp("team", 8, team=8), games=4)
    check(match, faults={})


@family("off", "partial", "container")
def no_agent_plays_for_another_team(level):
    """The victim starts when the impostor has connected as its team."""
    how = own_network(is_last=True) if level == "partial" else \
        container() if level == "container" else own_network()
    match = play("reversi", tcp("impostor", 8), tcp("start", 2, team=8), how=how,
                 sandbox="off" if level == "off" else "auto", openings=REVERSI_SHORT, time_limit=20,
                 startup_limit=60)
    equal(match.game.tags["Sandbox"], "off" if level == "off" else "partial", "sandbox")
    check(match, faults={})
    require("calls itself team 8, not 7" in match.err, "stderr: %s", match.err)


def the_impostor_would_lose_another_teams_game():
    """The same program, started for the other team, plays badly for it and for no other team."""
    match = _shared("tcp:8:" + agent("tcp_agent.py", "--team", 8, "off-board"), tcp("good"))
    check(match, faults={"invalid": 3})


@family("99", "-1", "8")
def an_agent_with_a_wrong_team_number_plays_at_the_shared_port(team):
    match = _shared(tcp("team", team), tcp("team", 8, team=8), games=2)
    check(match, faults={})
    require("calls itself team %s, not 7" % team in match.err, "stderr: %s", match.err)


def a_program_that_does_not_play_is_refused():
    """It connects while the match runs, with the number of a team that plays."""
    stranger = "import socket,struct,subprocess,sys,time\n" \
               "match = subprocess.Popen(sys.argv[1:])\n" \
               "while match.poll() is None:\n" \
               "    try:\n" \
               "        line = socket.create_connection(('127.0.0.1', 8888))\n" \
               "        line.sendall(struct.pack('<i', 7))\n" \
               "        if line.recv(1): sys.exit('it was let in')\n" \
               "    except OSError: pass\n" \
               "    time.sleep(0.01)\n" \
               "sys.exit(match.returncode)"
    match = play("reversi", tcp("start", 1), tcp("start", 1, team=8), sandbox="off",
                 how={"wrapper": own_network()["wrapper"] + [PYTHON, "-c", stranger]},
                 openings=REVERSI_SHORT, time_limit=20, startup_limit=60)
    check(match, faults={})
    equal(match.err.count("refused a connection to port 8888"), 1, "remarks: %s" % match.err)


@family("reconnect", "reconnect-unread", "reconnect-much", "twice", "mapped", "leave-at-once",
        "return")
def reconnecting_works_on_the_shared_port(behaviour):
    match = _shared(tcp(behaviour), tcp("team", 8, team=8), games=2)
    check(match, faults={"crashed": 2} if behaviour == "leave-at-once" else {})


def games_of_one_team_against_itself_share_the_port():
    match = _shared(tcp("good"), tcp("good"), games=6, concurrency=3)
    check(match, faults={})
    equal(len(match.games), 6, "games")


def connecting_without_end_to_the_shared_port_disturbs_no_other_agent():
    match = _shared(tcp("connect-forever"), tcp("good", team=8), games=4, no_swap=True,
                    concurrency=4, time_limit=2, grace=1)
    check(match)


def a_taken_port_is_reported():
    holder = "import socket,subprocess,sys; s=socket.create_server(('127.0.0.1',8888)); " \
             "sys.exit(subprocess.call(sys.argv[1:]))"
    network = own_network()["wrapper"] + [PYTHON, "-c", holder]
    match = run(["hop", "--black", tcp("good"), "--white", "random", "--sandbox", "off"], code=3,
                wrapper=network)
    require("cannot listen on port 8888" in match.err, "stderr: %s", match.err)


# --- Where namespaces are forbidden ---

def _without_namespaces(black, **options):
    match = play("meichu" if black.startswith("template") else "reversi", black, "random",
                 how=own_network(is_last=True), games=2, **{"time_limit": 10, **options})
    check(match, faults={})
    equal({game.tags["Sandbox"] for game in match.games}, {"partial"}, "sandbox in the records")
    require("the sandbox is not complete here: " in match.err, "stderr: %s", match.err)
    return match


def programs_of_every_kind_play_without_namespaces():
    for black in (tcp("good"), files("good"), ugi("good"), template("good")):
        _without_namespaces(black)


def children_also_die_without_namespaces():
    for black in (tcp("harm", "children"), files("harm", "children")):
        _without_namespaces(black)


def a_strict_sandbox_is_refused_without_namespaces():
    match = run(["hop", "--black", tcp("good"), "--white", "random", "--sandbox", "strict"], code=3,
                **own_network(is_last=True))
    require(re.search("a strict sandbox is not possible here: (.*; )?no namespaces: .* as root, such as: "
                      "sysctl user.max_user_namespaces=10000", match.err), "stderr: %s", match.err)


def a_strict_sandbox_is_in_the_record():
    require_strict()
    match = play("reversi", tcp("good"), "random", openings=REVERSI_SHORT, sandbox="strict")
    equal(match.game.tags["Sandbox"].split()[0], "strict", "sandbox in the record")


main(globals())
