/* The parts of plum check that need no program: grades, guesses, and opponents that let a game
 * last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/check_grade.h"
#include "app/check_guess.h"
#include "app/check_list.h"
#include "player/pace.h"
#include "rules_support.h"

/* --- Grades --- */

static enum check_severity grade(enum penalty penalty, bool loses_game, int faults, int turns)
{
    return check_grade(&(struct check_tally){penalty, loses_game, faults, turns});
}

static void what_loses_a_game_must_be_fixed(void **unused)
{
    (void)unused;
    assert_int_equal(grade(PENALTY_LOSS, true, 1, 50), CHECK_MUST_FIX);
    assert_int_equal(grade(PENALTY_NOTE, true, 1, 50), CHECK_MUST_FIX);
    assert_int_equal(grade(PENALTY_REPLACE_FOREVER, false, 1, 50), CHECK_MUST_FIX);
}

static void what_costs_a_turn_or_marks_should_be_fixed(void **unused)
{
    (void)unused;
    assert_int_equal(grade(PENALTY_REPLACE, false, 1, 30), CHECK_SHOULD_FIX);
    assert_int_equal(grade(PENALTY_REPLACE, false, 1, 1), CHECK_SHOULD_FIX);
    assert_int_equal(grade(PENALTY_NOTE, false, 40, 40), CHECK_SHOULD_FIX);
}

static void one_turn_in_ten_must_be_fixed(void **unused)
{
    (void)unused;
    assert_int_equal(grade(PENALTY_REPLACE, false, 3, 30), CHECK_MUST_FIX);
    assert_int_equal(grade(PENALTY_REPLACE, false, 3, 31), CHECK_SHOULD_FIX);
    assert_int_equal(grade(PENALTY_REPLACE, false, 2, 2), CHECK_SHOULD_FIX);
}

static void the_verdict_counts_in_singular_and_plural(void **unused)
{
    static struct check_facts facts;
    static struct check_findings findings;
    struct note verdict;
    (void)unused;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text, "ready for the tournament");
    findings.totals[CHECK_SHOULD_FIX] = 1;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text, "ready for the tournament; 1 finding should be fixed");
    findings.totals[CHECK_MUST_FIX] = 2;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text,
                        "not ready: 2 findings must be fixed, 1 more should be fixed");
    assert_false(check_is_ready(&facts, &findings));
    findings.totals[CHECK_MUST_FIX] = 0;
    assert_true(check_is_ready(&facts, &findings));
    facts.is_interrupted = true;
    assert_false(check_is_ready(&facts, &findings));
}

static void a_program_that_was_not_seen_to_play_is_not_ready(void **unused)
{
    static struct check_facts facts;
    static struct check_findings findings = {.is_incomplete = true};
    struct note verdict;
    (void)unused;
    check_verdict(&facts, &findings, &verdict);
    assert_string_equal(verdict.text, "not ready: it was not seen to play both colours; more "
                                      "--max-time lets it");
    assert_false(check_is_ready(&facts, &findings));
}

static void an_illegal_move_does_not_upset_a_trial(void **unused)
{
    static struct check_trial trial = {
        .fault_count = 1,
        .faults = {{.fault = {.kind = FAULT_INVALID}}, {.fault = {.kind = FAULT_CRASHED}}}};
    (void)unused;
    assert_null(check_trial_upset(&trial));
    trial.fault_count = 2;
    assert_ptr_equal(check_trial_upset(&trial), &trial.faults[1]);
}

/* --- Guesses --- */

static const char *guess(const char *name, enum player_kind kind, const char *position,
                         const char *move)
{
    static struct note out;
    const struct game *game = find_game(cpu_best(), name);
    struct check_fault fault = {.phase = JUDGE_PLAYING};
    struct note why;
    assert_int_equal(game_read_position(game, position, &fault.fault.position, &why), ERR_NONE);
    assert_int_equal(game_read_move(game, move, &fault.fault.move, &why), ERR_NONE);
    fault.fault.kind = FAULT_INVALID;
    fault.fault.has_move = true;
    fault.side = game->to_move(&fault.fault.position);
    check_guess(game, kind, &fault, &out);
    return out.text;
}

