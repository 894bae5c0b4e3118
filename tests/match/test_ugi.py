"""Programs that speak UGI."""
from harness import *

SHORT = {"openings": REVERSI_SHORT, "time_limit": 0.4, "grace": 0.2}  # every answer is late
OFTEN = {"openings": REVERSI_SHORT, "time_limit": 2, "grace": 0.2}  # one is late, the others are not
QUICK = {"openings": REVERSI_SHORT, "time_limit": 60}  # quick agents; a busy machine is not


def _rude(*words, **options):
    return play("reversi", ugi(*words), "random", **{**QUICK, **options})


def a_program_that_behaves_has_no_fault():
    check(play("reversi", ugi("good"), "random", games=2), faults={})
    check(play("meichu", ugi("good", "meichu"), "random", auction="off", games=2), faults={})


def the_evaluation_of_the_program_is_in_the_record():
    match = _rude("chatty")
    check(match, faults={})
    facts = match.game.of("b")[0].facts
    equal((facts["d"], facts["s"], facts["n"]), ("3", "+0.25", "100"), "facts")


@family("good", "ignore")
def one_program_can_play_both_games(behaviour):
    for restart, starts in (("pairing", 1), ("game", 2)):
        match, log = play_logged("reversi", ugi(behaviour), "random", games=2, restart=restart, **QUICK)
        check(match, faults={})
        equal(log.count("started"), starts, "starts for each " + restart)


# --- The greeting ---

@family("no-ugiok", "no-readyok")
def a_program_that_does_not_answer_the_greeting_has_not_started(behaviour):
    check(_rude(behaviour, startup_limit=0.7), "0-1", "no-start", {"late": 1})


def a_program_that_exits_at_once_has_not_started():
    check(_rude("leave"), "0-1", "no-start", {"crashed": 1})


def the_start_is_not_charged_to_the_first_move():
    check(_rude("start", 3, **OFTEN), faults={})


def a_missing_program_has_not_started():
    match = play("reversi", "ugi:./no-such-program", "random", openings=REVERSI_SHORT)
    check(match, "0-1", "no-start", {"crashed": 1})


# --- Moves ---

@family("(none)", "99", "11", "pass", "skip", "0000000000000000000000", "1-1", "-")
def an_impossible_move_is_invalid(word):
    check(_rude("word", word), faults={"invalid": 3})


@family("silent", "half")
def no_answer_is_late(behaviour):
    check(_rude(behaviour, **SHORT), faults={"late": 3})


def a_late_answer_is_ignored():
    match = _rude("slow-at", 1, 3, **OFTEN)
    check(match, faults={"late": 1})
    equal(match.game.faults("b"), ["late", None, None], "faults in the record")


def a_second_answer_at_once_is_ignored():
    match = _rude("two")
    require(set(match.faults(0)) <= {"invalid"}, "%s", match.faults(0))
    check(match)


def a_long_line_is_malformed():
    check(_rude("long-line"), "0-1", "malformed", {"malformed": 1})


def a_long_remark_is_not_malformed():
    check(_rude("long-info"), faults={})


def an_endless_line_is_stopped():
    check(_rude("endless-line"), faults={"crashed": 1})


# --- Bids ---

@family("0 5", "1 -3", "0 2000000000")
def any_price_is_a_bid(bid):
    check(play("meichu", ugi("bid", *bid.split(), "meichu"), "random"), faults={})


@family("2 5", "x 5", "0", "none", "0 5.5")
def an_invalid_bid_loses(bid):
    match = play("meichu", ugi("bid", *bid.split()), "random")
    check(match, reason="no-bid", faults={"invalid": 1})


def no_bid_in_time_loses():
    check(play("meichu", ugi("no-bid"), "random", time_limit=0.5), reason="no-bid",
          faults={"late": 1})


# --- Starting and stopping ---

def the_agent_receives_the_stop_at_the_end():
    match, log = play_logged("reversi", ugi("tell-stop"), "random", games=2, **QUICK)
    check(match, faults={})
    require("stopped" in log, "log: %s", log)


def the_judge_plays_for_a_crashed_agent_to_the_end():
    match = _rude("leave-at-two")
    check(match, faults={"crashed": 1})
    equal(match.game.faults("b"), [None, "crashed", "crashed"], "faults in the record")


def a_program_that_closes_its_input_has_crashed():
    match = _rude("close-input")
    check(match, faults={"crashed": 1})


def a_program_that_closes_its_output_is_late_and_the_log_gives_the_reason():
    match, log = play_logged("reversi", ugi("close-output"), "random", **SHORT)
    check(match, faults={"late": 3})
    equal(log.count("it has closed its standard output, on which it has to answer"), 3, "reasons in " + log)


def a_program_that_does_not_read_is_late():
    check(_rude("deaf", **SHORT), faults={"late": 3})


main(globals())
