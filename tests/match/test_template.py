"""Programs of MeiChu's course template."""
from harness import *

OFTEN = {"time_limit": 2, "grace": 0.2}  # one answer is late, the others are not


def _rude(*words, other="random", **options):
    return play("meichu", template(*words), other, **{"games": 1, **options})


def _lost(match, reason, faults):
    """The template player is player 0; which colour it had, the auction said."""
    check(match, reason=reason, faults=faults)
    own = "1-0" if match.game.tags["Black"].startswith("template") else "0-1"
    require(match.game.result != own and match.game.result != "1/2-1/2", "it did not lose")


@family("good", "cpp", "big5", "chatty", "colours", "leave-at-end", "stay")
def other_output_does_not_prevent_the_game(behaviour):
    match = _rude(behaviour, games=2, time_limit=10)
    check(match, faults={})
    require(all(len(game.plies) > 10 for game in match.games), "very short games")


def two_template_agents_play_each_other():
    match = play("meichu", template("good"), template("cpp"), games=2)
    check(match, faults={})


def the_judge_sends_enter_at_the_end():
    match, log = play_logged("meichu", template("good"), "random")
    check(match, faults={})
    require("stopped" in log, "log: %s", log)


# --- The auction ---

@family("0 3", "1 140", "0 1000000", "1 -7", "0 99999999999")
def any_price_is_a_bid(bid):
    check(_rude("price", *bid.split(), time_limit=10), faults={})


@family("0 1000", "1 140", "0 -8")
def the_other_bid_is_sent_as_it_counts(bid):
    _, log = play_logged("meichu", template("good"), ugi("bid", *bid.split(), "meichu"))
    colour, price = bid.split()
    require("the other bids %s %d" % (colour, min(140, int(price))) in log, "log: %s", log)


def _reader(style):
    """A program that reads its input in one of the ways in which students do."""
    if style in ("gcc", "g++"):
        return "template:" + compiled("template_reader.c", style)
    return "template:" + agent("template_reader.py", style)


@family("input", "readline", "token", "letter", "gcc", "g++")
def the_auction_is_read_in_any_way(style):
    """Another colour, a higher price, a lower price, and a tie, which tells one number more."""
    for bid in ("1 9", "0 20", "0 0", "0 3"):
        match = play("meichu", _reader(style), ugi("bid", *bid.split(), "meichu"), time_limit=20)
        check(match, faults={})
        require(len(match.game.plies) > 10, "a very short game after the bid %s", bid)


@family("2 5", "-1 5")
def another_colour_is_not_a_bid(bid):
    _lost(_rude("price", *bid.split()), "no-bid", {"invalid": 1})


@family("late", "buffered")
def no_bid_in_time_loses(behaviour):
    """A silent program counts as started after half of the limit; the other half is for a slow machine."""
    _lost(_rude(behaviour, time_limit=0.5, grace=0.2, startup_limit=10), "no-bid", {"late": 1})


def a_bid_in_words_is_not_a_bid():
    match = _rude("words", time_limit=20, startup_limit=20)
    _lost(match, "no-bid", {"invalid": 1})


def an_agent_that_exits_before_the_bid_has_not_started():
    _lost(_rude("leave"), "no-start", {"crashed": 1})


def the_start_is_not_charged_to_the_bid():
    check(_rude("start", 3, **OFTEN), faults={})


# --- The clock ---

def a_late_move_is_noted_and_counts():
    match = _rude("slow-at", 2, 3, hard_limit=30, **OFTEN)
    check(match, faults={"late": 1})
    equal([ply.fault for ply in match.game.plies].count("late"), 1, "late plies")
    require(match.game.reason in ("flag", "wiped-out", "no-moves"), "%s", match.game.reason)


def past_the_hard_limit_the_game_is_lost():
    _lost(_rude("slow-at", 2, 1000, hard_limit=3, **OFTEN), "late", {"late": 2})