static void swapped_rows_and_columns_are_guessed(void **unused)
{
    static const char position[] =
        "#......#/....O.../...X..../......../......../......../......../#......# b";
    (void)unused;
    assert_string_equal(guess("reversi", PLAYER_TCP, position, "14"),
                        "41 would be legal: rows and columns swapped?");
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "02-03"),
                        "20-30 would be legal: rows and columns swapped?");
}

static void the_other_colour_is_guessed(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "17-07"),
                        "legal for the other colour: is is_black used?");
    assert_string_equal(guess("hop-noloop", PLAYER_FILE, "start", "17-07"),
                        "legal for the other colour: is the line color used?");
}

static void squares_counted_from_one_are_guessed(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "71-72"),
                        "60-61 would be legal: rows and columns counted from 1?");
    assert_string_equal(
        guess("reversi", PLAYER_TCP,
              "#......#/......../..OX..../.....X../......../......../......../#......# w", "35"),
        "53 and 24 would be legal: rows and columns swapped, or counted from 1?");
}

static void unpaid_moves_are_guessed(void **unused)
{
    static const char poor[] =
        "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./"
        ".B.SBS.B./..SBFBS.. b 2 90";
    (void)unused;
    assert_string_equal(
        guess("meichu", PLAYER_TEMPLATE, poor, "64-62"),
        "legal with more money: does the program pay for every move, 1 + distance?");
}

static void a_move_that_fits_nothing_has_no_guess(void **unused)
{
    (void)unused;
    assert_string_equal(guess("hop", PLAYER_TCP, "start", "00-77"), "");
}

static void a_pass_that_is_awaited_is_guessed(void **unused)
{
    struct check_fault fault = {.phase = JUDGE_PLAYING, .side = SIDE_BLACK, .other_passed = true};
    struct note out;
    (void)unused;
    fault.fault = (struct judge_fault){.kind = FAULT_LATE, .is_idle = true};
    check_guess(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, &fault, &out);
    assert_non_null(strstr(out.text, "White has just passed"));
    fault.fault.is_idle = false;
    check_guess(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, &fault, &out);
    assert_string_equal(out.text, "");
}

/* --- Opponents that let a game last --- */

static const char *end_against_random(enum pace pace, uint64_t seed)
{
    const struct game *game = find_game(cpu_best(), "meichu");
    struct state state = game->start();
    struct rng rng = rng_make(seed);
    while (!game_is_over(game, &state)) {
        enum side side = game->to_move(&state);
        struct move move = pace_move(side == SIDE_BLACK ? pace : PACE_ANY, game, &state, &rng);
        assert_int_equal(game->apply(&state, &move, NULL), ERR_NONE);
    }
    return game->result(&state).reason;
}

static void a_game_against_a_pace_lasts_until_the_budgets_are_spent(void **unused)
{
    int spent = 0;
    (void)unused;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        spent += strcmp(end_against_random(PACE_SLOW, seed), "no-moves") == 0;
        spent += strcmp(end_against_random(PACE_QUICK, seed), "no-moves") == 0;
    }
    assert_true(spent >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_loses_a_game_must_be_fixed),
        cmocka_unit_test(what_costs_a_turn_or_marks_should_be_fixed),
        cmocka_unit_test(one_turn_in_ten_must_be_fixed),
        cmocka_unit_test(the_verdict_counts_in_singular_and_plural),
        cmocka_unit_test(a_program_that_was_not_seen_to_play_is_not_ready),
        cmocka_unit_test(an_illegal_move_does_not_upset_a_trial),
        cmocka_unit_test(swapped_rows_and_columns_are_guessed),
        cmocka_unit_test(the_other_colour_is_guessed),
        cmocka_unit_test(squares_counted_from_one_are_guessed),
        cmocka_unit_test(unpaid_moves_are_guessed),
        cmocka_unit_test(a_move_that_fits_nothing_has_no_guess),
        cmocka_unit_test(a_pass_that_is_awaited_is_guessed),
        cmocka_unit_test(a_game_against_a_pace_lasts_until_the_budgets_are_spent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
