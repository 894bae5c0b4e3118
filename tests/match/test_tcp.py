"""Agents on the courses' sockets."""
from harness import *

# A short game in which Black, the rude one, has three moves.
SHORT = {"openings": REVERSI_SHORT, "time_limit": 0.4, "grace": 0.2}  # every answer is late
OFTEN = {"openings": REVERSI_SHORT, "time_limit": 2, "grace": 0.2}  # one is late, the others are not
QUICK = {"openings": REVERSI_SHORT, "time_limit": 60}  # quick agents; a busy machine is not


def _rude(*words, other="random", **options):
    return play("reversi", tcp(*words), other, **{**QUICK, **options})


def an_agent_that_behaves_has_no_fault():
    match = play("reversi", tcp("good"), "random", games=2, time_limit=5)
    check(match, faults={})
    equal(len(match.games), 2, "games")
    require(not any(ply.fault for game in match.games for ply in game.plies), "faults in the record")


# --- The clock ---

def a_silent_agent_is_late_at_every_move():
    match = _rude("silent", **SHORT)
    check(match, faults={"late": 3})
    equal(match.game.faults("b"), ["late"] * 3, "faults in the record")
    require(all(0.6 <= ply.seconds < 20 for ply in match.game.of("b")), "times")


def late_moves_in_a_row_lose_the_game_at_the_limit():
    match = _rude("silent", late_limit=2, **SHORT)
    check(match, "0-1", "late-limit", {"late": 2})
    equal(match.game.closing.side, "b", "side of the closing turn")


@family("hang", "spin", "half")
def a_stuck_agent_is_late_at_every_move(behaviour):
    check(_rude(behaviour, **SHORT), faults={"late": 3})


def an_answer_within_the_grace_is_in_time():
    match = _rude("slow", 0.75, openings=REVERSI_SHORT, time_limit=0.5, grace=20)
    check(match, faults={})
    times = [ply.seconds for ply in match.game.of("b")]
    require(all(0.5 < seconds <= 20.5 for seconds in times), "times: %r", times)


def an_answer_after_the_grace_is_late():
    match = _rude("slow_at", 2, 3, **OFTEN)
    check(match, faults={"late": 1})
    equal(match.game.faults("b"), [None, "late", None], "faults in the record")


def a_late_answer_comes_while_the_opponent_thinks():
    match = _rude("slow_at", 1, 2.7, other=tcp("slow", 1, team=8), **OFTEN)
    check(match, faults={"late": 1})
    equal(match.game.faults("b"), ["late", None, None], "faults in the record")


def a_late_answer_after_the_next_board_is_dropped():
    match = _rude("late_reply", **OFTEN)
    check(match, faults={"late": 1})
    equal(match.game.faults("b"), ["late", None, None], "faults in the record")


def the_start_is_not_charged_to_the_first_move():
    match = _rude("start", 3, **OFTEN)
    check(match, faults={})
    require(match.game.of("b")[0].seconds < 2.2, "time of the first move")


# --- The transmission ---

@family("garbage", "text", "flood-socket")
def noise_loses_the_game(behaviour):
    check(_rude(behaviour), "0-1", "malformed", {"malformed": 1})


@family("-1", "1001", "2147483647", "-2147483648")
def an_absurd_count_loses_the_game(count):
    match = _rude("count", count)
    check(match, "0-1", "malformed", {"malformed": 1})
    equal(match.game.closing.side, "b", "side of the closing turn")


def an_answer_in_single_bytes_counts():
    check(_rude("halves"), faults={})


@family("1000", "101", "0", "2")
def a_path_of_any_allowed_length_is_only_invalid(count):
    match = play("hop", tcp("pairs", count), "random", openings=HOP_SHORT)
    check(match, faults={"invalid": 2})
    equal([ply.move for ply in match.game.of("b")], ["skip", "skip"], "moves")


def a_path_of_1001_squares_is_malformed():
    check(play("hop", tcp("pairs", 1001), "random", openings=HOP_SHORT),
          "0-1", "malformed", {"malformed": 1})


