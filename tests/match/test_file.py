"""Agents that talk through files."""
from harness import *

SHORT = {"openings": REVERSI_SHORT, "time_limit": 0.5, "grace": 0.2}  # every answer is late
OFTEN = {"openings": REVERSI_SHORT, "time_limit": 2, "grace": 0.2}  # one is late, the others are not
QUICK = {"openings": REVERSI_SHORT, "time_limit": 60}  # quick agents; a busy machine is not


def _rude(*words, other="random", **options):
    return play("reversi", files(*words), other, **{**QUICK, **options})


@family("good", "halves", "windows", "data")
def a_move_file_is_read_however_it_is_written(behaviour):
    check(_rude(behaviour, games=2), faults={})


def the_no_loop_edition_is_played_to_the_end():
    match = play("hop-noloop", files("good"), "random", games=2, time_limit=5,
                 openings=HOP_START % (190, 190))
    check(match, faults={})
    equal([len(game.plies) for game in match.games], [20, 20], "plies")


# --- The clock ---

@family("silent", "half", "stale")
def an_incomplete_answer_is_late(behaviour):
    check(_rude(behaviour, **SHORT), faults={"late": 3})


def an_answer_within_the_grace_is_in_time():
    match = _rude("slow", 0.75, time_limit=0.5, grace=20)
    check(match, faults={})
    times = [ply.seconds for ply in match.game.of("b")]
    require(all(0.5 < seconds <= 20.5 for seconds in times), "times: %r", times)


def a_late_answer_is_dropped():
    match = _rude("slow_at", 2, 3, **OFTEN)
    check(match, faults={"late": 1})
    equal(match.game.faults("b"), [None, "late", None], "faults in the record")


@family("first", "last")
def an_answer_is_judged_by_when_it_came_although_the_judge_was_stopped(when):
    check_held_judge(_rude, when)


def the_start_is_not_charged_to_the_first_move():
    match = _rude("start", 3, **OFTEN)
    check(match, faults={})
    require(match.game.of("b")[0].seconds < 2.2, "time of the first move")


def _secret(way, before_s, after_s, **options):
    """Reads its first question in a way that the judge may not see."""
    is_owners = way in ("noatime", "removed")  # root's file is not the agent's own
    who = as_user() if is_owners and Settings.is_root else {}
    return _rude("secret", way, before_s, after_s, how=who,
                 **{**SHORT, "time_limit": 1, "grace": 0.5, **options})


@family("exchange", "noatime", "mapped", "removed")
def a_question_cannot_be_read_in_secret(way):
    match = _secret(way, 0, 4)
    check(match)
    equal(match.game.faults("b")[0], "late", "fault of the first move")


@family("exchange", "noatime")
def the_time_of_a_first_question_starts_when_it_is_read(way):
    """The same ways, and the same time in all."""
    check(_secret(way, 4, 0), faults={})


def files_made_before_the_first_question_are_not_its_reading():
    """White's folder changes while it starts, and Black still thinks."""
    match = play("reversi", ugi("slow", 0.3, "reversi"), files("starts-with-files", 4),
                 **{**SHORT, "time_limit": 1, "grace": 0.5})
    check(match, faults={})


def an_agent_that_never_reads_its_first_question_is_late():
    match = _rude("start", 1000, **{**SHORT, "startup_limit": 0.5})
    check(match, faults={"late": 3})


# --- The files ---

@family("future", "garbage", "off-board")
def an_impossible_answer_is_invalid(behaviour):
    check(_rude(behaviour), faults={"invalid": 3})


@family("folder", "fifo", "link")
def an_answer_that_is_not_a_file_is_invalid_once(behaviour):
    check(_rude(behaviour, **OFTEN), faults={"invalid": 1, "late": 2})


def a_file_that_cannot_be_opened_is_late():
    """A lease; the sandbox refuses it (F_SETLEASE)."""
    check(_rude("lease", sandbox="off", **OFTEN), faults={"late": 3})


@family("future", "garbage", "off-board", "folder", "fifo", "link")
def one_bad_file_costs_one_turn(kind):
    match = _rude("bad-once", kind)
    check(match, faults={"invalid": 1})
    equal(match.game.faults("b"), ["invalid", None, None], "faults in the record")


@family("2", "3")
def an_index_that_was_too_high_is_never_the_answer(index):
    match = _rude("leftover", index, **OFTEN)
    check(match, faults={"invalid": 1, "late": 2})
    equal(match.game.faults("b"), ["invalid", "late", "late"], "faults in the record")


def a_file_older_than_the_question_is_not_an_answer():
    match = _rude("in-advance", other=ugi("slow", 0.8, "reversi"), **OFTEN)
    check(match, faults={"late": 2})
    equal(match.game.faults("b"), [None, "late", "late"], "faults in the record")


@family("0", "2", "100", "1000")
def a_wrong_number_of_squares_is_invalid(count):
    check(_rude("pairs", count), faults={"invalid": 3})


def a_huge_file_is_invalid():
    check(_rude("huge"), faults={"invalid": 3})


def a_link_in_place_of_the_judges_file_is_not_followed():
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("precious")
        file.flush()
        os.chmod(file.name, 0o666)
        check(_rude("trap", file.name, sandbox="off"), faults={})
        check(_rude("trap", file.name), faults={})
        with open(file.name) as again:
            equal(again.read(), "precious", "what the link led to")


@family("block", "block-largely")
def an_agent_that_blocks_the_judges_file_has_crashed(behaviour):
    check(_rude(behaviour), faults={"crashed": 1})


def a_folder_that_is_hard_to_remove_is_removed():
    check(_rude("deep"), faults={})


def a_folder_that_is_hard_to_remove_is_removed_without_a_sandbox():
    check(_rude("deep", sandbox="off"), faults={})


def stdout_is_kept():
    match, log = play_logged("reversi", files("prints"), "random", **QUICK)
    check(match, faults={})
    require("\nstandard output:\nquestion 1\nquestion 2\nquestion 3\n" in log, "log: %s", log)


# --- Starting and stopping ---

def the_agent_receives_the_stop_at_the_end():
    match, log = play_logged("reversi", files("tell-stop"), "random", games=2, **QUICK)
    check(match, faults={})
    require("stopped" in log, "log: %s", log)


def an_agent_that_exits_before_the_first_question_has_crashed():
    match = _rude("leave-at-once")
    equal(sorted(match.faults(0)), ["crashed"], "faults")


def the_judge_plays_for_a_crashed_agent_to_the_end():
    match = _rude("leave-at", 2)
    check(match, faults={"crashed": 1})
    equal(match.game.faults("b"), [None, "crashed", "crashed"], "faults in the record")


def an_agent_that_ignores_the_stop_is_killed():
    check(_rude("ignore", games=2), faults={})


@family("off", "strict", "auto")
def any_sandbox_will_do(mode):
    if mode == "strict":
        require_strict()
    match = _rude("good", sandbox=mode)
    check(match, faults={})
    equal(match.game.tags["Sandbox"] == "off", mode == "off", "off in the record")


main(globals())