def only_the_clock_ends_the_wait_for_input_at_its_own_turn():
    match, log = play_logged("meichu", template("waits"), "random", hard_limit=3, **OFTEN)
    _lost(match, "late", {"late": 2})
    equal(len(re.findall(r"it used 0\.\d s of processor time: it waits for something", log)), 2,
          "how often the log says that it waits")


def a_program_that_closes_its_output_is_late_and_the_log_gives_the_reason():
    match, log = play_logged("meichu", template("close-output"), "random", hard_limit=3, **OFTEN)
    _lost(match, "late", {"late": 2})
    equal(log.count("it has closed its standard output, on which it has to answer"), 2, "reasons in " + log)


def an_agent_that_thinks_for_too_long_does_not_wait_for_input():
    match, log = play_logged("meichu", template("busy-at", 2, 3), "random", hard_limit=30, **OFTEN)
    check(match, faults={"late": 1})
    require("processor time" not in log, "log: %s", log)


def a_prompt_on_stderr_is_logged_once():
    """Python's input() writes its prompt there when it talks to a terminal."""
    match, log = play_logged("meichu", _reader("input"), ugi("bid", 0, 3, "meichu"), time_limit=20)
    check(match, faults={})
    for prompt in ("Enter the move : ", "Enter the opponent's color : ", "Enter my color : "):
        require(1 <= log.count(prompt) <= 2, "'%s' is %d times in the log", prompt,
                log.count(prompt))


# --- Moves ---

@family("numpy1", "numpy2", "int32", "array", "dtype", "tuple", "squares", "bare", "cpp")
def four_integers_are_a_move_however_they_are_printed(spelling):
    match = _rude(spelling, time_limit=10)
    check(match, faults={})
    require(len(match.game.plies) > 10, "a very short game")


def text_that_is_nearly_a_move_is_quoted_when_time_is_up():
    match, log = play_logged("meichu", template("near"), "random", hard_limit=3, **OFTEN)
    _lost(match, "late", {"late": 2})
    for said in ("it printed 'my move is [8, 2, 5, 2]'", "print 'My move : [8, 2, 5, 2]'"):
        equal(log.count(said), 2, "how often the log says: %s" % said)


def text_that_is_nearly_a_bid_is_quoted_when_time_is_up():
    match, log = play_logged("meichu", template("near-bid"), "random", **OFTEN)
    _lost(match, "no-bid", {"late": 1})
    require("it printed 'my bid is 0 5'" in log and "print 'My bid: 0 5'" in log, "log: %s", log)


def a_move_of_fractions_is_quoted_with_the_wanted_form():
    match, log = play_logged("meichu", template("float"), "random")
    _lost(match, "invalid", {"invalid": 1})
    require(".0]', which is not a move; one looks like 'My move : [6, 4, 5, 4]'" in log,
            "log: %s", log)


@family("illegal", "off-board")
def an_impossible_move_loses(behaviour):
    _lost(_rude(behaviour), "invalid", {"invalid": 1})


def a_number_that_is_too_large_to_be_read_is_quoted():
    huge = 10 ** 19
    match, log = play_logged("meichu", template("price", huge, 5), "random")
    _lost(match, "no-bid", {"invalid": 1})
    require("%d 5' is neither 0 (Black) nor 1 (White)" % huge in log, "log: %s", log)
    match, log = play_logged("meichu", template("far"), "random")
    _lost(match, "invalid", {"invalid": 1})
    require("[8, 4, %d, 4' is off the board" % huge in log, "log: %s", log)


def an_agent_that_claims_the_win_and_exits_has_crashed():
    _lost(_rude("leave-early"), "crashed", {"crashed": 1})


def a_move_before_its_turn_is_its_move():
    match = _rude("early")
    require(set(match.faults(0)) <= {"invalid"}, "%s", match.faults(0))
    check(match)


def moves_without_end_are_hostile():
    _lost(_rude("early-twice", other=ugi("slow", 0.3, "meichu")), "hostile", {"hostile": 1})


def an_agent_that_floods_is_stopped():
    _lost(_rude("flood", time_limit=90), "crashed", {"crashed": 1})


main(globals())
