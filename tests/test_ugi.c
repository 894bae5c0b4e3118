/* UGI lines: what is understood, what is refused, and how. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <string.h>

#include "base/clock.h"
#include "protocol/ugi.h"
#include "game/registry.h"

static const struct game *game_of(const char *name)
{
    return registry_find(cpu_best(), name, NULL);
}

static struct ugi_command understand(const char *game, const char *line)
{
    struct ugi_command command;
    struct note why = {""};
    if (ugi_read_command(game_of(game), line, &command, &why)) {
        fail_msg("'%s' is refused: %s", line, why.text);
    }
    return command;
}

static void expect_refused(const char *game, const char *line, const char *words)
{
    struct ugi_command command = {.verb = UGI_QUIT};
    struct note why = {""};
    if (!ugi_read_command(game_of(game), line, &command, &why)) {
        fail_msg("'%s' is understood", line);
    }
    assert_int_equal(command.verb, UGI_QUIT);
    if (!strstr(why.text, words)) {
        fail_msg("'%s' is refused with '%s', which does not say '%s'", line, why.text, words);
    }
}

static void expect_position(const char *game, const char *line, const char *position)
{
    struct ugi_command command = understand(game, line);
    char text[GAME_POSITION_BYTES];
    assert_int_equal(command.verb, UGI_POSITION);
    game_of(game)->write_position(&command.position, text);
    assert_string_equal(text, position);
}

static void verbs_are_known_by_their_whole_name(void **state)
{
    (void)state;
    assert_int_equal(understand("hop", "").verb, UGI_NOTHING);
    assert_int_equal(understand("hop", " \t ").verb, UGI_NOTHING);
    assert_int_equal(understand("hop", "ugi").verb, UGI_UGI);
    assert_int_equal(understand("hop", "  isready\r").verb, UGI_ISREADY);
    assert_int_equal(understand("hop", "uginewgame").verb, UGI_NEWGAME);
    assert_int_equal(understand("hop", "stop").verb, UGI_STOP);
    assert_int_equal(understand("hop", "quit").verb, UGI_QUIT);
    expect_refused("hop", "quitt", "unknown command 'quitt'");
    expect_refused("hop", "qui", "unknown command");
}

static void a_position_is_the_start_or_a_text_and_moves(void **state)
{
    (void)state;
    expect_position("othello", "position startpos",
                    "......../......../......../...OX.../...XO.../......../......../........ b");
    expect_position("othello", "position startpos moves 23 22",
                    "......../......../..OX..../...OX.../...XO.../......../......../........ b");
    expect_position(
        "hop",
        "position fen  X......./......../......../......../......../......../......../"
        ".......O   b 3  3 moves  00-01",
        ".X....../......../......../......../......../......../......../.......O w 4 3");
}

static void a_bad_position_is_refused_with_its_place(void **state)
{
    (void)state;
    expect_refused("hop", "position", "startpos");
    expect_refused("hop", "position fen", "row");
    expect_refused("hop", "position fen X", "row");
    expect_refused("othello", "position startpos moves 23 23", "move 2");
    expect_refused("othello", "position startpos moves zz", "move 1");
    expect_refused("othello", "position startpos 23", "startpos");
}

static void a_position_longer_than_any_is_refused(void **state)
{
    (void)state;
    char line[400] = "position fen ";
    memset(line + strlen(line), 'X', 300);
    expect_refused("hop", line, "too long");
    memcpy(line, "position startpos moves ", 24);
    memset(line + 24, '1', sizeof line - 25);
    line[sizeof line - 1] = '\0';
    expect_refused("hop", line, "move 1");
}

static void limits_of_go_are_numbers_with_a_name(void **state)
{
    (void)state;
    struct ugi_go go = understand("hop", "go depth 5 nodes 100").go;
    assert_int_equal(go.depth, 5);
    assert_int_equal(go.nodes, 100);
    assert_false(go.is_infinite);
    go = understand("hop", "go p1time 60000 p2time 50000 p1inc 100 p2inc 200").go;
    assert_int_equal(go.time_ms[0], 60000);
    assert_int_equal(go.time_ms[1], 50000);
    assert_int_equal(go.increment_ms[0], 100);
    assert_int_equal(go.increment_ms[1], 200);
    assert_true(understand("hop", "go").go.is_infinite);
    assert_true(understand("hop", "go infinite").go.is_infinite);
    assert_string_equal(understand("hop", "go depth 5 infinite").remark.text, "");
}

static void expect_remark(const char *line, const char *words)
{
    struct ugi_command command = understand("hop", line);
    if (!strstr(command.remark.text, words)) {
        fail_msg("'%s' is remarked '%s', which does not say '%s'", line, command.remark.text,
                 words);
    }
}

static void go_is_never_refused_and_ends_by_itself(void **state)
{
    (void)state;
    static const char *const lines[] = {"go depth",   "go depth x", "go fast",
                                        "go p1inc 5", "go depth -", "go wtime 1000 btime 1000"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct ugi_go go = understand("hop", lines[i]).go;
        assert_false(go.is_infinite);
        assert_int_equal(go.movetime_ms, 1000);
        expect_remark(lines[i], "no limit is left");
    }
    expect_remark("go depth x", "'depth' is not followed by a number; no limit");
    expect_remark("go fast", "'go' does not know 'fast'; no limit");
}

static void unknown_words_of_go_are_ignored(void **state)
{
    (void)state;
    struct ugi_go go = understand("hop", "go depth nodes 70 movestogo 40 movetime 8").go;
    assert_int_equal(go.depth, 0);
    assert_int_equal(go.nodes, 70);
    assert_int_equal(go.movetime_ms, 8);
    assert_false(go.is_infinite);
    expect_remark("go movestogo 40 movetime 8", "'go' does not know 'movestogo'");
    assert_true(understand("hop", "go fast infinite").go.is_infinite);
}

static void absurd_numbers_of_go_are_cut(void **state)
{
    (void)state;
    const int64_t day_ms = 24 * 3600 * 1000;
    assert_int_equal(understand("hop", "go movetime 86400001").go.movetime_ms, day_ms);
    assert_int_equal(
        understand("hop", "go movetime 99999999999999999999999999999999999999").go.movetime_ms,
        day_ms);
    assert_int_equal(understand("hop", "go p1time -250").go.time_ms[SIDE_BLACK], 1);
    assert_int_equal(understand("hop", "go depth -1").go.depth, 1);
    assert_int_equal(understand("hop", "go depth 99999999999").go.depth, INT_MAX);
    expect_remark("go movetime 86400001", "'movetime' is cut to 86400000");
    expect_remark("go p1time -250", "'p1time' is cut to 0");
}

static void a_side_without_a_clock_uses_the_other_clock(void **state)
{
    (void)state;
    struct ugi_go go = understand("hop", "go p2time 3000").go;
    assert_true(ugi_think_ns(&go, SIDE_WHITE) > 0);
    assert_int_equal(ugi_think_ns(&go, SIDE_BLACK), ugi_think_ns(&go, SIDE_WHITE));
}

static void a_refused_line_still_has_its_verb(void **state)
{
    (void)state;
    assert_int_equal(ugi_verb(" position nonsense"), UGI_POSITION);
    assert_int_equal(ugi_verb("go"), UGI_GO);
    assert_int_equal(ugi_verb("positions"), UGI_NOTHING);
    assert_int_equal(ugi_verb(""), UGI_NOTHING);
}

static void thinking_time_stays_below_the_limit(void **state)
{
    (void)state;
    for (int64_t ms = 1; ms < 100000; ms = ms * 2 + 1) {
        struct ugi_go go = {.movetime_ms = ms};
        int64_t think = ugi_think_ns(&go, SIDE_BLACK);
        assert_true(think > 0 && think < ms * CLOCK_NS_PER_MS);
        assert_true(think >= ms * CLOCK_NS_PER_MS * 95 / 100);
        assert_true(think >= (ms - 5) * CLOCK_NS_PER_MS);
        struct ugi_go clock = {.time_ms = {ms, 1}, .increment_ms = {ms, 0}};
        think = ugi_think_ns(&clock, SIDE_BLACK);
        assert_true(think > 0 && think < ms * CLOCK_NS_PER_MS);
    }
    struct ugi_go now = understand("hop", "go movetime 0").go;
    assert_true(ugi_think_ns(&now, SIDE_WHITE) > 0);
    struct ugi_go nothing = {.depth = 3};
    assert_int_equal(ugi_think_ns(&nothing, SIDE_WHITE), 0);
}

static void options_have_a_name_and_a_value(void **state)
{
    (void)state;
    struct ugi_command command = understand("hop", "setoption name Hash value 32");
    assert_string_equal(command.name, "Hash");
    assert_string_equal(command.value, "32");
    expect_refused("hop", "setoption", "name");
    expect_refused("hop", "setoption name Hash", "value");
    expect_refused("hop", "setoption name Hash value", "value");
    expect_refused("hop", "setoption name Hash value 1234567890123456789012345678901234567890",
                   "too long");
    assert_string_equal(understand("hop", "query gameover").name, "gameover");
    expect_refused("hop", "query", "query");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verbs_are_known_by_their_whole_name),
        cmocka_unit_test(a_position_is_the_start_or_a_text_and_moves),
        cmocka_unit_test(a_bad_position_is_refused_with_its_place),
        cmocka_unit_test(a_position_longer_than_any_is_refused),
        cmocka_unit_test(limits_of_go_are_numbers_with_a_name),
        cmocka_unit_test(go_is_never_refused_and_ends_by_itself),
        cmocka_unit_test(unknown_words_of_go_are_ignored),
        cmocka_unit_test(absurd_numbers_of_go_are_cut),
        cmocka_unit_test(a_side_without_a_clock_uses_the_other_clock),
        cmocka_unit_test(a_refused_line_still_has_its_verb),
        cmocka_unit_test(thinking_time_stays_below_the_limit),
        cmocka_unit_test(options_have_a_name_and_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