@family("first", "last")
def an_answer_is_judged_by_when_it_came_although_the_judge_was_stopped(when):
    check_held_judge(functools.partial(_rude, how=own_network()), when)


@family("empty", "off-board")
def a_senseless_answer_is_invalid(behaviour):
    check(_rude(behaviour), faults={"invalid": 3})


@family("answer-twice", "old-id", "future-id", "zero-id")
def an_unrequested_answer_is_hostile(behaviour):
    check(_rude(behaviour), "0-1", "hostile", {"hostile": 1})


def a_second_answer_while_the_opponent_thinks_is_hostile():
    match = _rude("answer-twice", other=tcp("slow", 0.3, team=8))
    check(match, "0-1", "hostile", {"hostile": 1})


def an_agent_that_broke_the_protocol_is_restarted_for_the_next_game():
    match, log = play_logged("reversi", tcp("garbage"), "random", games=2, **QUICK)
    check(match, faults={"malformed": 2})
    equal([game.reason for game in match.games], ["malformed"] * 2, "reasons")
    equal(log.count("started"), 2, "starts")


@family("flood-stdout", "flood-stderr")
def much_output_does_no_harm(behaviour):
    check(_rude(behaviour, other=tcp("good", team=8)), faults={})


def endless_output_is_stopped():
    match = _rude("flood-forever", other=tcp("good", team=8))
    check(match, faults={"crashed": 1})


def stderr_is_kept_and_capped():
    _, log = play_logged("reversi", tcp("flood-stderr"), "random", **QUICK)
    require("the first line" in log and "the last line" in log, "beginning and end of stderr")
    require(len(log) < 70000, "the log has %d bytes", len(log))


@family("hang", "spin")
def the_log_of_a_late_program_reports_whether_it_waits(behaviour):
    match, log = play_logged("reversi", tcp(behaviour), "random", openings=REVERSI_SHORT,
                             time_limit=0.5, grace=0.2)
    check(match, faults={"late": 3})
    waits = log.count("s of processor time: it waits for something")
    starved = log.count("because of something outside this game")  # on a busy machine
    equal(waits + starved if behaviour == "hang" else waits, 3 if behaviour == "hang" else 0,
          "how often the log says that it waits")


def stdout_is_kept_and_capped():
    _, log = play_logged("reversi", tcp("flood-stdout"), "random", **QUICK)
    require("\nstandard output:\nthe first line\n" in log, "the beginning of stdout")
    require("the last line" in log, "the end of stdout")
    require(len(log) < 70000, "the log has %d bytes", len(log))


def stdout_is_kept_when_the_agent_is_killed():
    """Python is asked in its environment not to hold its output back; -E would ignore that."""
    match, log = play_logged("reversi", tcp("print-and-hang").replace(" -E ", " "), "random",
                             openings=REVERSI_SHORT, time_limit=0.5, grace=0.2)
    check(match, faults={"late": 3})
    require("standard output:\nlooking at board 1\n" in log, "log: %s", log)


# --- Team numbers ---

@family("-1", "8", "0")
def an_agent_with_a_wrong_team_number_plays(team):
    match = _rude("team", team, games=4)
    check(match, faults={})
    require("calls itself team %s, not 7" % team in match.err, "no warning: %s", match.err)
    equal(match.err.count("calls itself"), 1, "warnings")


@family("reconnect", "reconnect-unread", "reconnect-much", "twice")
def a_new_connection_takes_the_place_of_the_old(behaviour):
    check(_rude(behaviour), faults={})


def connecting_without_end_is_only_late():
    match = play("reversi", tcp("connect-forever"), tcp("good", team=8), **OFTEN)
    check(match, faults={"late": 3})


def an_agent_that_disconnects_is_late_and_the_log_gives_the_reason():
    match, log = play_logged("reversi", tcp("hang-up"), "random", **SHORT)
    check(match, faults={"late": 3})
    equal(log.count("its connection is closed, and it has not connected again"), 3, "reasons in " + log)


