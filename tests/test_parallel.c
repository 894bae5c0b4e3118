/* Several threads in one search: the same values as with one, and nothing left over when it is
 * stopped. Run under ThreadSanitizer by `make test-tsan`. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "engine/split.h"
#include "engine_support.h"
#include "game/registry.h"
#include "scale.h"

enum { THREADS = 4, HASH_MB = 4, NS_PER_MS = 1000000 };

static struct engine make_team(void)
{
    struct engine engine = {0};
    struct note why;
    assert_int_equal(engine_init(&engine, HASH_MB, THREADS, &why), ERR_NONE);
    return engine;
}

/* Values and lists of optimal moves. */
static void compare_solutions(const char *name, int empty, long positions)
{
    const struct game *game = registry_find(cpu_best(), name, NULL);
    struct engine one = make_engine();
    struct engine four = make_team();
    struct rng rng = rng_make((uint64_t)empty);
    for (long i = 0; i < positions; i++) {
        struct engine_solution alone;
        struct engine_solution together;
        struct state state = random_end(game, &rng, empty);
        engine_clear(&one);
        engine_clear(&four);
        assert_true(engine_solve(&one, &(struct engine_request){.game = game, .state = &state},
                                 true, &alone));
        assert_true(engine_solve(&four, &(struct engine_request){.game = game, .state = &state},
                                 true, &together));
        assert_int_equal(alone.value, together.value);
        assert_int_equal(alone.count, together.count);
        for (size_t k = 0; k < alone.count; k++) {
            assert_int_equal(move_compare(&alone.moves[k], &together.moves[k]), 0);
        }
    }
    engine_free(&four);
    engine_free(&one);
}

static void ends_have_equal_values_with_one_thread_and_four(void **state)
{
    (void)state;
    compare_solutions("othello", 13, scaled(20));
    compare_solutions("othello", 16, scaled(6));
    compare_solutions("reversi", 12, scaled(20));
    compare_solutions("reversi", 14, scaled(6));
}

/* Wins and losses of meichu, whose exact search is the general one. */
static void a_decided_position_is_decided_with_four_threads(void **state)
{
    enum { DEPTH = 7, DEPTH_AGAIN = 11 };
    (void)state;
    const struct game *game = registry_find(cpu_best(), "meichu", NULL);
    struct engine one = make_engine();
    struct engine four = make_team();
    struct rng rng = rng_make(5);
    int decided = 0;
    for (long i = 0; i < scaled(60); i++) {
        struct state position = random_opening(game, &rng, 30 + (int)rng_below(&rng, 30));
        struct engine_limits limits = {.depth = DEPTH};
        struct engine_report alone;
        struct engine_report together;
        engine_clear(&one);
        engine_clear(&four);
        engine_search(&one,
                      &(struct engine_request){.game = game, .state = &position, .limits = limits},
                      &alone);
        engine_search(&four,
                      &(struct engine_request){.game = game, .state = &position, .limits = limits},
                      &together);
        bool is_won = alone.score > ENGINE_WIN_BOUND;
        decided += is_won;
        assert_true(!is_won || together.score > -ENGINE_WIN_BOUND);
        if (is_won && together.score <= ENGINE_WIN_BOUND) { /* reductions depend on the threads */
            limits.depth = DEPTH_AGAIN;
            engine_search(
                &four, &(struct engine_request){.game = game, .state = &position, .limits = limits},
                &together);
            assert_true(together.score > ENGINE_WIN_BOUND);
        }
        play(game, &position, &together.move);
    }
    assert_true(decided > 0);
    engine_free(&four);
    engine_free(&one);
}

