/* Exact ends of reversi and othello: compared with plain alpha-beta, and with published values.
 * With the argument `long`: thousands of ends with up to fourteen empty squares. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine_support.h"
#include "game/registry.h"
#include "scale.h"

enum { INFINITE = 1000 };

/* The final difference for the side to move, through the judge's rules alone. */
static int plain_value(const struct game *game, const struct state *state, int alpha, int beta)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = game->moves(state, moves);
    if (count == 0) {
        return game->result(state).score[game->to_move(state)];
    }
    for (size_t i = 0; i < count && alpha < beta; i++) {
        struct state next = play(game, state, &moves[i]);
        int score = -plain_value(game, &next, -beta, -alpha);
        alpha = score > alpha ? score : alpha;
    }
    return alpha;
}

/* One plain search for each move gives the value and all moves that reach it. */
static void check_solution(struct engine *engine, const struct game *game,
                           const struct state *state)
{
    struct engine_solution solution;
    struct move moves[GAME_MAX_MOVES];
    int values[GAME_MAX_MOVES];
    char text[GAME_POSITION_BYTES];
    int best = -INFINITE;
    size_t optimal = 0;
    size_t count = game->moves(state, moves);
    for (size_t i = 0; i < count; i++) {
        struct state next = play(game, state, &moves[i]);
        values[i] = -plain_value(game, &next, -INFINITE, -(best - 1));
        best = values[i] > best ? values[i] : best;
    }
    game->write_position(state, text);
    assert_true(engine_solve(engine, &(struct engine_request){.game = game, .state = state}, true,
                             &solution));
    if (solution.value != best) {
        fail_msg("%s: %d instead of %d in %s", game->name, solution.value, best, text);
    }
    for (size_t i = 0; i < count; i++) {
        if (values[i] != best) {
            continue;
        }
        if (optimal >= solution.count || move_compare(&solution.moves[optimal], &moves[i]) != 0) {
            fail_msg("%s: wrong list of optimal moves in %s", game->name, text);
        }
        optimal++;
    }
    assert_int_equal(solution.count, optimal);
}

static void check_random_ends(const char *name, int empty, long positions)
{
    struct engine engine = make_engine();
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = registry_find(level, name, NULL);
        struct rng rng = rng_make((uint64_t)empty);
        for (long i = 0; i < positions; i++) {
            struct state state = random_end(game, &rng, empty);
            check_solution(&engine, game, &state);
        }
    }
    engine_free(&engine);
}

static void reversi_ends_have_their_plain_value(void **state)
{
    (void)state;
    for (int empty = 1; empty <= 8; empty++) {
        check_random_ends("reversi", empty, scaled(150));
    }
    check_random_ends("reversi", 10, scaled(20));
}

static void othello_ends_have_their_plain_value(void **state)
{
    (void)state;
    for (int empty = 1; empty <= 9; empty++) {
        check_random_ends("othello", empty, scaled(150));
    }
    check_random_ends("othello", 12, scaled(10));
}

/* The plain search takes twice to three times as long for each more empty square. */
static void long_ends_have_their_plain_value(void **state)
{
    static const struct {
        int empty;
        long positions;
    } rows[] = {{8, 3000}, {9, 2000}, {10, 1000}, {11, 500}, {12, 200}, {13, 60}, {14, 20}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        check_random_ends(*state, rows[i].empty, scaled(rows[i].positions));
    }
}

/* FFO endgame test, problem 40: its published value and best move. */
static void a_published_problem_has_its_published_value(void **state)
{
    (void)state;
    struct engine engine = make_engine();
    const struct game *game = registry_find(cpu_best(), "othello", NULL);
    struct state position;
    struct engine_solution solution;
    char text[GAME_MOVE_BYTES];
    assert_int_equal(
        game_read_position(
            game, "O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ b",
            &position, NULL),
        ERR_NONE);
    assert_true(engine_solve(&engine, &(struct engine_request){.game = game, .state = &position},
                             false, &solution));
    assert_int_equal(solution.value, 38);
    assert_int_equal(solution.count, 1);
    game_write_move(game, &solution.moves[0], text);
    assert_string_equal(text, "10");
    engine_free(&engine);
}

static void a_stopped_solver_reports_it(void **state)
{
    (void)state;
    struct engine engine = make_engine();
    const struct game *game = registry_find(cpu_best(), "othello", NULL);
    struct state start = game->start();
    struct engine_solution solution = {.value = 99};
    atomic_bool stop = true;
    assert_false(engine_solve(
        &engine, &(struct engine_request){.game = game, .state = &start, .stop = &stop}, false,
        &solution));
    assert_int_equal(solution.value, 99);
    engine_free(&engine);
}

static void a_solver_ends_at_its_limits(void **state)
{
    (void)state;
    struct engine engine = make_engine();
    const struct game *game = registry_find(cpu_best(), "othello", NULL);
    struct state start = game->start();
    struct engine_solution solution = {.value = 99};
    struct engine_request request = {.game = game, .state = &start, .limits = {.time_ns = 1}};
    assert_false(engine_solve(&engine, &request, false, &solution));
    assert_true(solution.time_ns >= 1);
    request.limits = (struct engine_limits){.nodes = 5000};
    assert_false(engine_solve(&engine, &request, false, &solution));
    assert_true(solution.nodes > 0 && solution.nodes <= 5000);
    assert_int_equal(solution.value, 99);
    engine_free(&engine);
}