def an_agent_that_prints_instead_of_answering_gets_the_reason():
    match, log = play_logged("reversi", tcp("print-much-and-hang"), "random", **OFTEN)
    check(match, faults={"late": 3})
    require(re.search(r"it has written \d\.\d MiB of output instead of an answer", log), "log: %s", log)


# --- Starting, stopping, reconnecting ---

def the_agent_receives_the_stop_at_the_end():
    match, log = play_logged("reversi", tcp("tell-stop"), "random", games=2, **QUICK)
    check(match, faults={})
    require("stopped" in log, "log: %s", log)


def an_agent_that_exits_before_connecting_has_not_started():
    match = _rude("leave-at-once", games=2)
    equal([game.reason for game in match.games], ["no-start"] * 2, "reasons")
    check(match, faults={"crashed": 2})


def an_agent_that_never_connects_has_not_started():
    match, log = play_logged("reversi", tcp("never"), "random", startup_limit=0.7, **QUICK)
    check(match, "0-1", "no-start", {"late": 1})
    require("it did not start within 0.700 s" in log, "log: %s", log)


def an_agent_that_sends_no_team_number_has_not_started():
    check(_rude("mute", startup_limit=0.7), "0-1", "no-start", {"late": 1})


def the_judge_plays_for_a_crashed_agent_to_the_end():
    match = _rude("leave-at", 2, 3)
    check(match, faults={"crashed": 1})
    equal(match.game.faults("b"), [None, "crashed", "crashed"], "faults in the record")
    equal(match.game.reason, "no-moves", "reason")


def a_signal_is_a_crash():
    match = play("hop", tcp("segfault"), "random", openings=HOP_SHORT)
    check(match, faults={"crashed": 1})
    equal([ply.move for ply in match.game.of("b")], ["skip", "skip"], "moves")


def a_crashed_agent_plays_the_next_game():
    match = play("reversi", tcp("leave-at", 2), "random", games=2, openings=REVERSI_SHORT)
    check(match, faults={"crashed": 2})
    equal([game.of(side)[0].fault for game, side in zip(match.games, "bw")], [None, None],
          "first moves")


def an_agent_that_exits_after_one_game_is_restarted_for_the_next():
    # Black's third answer ends the first game; White's third move ends the second one.
    match = play("reversi", tcp("leave-after", 3), "random", games=2, openings=REVERSI_SHORT)
    equal([len(game.plies) for game in match.games], [6, 6], "plies")
    require(not match.games[1].plies[1].fault, "the second game begins with a fault")


def an_agent_that_exits_at_the_first_board_of_the_next_game_is_asked_again():
    match = play("hop", tcp("leave-at", 3), "random", games=2, openings=HOP_SHORT, time_limit=5)
    check(match, faults={})


def an_agent_that_exits_later_in_the_next_game_has_crashed():
    match = play("hop", tcp("leave-at", 4), "random", games=2, openings=HOP_SHORT, time_limit=5)
    check(match, faults={"crashed": 1})


def the_restart_is_not_charged_to_the_first_move():
    match = play("hop", tcp("restart", 3), "random", games=2, openings=HOP_SHORT, time_limit=2,
                 grace=0.2)
    check(match, faults={})


def one_process_plays_both_games():
    _, log = play_logged("reversi", tcp("tell_pid"), "random", games=2, **QUICK)
    equal(len(re.findall("^started", log, re.M)), 1, "starts")


def a_fresh_process_for_each_game_when_asked_for():
    match = play("reversi", tcp("leave-at", 4, 9), "random", games=2, openings=REVERSI_SHORT,
                 restart="game")
    check(match, faults={})


def an_agent_that_ignores_the_stop_is_killed():
    match = _rude("ignore", games=2)
    check(match, faults={})
    require(match.seconds < 60, "it took %.1f s", match.seconds)


def an_agent_that_reconnects_after_the_stop_is_stopped_again():
    match, log = play_logged("reversi", tcp("return"), "random", **QUICK)
    check(match, faults={})
    require("stopped again" in log, "log: %s", log)


main(globals())
