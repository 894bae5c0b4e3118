/* Exact values of hop near its move limit and of meichu with little money, compared with a
 * solver on top of the naive rules that leaves nothing out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "engine_support.h"
#include "game/registry.h"
#include "naive/naive.h"
#include "scale.h"

enum { INFINITE = 100, NAIVE_NODES = 4000 };

/* A solver that gives up after NAIVE_NODES positions; its answer is meaningless then. */
struct naive_solver {
    const struct naive_game *game;
    long nodes_left;
};

static int naive_value(struct naive_solver *solver, const struct naive_position *position,
                       int alpha, int beta)
{
    struct naive_list list = {0};
    if (solver->nodes_left-- <= 0) {
        return 0;
    }
    struct naive_result result = naive_result(solver->game, position);
    int side = position->to_move == 'w';
    if (strcmp(result.outcome, "ongoing") != 0) {
        return result.score[side] - result.score[!side];
    }
    naive_moves(solver->game, position, &list);
    for (size_t i = 0; i < list.count && alpha < beta; i++) {
        int value = -naive_value(solver, &list.moves[i].after, -beta, -alpha);
        alpha = value > alpha ? value : alpha;
    }
    naive_list_free(&list);
    return alpha;
}

static bool is_listed(const struct game *game, const struct engine_solution *solution,
                      const char *text)
{
    char listed[GAME_MOVE_BYTES];
    for (size_t i = 0; i < solution->count; i++) {
        game_write_move(game, &solution->moves[i], listed);
        if (strcmp(listed, text) == 0) {
            return true;
        }
    }
    return false;
}

/* False when the naive solver had to give up. */
static bool agrees(struct engine *engine, const struct game *game, const char *text)
{
    struct naive_solver solver = {naive_find(game->name), NAIVE_NODES};
    struct naive_position position;
    struct naive_list list = {0};
    struct engine_solution solution;
    struct state state;
    assert_int_equal(game_read_position(game, text, &state, NULL), ERR_NONE);
    assert_true(naive_read(solver.game, text, &position));
    int value = naive_value(&solver, &position, -INFINITE, INFINITE);
    if (solver.nodes_left <= 0) {
        return false;
    }
    engine_clear(engine);
    assert_true(engine_solve(engine, &(struct engine_request){.game = game, .state = &state}, true,
                             &solution));
    if (solution.value != value) {
        fail_msg("%s: %d instead of %d in %s", game->name, solution.value, value, text);
    }
    naive_moves(solver.game, &position, &list);
    for (size_t i = 0; i < list.count; i++) {
        struct naive_solver again = {solver.game, NAIVE_NODES};
        int reached = -naive_value(&again, &list.moves[i].after, -value - 1, -value + 1);
        if (again.nodes_left > 0 &&
            (reached >= value) != is_listed(game, &solution, list.moves[i].text)) {
            fail_msg("%s: %s is listed wrongly in %s", game->name, list.moves[i].text, text);
        }
    }
    naive_list_free(&list);
    return true;
}

/* A position of a random game with random pieces taken away and other numbers. */
static void random_text(const struct game *game, struct rng *rng, char text[GAME_POSITION_BYTES])
{
    struct state state;
    do {
        state = random_opening(game, rng, 10 + (int)rng_below(rng, 60));
        game->write_position(&state, text);
        uint64_t percent = 30 + rng_below(rng, 60);
        for (char *cell = text; *cell != ' '; cell++) {
            bool is_piece = strchr("XOSsBb", *cell);
            *cell = is_piece && rng_below(rng, 100) < percent ? '.' : *cell;
        }
        char *numbers = strchr(text, ' ') + 1;
        size_t room = (size_t)(text + GAME_POSITION_BYTES - numbers - 1);
        bool is_black = *numbers == 'b';
        if (game->auction) {
            snprintf(numbers + 1, room, " %d %d", (int)rng_below(rng, 13), (int)rng_below(rng, 13));
        } else {
            int used = 200 - 1 - (int)rng_below(rng, 3);
            snprintf(numbers + 1, room, " %d %d", is_black ? used : used + 1, used);
        }
        assert_int_equal(game_read_position(game, text, &state, NULL), ERR_NONE);
    } while (game_is_over(game, &state));
}

static void check_random_positions(const char *name, long wanted)
{
    const struct game *game = registry_find(cpu_best(), name, NULL);
    struct engine engine = make_engine();
    struct rng rng = rng_make(12);
    for (long compared = 0; compared < wanted;) {
        char text[GAME_POSITION_BYTES];
        random_text(game, &rng, text);
        compared += agrees(&engine, game, text);
    }
    engine_free(&engine);
}

static void meichu_with_little_money_has_its_naive_value(void **state)
{
    (void)state;
    check_random_positions("meichu", scaled(300));
}

static void hop_near_the_limit_has_its_naive_value(void **state)
{
    (void)state;
    check_random_positions("hop", scaled(80));
    check_random_positions("hop-noloop", scaled(80));
}

static void a_position_far_from_its_end_is_not_solved(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "hop", NULL);
    struct engine engine = make_engine();
    struct state start = game->start();
    struct engine_solution solution = {.value = 99};
    assert_false(engine_solve(&engine, &(struct engine_request){.game = game, .state = &start},
                              false, &solution));
    assert_int_equal(solution.nodes, 0);
    assert_int_equal(solution.value, 99);
    engine_free(&engine);
}

/* With money for a long war the end is out of reach, but a forced win is not. */
static void a_forced_win_is_an_exact_value(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "meichu", NULL);
    struct engine engine = make_engine();
    struct state position;
    struct engine_solution solution;
    const char *text = "....f..../........./........./........./....S..../........./........./"
                       "s......../....F.... b 150 150";
    assert_int_equal(game_read_position(game, text, &position, NULL), ERR_NONE);
    assert_true(engine_solve(&engine, &(struct engine_request){.game = game, .state = &position},
                             false, &solution));
    assert_int_equal(solution.value, 1);
    engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meichu_with_little_money_has_its_naive_value),
        cmocka_unit_test(hop_near_the_limit_has_its_naive_value),
        cmocka_unit_test(a_position_far_from_its_end_is_not_solved),
        cmocka_unit_test(a_forced_win_is_an_exact_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