/* Its time ends a solver, but does not change how it searches. */
static void a_solver_plans_with_nodes_alone(void **state)
{
    (void)state;
    struct search search = {.nodes_left = 1000000000, .deadline_ns = clock_now_ns() + 1000000};
    struct search_thread thread = search_thread_start(&search, 0, true);
    assert_true(search_nodes_left(&thread) < 1000000);
    search.is_solving = true;
    assert_int_equal(search_nodes_left(&thread), 1000000000);
}

struct watched_solver {
    pthread_t thread;
    atomic_bool stop;
    int64_t elapsed_ns;
    int calls;
};

static void watch(void *context, int64_t elapsed_ns)
{
    struct watched_solver *watched = context;
    assert_true(pthread_equal(pthread_self(), watched->thread));
    assert_true(elapsed_ns > watched->elapsed_ns);
    watched->elapsed_ns = elapsed_ns;
    atomic_store(&watched->stop, ++watched->calls == 3);
}

static void a_solver_reports_its_progress_in_the_callers_thread(void **state)
{
    (void)state;
    struct engine engine;
    struct note why;
    struct watched_solver watched = {.thread = pthread_self()};
    struct engine_solution solution;
    const struct game *game = registry_find(cpu_best(), "othello", NULL);
    struct state start = game->start();
    struct engine_request request = {.game = game,
                                     .state = &start,
                                     .stop = &watched.stop,
                                     .on_progress = watch,
                                     .context = &watched};
    assert_int_equal(engine_init(&engine, 1, 2, &why), ERR_NONE);
    assert_false(engine_solve(&engine, &request, false, &solution));
    assert_true(watched.calls >= 3);
    assert_true(solution.time_ns >= watched.elapsed_ns);
    engine_free(&engine);
}

static void a_forced_pass_is_the_optimal_move(void **state)
{
    (void)state;
    struct engine engine = make_engine();
    const struct game *game = registry_find(cpu_best(), "othello", NULL);
    struct state position;
    struct engine_solution solution;
    assert_int_equal(
        game_read_position(
            game, "OX....../......../......../......../......../......../......../........ w",
            &position, NULL),
        ERR_NONE);
    struct state passed = position;
    struct move pass = move_pass();
    assert_int_equal(game->apply(&passed, &pass, NULL), ERR_NEGATIVE);
    assert_int_equal(
        game_read_position(
            game, "XO....../......../......../......../......../......../......../........ w",
            &position, NULL),
        ERR_NONE);
    assert_true(engine_solve(&engine, &(struct engine_request){.game = game, .state = &position},
                             true, &solution));
    assert_int_equal(solution.count, 1);
    assert_int_equal(solution.moves[0].kind, MOVE_PASS);
    assert_int_equal(solution.value, -64);
    engine_free(&engine);
}

/* A search that reaches the end of the game says that its score is exact. */
static void a_deep_enough_search_is_exact(void **state)
{
    (void)state;
    struct engine engine = make_engine();
    struct rng rng = rng_make(4);
    for (long i = 0; i < scaled(50); i++) {
        const struct game *game = registry_find(cpu_best(), i % 2 ? "reversi" : "othello", NULL);
        struct state position = random_end(game, &rng, 7);
        struct engine_limits limits = {.depth = 7};
        struct engine_report report;
        engine_search(&engine,
                      &(struct engine_request){.game = game, .state = &position, .limits = limits},
                      &report);
        assert_true(report.is_exact ||
                    game->moves(&position, (struct move[GAME_MAX_MOVES]){{0}}) == 1);
        if (report.is_exact) {
            assert_int_equal(report.score, 100 * plain_value(game, &position, -INFINITE, INFINITE));
        }
    }
    engine_free(&engine);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reversi_ends_have_their_plain_value),
        cmocka_unit_test(othello_ends_have_their_plain_value),
        cmocka_unit_test(a_published_problem_has_its_published_value),
        cmocka_unit_test(a_stopped_solver_reports_it),
        cmocka_unit_test(a_solver_ends_at_its_limits),
        cmocka_unit_test(a_solver_plans_with_nodes_alone),
        cmocka_unit_test(a_solver_reports_its_progress_in_the_callers_thread),
        cmocka_unit_test(a_forced_pass_is_the_optimal_move),
        cmocka_unit_test(a_deep_enough_search_is_exact),
    };
    const struct CMUnitTest long_tests[] = {
        cmocka_unit_test_prestate(long_ends_have_their_plain_value, "reversi"),
        cmocka_unit_test_prestate(long_ends_have_their_plain_value, "othello"),
    };
    if (argc > 1 && strcmp(argv[1], "long") == 0) {
        return cmocka_run_group_tests(long_tests, NULL, NULL);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
