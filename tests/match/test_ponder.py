"""Programs that think while they owe no answer, and those that do not."""
from harness import *

# The other player sleeps this long at each move. A program that is frozen gets the processor for a small part of it. This is
# processor time and not how long it stood still: a busy machine makes it less, never more.
SLOW_S = 2.5
REVERSI = {"openings": REVERSI_SHORT, "time_limit": 20}
AGENTS = {"tcp": tcp, "file": files, "ugi": ugi}


def _play(player, other=None, **options):
    return play_logged("reversi", player, other or ugi("slow", SLOW_S), **{**REVERSI, **options})


def _play_long_enough(play):
    """On a busy machine the program may get too little of the processor to be noticed (it may use 0.1 s, and a 20th of the
    time): then the other sleeps longer."""
    for slow_s in SLOW_S, 2 * SLOW_S, 4 * SLOW_S:
        match, log = play(slow_s)
        if _freezes(log) or _most_pondered(log) > 0.1 + slow_s / 10:
            break
    return match, log, slow_s


def _freezes(log):
    found = re.search(r"^frozen (\d+) times?: it used processor time", log, re.M)
    return int(found[1]) if found else 0


def _most_pondered(log):
    """In the time of one move of the other; the first question comes after the start."""
    return max(float(number) for number in re.findall(r"^pondered (\S+)$", log, re.M)[1:])


def _require_frozen(match, log, slow_s):
    check(match, faults={})
    require(_freezes(log) > 0, "not frozen: %s", log)
    require(_most_pondered(log) < slow_s / 2, "it had the processor for %s s", _most_pondered(log))


@family("tcp", "file", "ugi")
def an_agent_that_thinks_in_the_time_of_the_other_is_frozen(protocol):
    match, log, slow_s = _play_long_enough(lambda slow_s: _play(AGENTS[protocol]("ponder"), ugi("slow", slow_s)))
    _require_frozen(match, log, slow_s)
    require("stopped" in log, "it was not asked to leave, or could not: %s", log)


@family("tcp", "file", "ugi")
def an_ordinary_user_also_freezes_it(protocol):
    play = lambda slow_s: _play(AGENTS[protocol]("ponder"), ugi("slow", slow_s), how=as_user())
    _require_frozen(*_play_long_enough(play))


def it_is_frozen_without_a_sandbox():
    play = lambda slow_s: _play(ugi("ponder"), ugi("slow", slow_s), sandbox="off")
    _require_frozen(*_play_long_enough(play))


def a_template_program_is_frozen():
    play = lambda slow_s: play_logged("meichu", template("ponder"), ugi("slow", slow_s, "meichu"), time_limit=60)
    _require_frozen(*_play_long_enough(play))


@family("tcp", "file", "ugi")
def an_agent_that_may_ponder_is_not_frozen(protocol):
    match, log = _play(AGENTS[protocol]("ponder"), ponder="yes")
    check(match, faults={})
    require(_most_pondered(log) > 0 and not _freezes(log), "frozen: %s", log)


@family("tcp", "file", "ugi")
def an_agent_that_only_waits_is_never_frozen(protocol):
    match, log = _play(AGENTS[protocol]("good"))
    check(match, faults={})
    equal(_freezes(log), 0, "freezes")


def a_template_program_that_waits_is_never_frozen():
    match, log = play_logged("meichu", template("good"), ugi("slow", 0.1, "meichu"), time_limit=60)
    check(match, faults={})
    equal(_freezes(log), 0, "freezes")


def an_agent_that_cleans_up_after_its_move_is_not_frozen():
    match, log = _play(tcp("tidy"))
    check(match, faults={})
    equal(_freezes(log), 0, "freezes")


@family("tcp", "file", "ugi")
def one_long_move_costs_one_turn(protocol):
    """It works until it has answered, in the time of the other; then it waits and is not frozen."""
    match, log = _play(AGENTS[protocol]("work-at", 1, 4), other=ugi("slow", 2.5), time_limit=2, grace=1)
    check(match, faults={"late": 1})
    equal(_freezes(log), 0, "freezes")


def an_agent_that_disconnects_to_think_is_frozen():
    match, log = _play(tcp("ponder-hung-up", 6), other=ugi("slow", 4))
    check(match, faults={})
    require(_freezes(log) > 0, "not frozen: %s", log)


def an_agent_that_disconnects_at_each_move_is_frozen():
    """It is back within the second that a program has to connect again. On a busy machine it gets less of the processor."""
    for games in 3, 8:
        match, log = _play(tcp("ponder-hung-up", 0.9), other=ugi("slow", 1.2), games=games)
        check(match, faults={})
        if _freezes(log):
            return
    raise AssertionError("not frozen: %s" % log)


def one_process_that_was_frozen_plays_the_second_game():
    play = lambda slow_s: _play(tcp("ponder"), ugi("slow", slow_s / 2), games=2)
    match, log, _ = _play_long_enough(play)
    check(match, faults={})
    require(_freezes(log) > 0, "not frozen: %s", log)
    equal(log.count("stopped"), 1, "ends")


main(globals(), at_once=3)  # each of them keeps a processor busy
