/* What the engine must see: forced wins, captures, ends worth reaching and ends worth avoiding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "engine_support.h"
#include "game/registry.h"
#include "scale.h"

/* --- Forced wins, proved by trying everything --- */

static bool has_won(const struct game *game, const struct state *state, enum side side)
{
    enum outcome outcome = game->result(state).outcome;
    return outcome == (side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE);
}

/* Whether `side` has won, or can force it within `plies` plies whichever side is to move. */
static bool can_force(const struct game *game, const struct state *state, enum side side, int plies)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    if (count == 0) {
        return has_won(game, state, side);
    }
    bool is_own_turn = game->to_move(state) == side;
    for (size_t i = 0; plies > 0 && i < count; i++) {
        struct state next = play(game, state, &moves[i]);
        if (can_force(game, &next, side, plies - 1) == is_own_turn) {
            return is_own_turn;
        }
    }
    return plies > 0 && !is_own_turn;
}

/* 1 or 3: the shortest forced win of the side to move; 0: none so short. */
static int plies_to_win(const struct game *game, const struct state *state)
{
    enum side side = game->to_move(state);
    return can_force(game, state, side, 1) ? 1 : can_force(game, state, side, 3) ? 3 : 0;
}

static void find_forced_wins(const char *name, int opening_plies, long wanted)
{
    const struct game *game = registry_find(cpu_best(), name, NULL);
    struct engine engine = make_engine();
    struct rng rng = rng_make(9);
    long found[4] = {0};
    while (found[1] < wanted || found[3] < wanted) {
        struct state state = random_opening(game, &rng, opening_plies + (int)rng_below(&rng, 20));
        int plies = plies_to_win(game, &state);
        if (!plies || found[plies] == wanted) {
            continue;
        }
        found[plies]++;
        struct engine_limits limits = {.depth = plies + 2};
        struct engine_report report;
        char text[GAME_POSITION_BYTES];
        game->write_position(&state, text);
        engine_clear(&engine);
        engine_search(&engine,
                      &(struct engine_request){.game = game, .state = &state, .limits = limits},
                      &report);
        if (report.score != ENGINE_WIN - plies) {
            fail_msg("%s: score %d, but there is a win in %d in %s", name, report.score, plies,
                     text);
        }
        struct state next = play(game, &state, &report.move);
        assert_true(can_force(game, &next, game->to_move(&state), plies - 1));
    }
    engine_free(&engine);
}

static void meichu_forced_wins_are_found_at_their_distance(void **state)
{
    (void)state;
    find_forced_wins("meichu", 8, scaled(40));
}

/* --- MeiChu --- */

static void meichu_takes_the_flag_at_once(void **state)
{
    (void)state;
    const char *position = "....f..../........./........./....S..../........./........./"
                           "........./.s......./....F.... b 50 50";
    expect_best_move("meichu", position, 4, "34-04");
    expect_decided("meichu", position, 4, 1);
}

static void meichu_cannot_take_what_it_cannot_pay_for(void **state)
{
    (void)state;
    /* The flag is three squares away: four coins. */
    expect_best_move("meichu",
                     "....f..../........./........./....S..../........./........./"
                     "........./......s../....F.... b 4 0",
                     3, "34-04");
    struct engine_report report = think("meichu",
                                        "....f..../........./........./....S..../........./"
                                        "........./........./......s../....F.... b 3 0",
                                        (struct engine_limits){.depth = 6});
    assert_true(report.score < ENGINE_WIN_BOUND);
}

static void meichu_defends_its_flag(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "meichu", NULL);
    const char *position = "f......../........./........./..s.F..../........./........./"
                           "........./...S...../........S b 40 40";
    struct state before;
    assert_int_equal(game_read_position(game, position, &before, NULL), ERR_NONE);
    struct engine_report report = think("meichu", position, (struct engine_limits){.depth = 4});
    struct state after = play(game, &before, &report.move);
    assert_false(can_force(game, &after, SIDE_WHITE, 1));
}

static void meichu_prefers_the_slower_loss(void **state)
{
    (void)state;
    /* White takes the flag whatever Black does; only capturing nothing makes it quick. */
    struct engine_report report = think("meichu",
                                        "f......../........./........./s...F...s/........./"
                                        "........./........./........./........S b 40 40",
                                        (struct engine_limits){.depth = 6});
    assert_true(report.score < 0);
    assert_true(report.score >= -ENGINE_WIN + 2);
}