static void every_game_reaches_its_depth_with_four_threads(void **state)
{
    (void)state;
    static const char *const names[] = {"hop", "hop-noloop", "meichu", "reversi", "othello"};
    struct engine four = make_team();
    struct rng rng = rng_make(9);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct game *game = registry_find(cpu_best(), names[i], NULL);
        for (long k = 0; k < scaled(4); k++) {
            struct state position = random_opening(game, &rng, (int)rng_below(&rng, 20));
            struct engine_limits limits = {.depth = 9};
            struct engine_report report;
            engine_search(
                &four, &(struct engine_request){.game = game, .state = &position, .limits = limits},
                &report);
            play(game, &position, &report.move);
            assert_true(report.depth == 9 || report.is_exact || report.score > ENGINE_WIN_BOUND ||
                        report.score < -ENGINE_WIN_BOUND);
        }
    }
    engine_free(&four);
}

static void *stop_soon(void *argument)
{
    nanosleep(&(struct timespec){.tv_nsec = 2 * NS_PER_MS}, NULL);
    atomic_store((atomic_bool *)argument, true);
    return NULL;
}

/* FFO endgame test, problem 40, stopped on the way again and again, then solved. */
static void a_stopped_search_leaves_its_threads_ready_for_the_next(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "othello", NULL);
    struct engine four = make_team();
    struct rng rng = rng_make(3);
    struct state position;
    struct engine_solution solution;
    assert_int_equal(
        game_read_position(
            game, "O..OOOOX/.OOOOOOX/OOXXOOOX/OOXOOOXX/OOOOOOXX/...OOOOX/....O..X/........ b",
            &position, NULL),
        ERR_NONE);
    for (long i = 0; i < scaled(20); i++) {
        atomic_bool stop = false;
        pthread_t stopper;
        engine_clear(&four);
        assert_int_equal(pthread_create(&stopper, NULL, stop_soon, &stop), 0);
        bool is_solved = engine_solve(
            &four, &(struct engine_request){.game = game, .state = &position, .stop = &stop}, false,
            &solution);
        assert_true(!is_solved || solution.value == 38);
        pthread_join(stopper, NULL);
        struct engine_limits limits = {.nodes = 20000};
        struct engine_report report;
        engine_search(&four,
                      &(struct engine_request){.game = game, .state = &position, .limits = limits},
                      &report);
        assert_true(report.nodes <= 20000);
        play(game, &position, &report.move);
    }
    struct state end = random_end(game, &rng, 14);
    struct engine one = make_engine();
    struct engine_solution alone;
    assert_true(engine_solve(&four, &(struct engine_request){.game = game, .state = &end}, false,
                             &solution));
    assert_true(
        engine_solve(&one, &(struct engine_request){.game = game, .state = &end}, false, &alone));
    assert_int_equal(solution.value, alone.value);
    engine_free(&one);
    engine_free(&four);
}

/* A thread notices within a few nodes that a split point above it is cut, and continues when it
 * has left that one. */
static void a_cut_stops_what_is_below_it_and_nothing_else(void **state)
{
    (void)state;
    struct search search = {.nodes_left = UINT64_MAX, .deadline_ns = INT64_MAX};
    struct split upper = {.lock = ATOMIC_FLAG_INIT};
    struct split lower = {.lock = ATOMIC_FLAG_INIT, .parent = &upper};
    struct search_thread thread = search_thread_start(&search, 0, false);
    thread.split = &lower;
    search_check_limits(&thread);
    assert_true(search_count_node(&thread));
    split_cut(&upper);
    uint64_t before = thread.nodes;
    while (search_count_node(&thread)) {
    }
    assert_true(thread.nodes - before <= 64);
    assert_false(thread.is_ended);
    thread.split = NULL;
    search_return_nodes(&thread);
    assert_true(search_count_node(&thread));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_have_equal_values_with_one_thread_and_four),
        cmocka_unit_test(a_decided_position_is_decided_with_four_threads),
        cmocka_unit_test(every_game_reaches_its_depth_with_four_threads),
        cmocka_unit_test(a_stopped_search_leaves_its_threads_ready_for_the_next),
        cmocka_unit_test(a_cut_stops_what_is_below_it_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
