/* The parts of plum check that need no program: grades, guesses, and opponents that let a game
 * last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "app/check_guess.h"
#include "app/check_list.h"
#include "player/spending.h"
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

static void the_two_ends_of_a_way_are_guessed(void **unused)
{
    (void)unused;
    assert_string_equal(
        guess("hop", PLAYER_TCP,
              "......../XO.O..../......../......../......../......../......../........ b 0 0",
              "10-14"),
        "10-12-14 would be legal: name every square of the way");
}

static void squares_off_the_board_may_be_counted_from_one(void **unused)
{
    const struct game *game = find_game(cpu_best(), "meichu");
    struct check_fault fault = {.phase = JUDGE_PLAYING, .fault = {.kind = FAULT_INVALID}};
    struct note out;
    (void)unused;
    assert_int_equal(game_read_position(game, "start", &fault.fault.position, &out), ERR_NONE);
    struct move moves[GAME_MAX_MOVES];
    assert_true(game->moves(&fault.fault.position, moves) > 0);
    int from = moves[0].squares[0];
    int to = moves[0].squares[1];
    note_set(&fault.fault.answer, "[%d, %d, %d, %d]", from / 9 + 1, from % 9 + 1, to / 9 + 1,
             to % 9 + 1);
    check_guess(game, PLAYER_TEMPLATE, &fault, &out);
    assert_non_null(strstr(out.text, "counted from 1?"));
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
    assert_non_null(strstr(out.text, "compare its budgets with the judge's: Black 0, White 0"));
    fault.fault.is_idle = false;
    check_guess(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, &fault, &out);
    assert_string_equal(out.text, "");
}

/* --- Opponents that let a game last --- */

/* Programs as first ones are: they look at their own moves only. */
struct habit {
    int flag; /* what taking it is worth */
    int soldier;
    int step; /* nearer to the flag */
    int coin; /* that the move costs */
};

static const struct habit any_move = {0, 0, 0, 0};
static const struct habit capturer = {1000, 50, 0, 0};
static const struct habit kit = {1000, 50, 3, 1}; /* clients/python/meichu */

static int find_flag(const struct game *game, const struct state *state, enum side side)
{
    int square = 0;
    while (game->cell(state, square).piece != PIECE_FLAG ||
           game->cell(state, square).side != side) {
        square++;
    }
    return square;
}

static int distance(const struct game *game, int a, int b)
{
    return abs(a / game->columns - b / game->columns) + abs(a % game->columns - b % game->columns);
}

static int worth(const struct habit *habit, const struct game *game, const struct state *state,
                 const struct move *move)
{
    enum side side = game->to_move(state);
    enum side other = side_other(side);
    struct state after = *state;
    if (move->kind == MOVE_PASS) {
        return 0;
    }
    assert_int_equal(game->apply(&after, move, NULL), ERR_NONE);
    struct cell target = game->cell(state, move->squares[1]);
    int flag = find_flag(game, state, other);
    int nearer = distance(game, move->squares[0], flag) - distance(game, move->squares[1], flag);
    int prize = target.side != other            ? 0
                : target.piece == PIECE_FLAG    ? habit->flag
                : target.piece == PIECE_SOLDIER ? habit->soldier
                                                : 0;
    return prize + habit->step * nearer -
           habit->coin * (game->budget(state, side) - game->budget(&after, side));
}

static struct move habit_move(const struct habit *habit, const struct game *game,
                              const struct state *state, struct rng *rng)
{
    static struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    size_t ties = 0;
    struct move best = moves[0];
    for (size_t i = 0; i < count; i++) {
        int difference =
            ties ? worth(habit, game, state, &moves[i]) - worth(habit, game, state, &best) : 1;
        ties = difference > 0 ? 1 : ties + (difference == 0);
        if (difference > 0 || (difference == 0 && rng_below(rng, ties) == 0)) {
            best = moves[i];
        }
    }
    return best;
}

/* In how many of the games that side has to pass, the one with the pace or the other. */
static int count_passing(enum spending pace, const struct habit *habit, int games)
{
    const struct game *game = find_game(cpu_best(), "meichu");
    int reached = 0;
    for (int i = 0; i < games; i++) {
        enum side pacer = i % 2 ? SIDE_WHITE : SIDE_BLACK;
        enum side wanted = pace == SPENDING_QUICK ? pacer : side_other(pacer);
        struct state state = game->start();
        struct rng rng = rng_make((uint64_t)i);
        bool has_passed = false;
        while (!has_passed && !game_is_over(game, &state)) {
            enum side side = game->to_move(&state);
            struct move move = side == pacer ? spending_move(pace, game, &state, &rng)
                                             : habit_move(habit, game, &state, &rng);
            assert_int_equal(game->apply(&state, &move, NULL), ERR_NONE);
            has_passed = move.kind == MOVE_PASS && side == wanted;
        }
        reached += has_passed;
    }
    return reached;
}

static void an_opponent_that_spends_has_to_pass(void **unused)
{
    (void)unused;
    assert_in_range(count_passing(SPENDING_QUICK, &any_move, 3), 3, 3);
    assert_in_range(count_passing(SPENDING_QUICK, &capturer, 4), 4, 4);
    assert_in_range(count_passing(SPENDING_QUICK, &kit, 12), 9, 12);
}

static void a_program_has_to_pass_against_an_opponent_that_saves(void **unused)
{
    (void)unused;
    assert_in_range(count_passing(SPENDING_SLOW, &any_move, 2), 2, 2);
}

static void games_about_budgets_are_played_again_with_the_other_colour(void **unused)
{
    struct check_plan plans[CHECK_MAX_TRIALS];
    int count = check_plan_trials(find_game(cpu_best(), "meichu"), PLAYER_TEMPLATE, 1, plans);
    int retries = 0;
    (void)unused;
    for (int i = 1; i < count; i++) {
        if (plans[i].is_retry) {
            retries++;
            assert_int_equal(plans[i].opponent, plans[i - 1].opponent);
            assert_int_not_equal(plans[i].bid.colour, plans[i - 1].bid.colour);
        }
    }
    assert_int_equal(retries, 2);
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
        cmocka_unit_test(the_two_ends_of_a_way_are_guessed),
        cmocka_unit_test(squares_off_the_board_may_be_counted_from_one),
        cmocka_unit_test(unpaid_moves_are_guessed),
        cmocka_unit_test(a_move_that_fits_nothing_has_no_guess),
        cmocka_unit_test(a_pass_that_is_awaited_is_guessed),
        cmocka_unit_test(an_opponent_that_spends_has_to_pass),
        cmocka_unit_test(a_program_has_to_pass_against_an_opponent_that_saves),
        cmocka_unit_test(games_about_budgets_are_played_again_with_the_other_colour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