/* --- Hop --- */

static void hop_captures_all_it_can(void **state)
{
    (void)state;
    expect_best_move(
        "hop-noloop",
        "......../......../X......./O......./..O...../O......./......../........ b 10 10", 3,
        "20-40-60");
}

static void hop_ends_the_game_while_ahead(void **state)
{
    (void)state;
    const char *position =
        "......X./......X./.....X../......../......../......../O..O..../O..O.... b 30 30";
    expect_best_move("hop", position, 5, "25-26");
    expect_decided("hop", position, 5, 1);
}

static void hop_does_not_end_the_game_while_behind(void **state)
{
    (void)state;
    /* With its last man home Black would lose one to three. */
    const char *position =
        "......../......../.....X../......../......../O......./O......./O..O.... b 30 30";
    const struct game *game = registry_find(cpu_best(), "hop", NULL);
    struct state before;
    assert_int_equal(game_read_position(game, position, &before, NULL), ERR_NONE);
    struct engine_report report = think("hop", position, (struct engine_limits){.depth = 6});
    struct state after = play(game, &before, &report.move);
    assert_false(game_is_over(game, &after));
}

static void hop_uses_its_last_move(void **state)
{
    (void)state;
    /* One move each is left: a man more at home wins. */
    const char *position =
        "......../.....X../......../...X..../......../......../O......./...O.... b 199 199";
    expect_best_move("hop", position, 2, "15-16");
    expect_best_move("hop", position, 6, "15-16");
    struct engine_report report = think("hop", position, (struct engine_limits){.depth = 2});
    assert_int_equal(report.score, 0);
}

static void hop_wins_on_the_move_limit(void **state)
{
    (void)state;
    expect_decided(
        "hop", "......../......X./.....X../...X..../......../......../O......./...O.... b 199 199",
        3, 2);
    expect_decided(
        "hop", "......../......X./......../...X..../......../......../O..O..../O..O.... w 200 199",
        3, 1);
}

/* With few men the end is in sight long before the limit. */
static void hop_counts_the_moves_that_are_left_to_few_men(void **state)
{
    (void)state;
    const char *position =
        "X......./......../.X....../......../......../......../......O./........ b 175 175";
    expect_best_move("hop", position, 50, "21-31");
    expect_decided("hop", position, 50, 50);
}

/* From a won race the game must end, not go round in circles. */
static void hop_does_not_shuffle_when_winning(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "hop", NULL);
    struct engine engine = make_engine();
    struct state now;
    struct note why = {""};
    if (game_read_position(game,
                           "....X.../..X...../...X..../.X....../......../.....O../......../.......O"
                           " b 40 40",
                           &now, &why)) {
        fail_msg("%s", why.text);
    }
    int plies = 0;
    while (!game_is_over(game, &now)) {
        struct engine_limits limits = {.nodes = 5000};
        struct engine_report report;
        engine_search(&engine,
                      &(struct engine_request){.game = game, .state = &now, .limits = limits},
                      &report);
        now = play(game, &now, &report.move);
        plies++;
    }
    assert_true(has_won(game, &now, SIDE_BLACK));
    assert_true(plies < 120);
    engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meichu_forced_wins_are_found_at_their_distance),
        cmocka_unit_test(meichu_takes_the_flag_at_once),
        cmocka_unit_test(meichu_cannot_take_what_it_cannot_pay_for),
        cmocka_unit_test(meichu_defends_its_flag),
        cmocka_unit_test(meichu_prefers_the_slower_loss),
        cmocka_unit_test(hop_captures_all_it_can),
        cmocka_unit_test(hop_ends_the_game_while_ahead),
        cmocka_unit_test(hop_does_not_end_the_game_while_behind),
        cmocka_unit_test(hop_uses_its_last_move),
        cmocka_unit_test(hop_wins_on_the_move_limit),
        cmocka_unit_test(hop_counts_the_moves_that_are_left_to_few_men),
        cmocka_unit_test(hop_does_not_shuffle_when_winning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
