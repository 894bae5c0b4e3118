/* The engine as its callers see it: legal, limited, stoppable, reproducible, strong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "engine/search.h"
#include "engine_support.h"
#include "game/registry.h"
#include "scale.h"
#include "sparring.h"

enum { MAX_PLIES = 500 };

/* Runs a test for every game on every processor level. */
static void for_each_game(void (*test)(const struct game *))
{
    const struct game *game = NULL;
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        for (size_t i = 0; (game = registry_at(level, i)); i++) {
            test(game);
        }
    }
}

/* --- Whole games --- */

static void play_whole_games(const struct game *game)
{
    struct engine engine = make_engine();
    struct rng rng = rng_make(11);
    for (long i = 0; i < scaled(10); i++) {
        struct state state = random_opening(game, &rng, (int)rng_below(&rng, 12));
        engine_clear(&engine);
        for (int ply = 0; !game_is_over(game, &state); ply++) {
            assert_true(ply < MAX_PLIES);
            struct engine_report report =
                search(&engine, game, &state, (struct engine_limits){.nodes = 300});
            struct state next = play(game, &state, &report.move);
            assert_true(report.line.count >= 1);
            struct state along = state;
            for (int j = 0; j < report.line.count; j++) {
                along = play(game, &along, &report.line.moves[j]);
            }
            state = next;
        }
    }
    engine_free(&engine);
}

static void every_move_of_whole_games_is_legal(void **state)
{
    (void)state;
    for_each_game(play_whole_games);
}

/* --- The same everywhere --- */

static void levels_agree(const char *name)
{
    const struct game *games[CPU_LEVELS] = {NULL};
    struct rng rng = rng_make(5);
    struct engine engine = make_engine();
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        games[level] = registry_find(level, name, NULL);
    }
    for (long i = 0; i < scaled(10); i++) {
        struct state state = random_opening(games[0], &rng, 6 + (int)rng_below(&rng, 20));
        struct engine_report first = {0};
        for (int run = 0; run < 3; run++) {
            enum cpu_level level = run == 2 ? cpu_best() : CPU_BASELINE;
            engine_clear(&engine);
            struct engine_report report =
                search(&engine, games[level], &state, (struct engine_limits){.nodes = 5000});
            if (run == 0) {
                first = report;
            }
            assert_int_equal(report.score, first.score);
            assert_int_equal(report.depth, first.depth);
            assert_int_equal(report.nodes, first.nodes);
            assert_int_equal(move_compare(&report.move, &first.move), 0);
        }
    }
    engine_free(&engine);
}

static void equal_searches_give_equal_answers_on_every_processor_level(void **state)
{
    (void)state;
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        levels_agree(game->name);
    }
}

/* --- Limits --- */

static void keep_node_limits(const struct game *game)
{
    struct engine engine = make_engine();
    struct rng rng = rng_make(4);
    for (int plies = 0; plies <= 50; plies += 10) {
        struct state position = random_opening(game, &rng, plies);
        for (uint64_t nodes = 1; nodes < (uint64_t)scaled(100000); nodes = nodes * 3 + 1) {
            engine_clear(&engine);
            struct engine_report report =
                search(&engine, game, &position, (struct engine_limits){.nodes = nodes});
            assert_true(report.nodes <= nodes);
            play(game, &position, &report.move);
        }
    }
    engine_free(&engine);
}

static void a_node_limit_is_never_passed(void **state)
{
    (void)state;
    for_each_game(keep_node_limits);
}

static void keep_depth_limits(const struct game *game)
{
    struct engine engine = make_engine();
    struct state start = game->start();
    for (int depth = 1; depth <= 5; depth++) {
        struct engine_report report =
            search(&engine, game, &start, (struct engine_limits){.depth = depth});
        assert_int_equal(report.depth, depth);
    }
    engine_free(&engine);
}

static void a_depth_limit_is_reached_and_not_passed(void **state)
{
    (void)state;
    for_each_game(keep_depth_limits);
}

/* A search that does not look at the clock takes for ever. On a busy machine anything may take
 * long; that costs no time of the processor. */
enum { PATIENCE_MS = 2000 };

static int64_t processor_ns(void)
{
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (int64_t)used.tv_sec * CLOCK_NS_PER_S + used.tv_nsec;
}

static void keep_deadline(const struct game *game)
{
    struct engine engine = make_engine();
    struct state start = game->start();
    int64_t before = clock_now_ns();
    int64_t used = processor_ns();
    struct engine_report report =
        search(&engine, game, &start, (struct engine_limits){.time_ns = 20 * CLOCK_NS_PER_MS});
    assert_true(clock_now_ns() - before >= 19 * CLOCK_NS_PER_MS);
    assert_true(processor_ns() - used < PATIENCE_MS * CLOCK_NS_PER_MS);
    play(game, &start, &report.move);
    engine_free(&engine);
}

static void a_deadline_ends_the_search(void **state)
{
    (void)state;
    for_each_game(keep_deadline);
}

static void *set_later(void *flag)
{
    usleep(30000);
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

static void obey_stop(const struct game *game)
{
    struct engine engine = make_engine();
    struct state start = game->start();
    struct engine_limits limits = {0};
    struct engine_report report;
    atomic_bool stop = false;
    pthread_t thread;
    int64_t used = processor_ns();
    assert_int_equal(pthread_create(&thread, NULL, set_later, &stop), 0);
    engine_search(
        &engine,
        &(struct engine_request){.game = game, .state = &start, .limits = limits, .stop = &stop},
        &report);
    pthread_join(thread, NULL);
    assert_true(processor_ns() - used < PATIENCE_MS * CLOCK_NS_PER_MS);
    assert_true(report.depth >= 1);
    play(game, &start, &report.move);
    engine_free(&engine);
}

struct agreement {
    struct move move;
    int depths;   /* in a row that have it */
    int depth;    /* the last one */
    bool is_over; /* enough depths agreed, and another one followed */
};

static void count_agreement(void *context, const struct engine_report *report)
{
    struct agreement *seen = context;
    seen->is_over |= seen->depths >= SEARCH_STABLE_DEPTHS;
    bool is_same = seen->depth && !move_compare(&seen->move, &report->move);
    seen->depths = is_same ? seen->depths + 1 : 1;
    seen->depth = report->depth;
    seen->move = report->move;
}

static void stop_early(const struct game *game)
{
    const struct engine_limits limits = {.nodes = 3000000, .early_ns = 1};
    struct engine engine = make_engine();
    struct rng rng = rng_make(5);
    struct state position = random_opening(game, &rng, 6);
    struct engine_report report;
    struct agreement seen = {.depth = 0};
    engine_search(&engine,
                  &(struct engine_request){.game = game,
                                           .state = &position,
                                           .limits = limits,
                                           .on_depth = count_agreement,
                                           .context = &seen},
                  &report);
    assert_int_equal(seen.depths, SEARCH_STABLE_DEPTHS);
    assert_false(seen.is_over);
    assert_int_equal(report.depth, seen.depth);
    assert_true(report.nodes < limits.nodes);
    engine_free(&engine);
}

static void a_move_that_several_depths_agree_on_ends_the_search_early(void **state)
{
    (void)state;
    for_each_game(stop_early);
}

static void a_stop_flag_ends_the_search(void **state)
{
    (void)state;
    for_each_game(obey_stop);
}

static void answer_though_stopped(const struct game *game)
{
    struct engine engine = make_engine();
    struct rng rng = rng_make(3);
    for (int i = 0; i < 20; i++) {
        struct state state = random_opening(game, &rng, (int)rng_below(&rng, 40));
        struct engine_limits limits = {0};
        struct engine_report report;
        atomic_bool stop = true;
        engine_search(&engine,
                      &(struct engine_request){
                          .game = game, .state = &state, .limits = limits, .stop = &stop},
                      &report);
        assert_true(report.depth >= 1);
        assert_true(report.nodes < 50000);
        play(game, &state, &report.move);
    }
    engine_free(&engine);
}

static void a_search_without_time_looks_one_ply_ahead(void **state)
{
    (void)state;
    for_each_game(answer_though_stopped);
}

static void a_search_looks_at_the_stop_flag_every_few_hundred_nodes(void **state)
{
    (void)state;
    struct search search = {.nodes_left = UINT64_MAX, .deadline_ns = INT64_MAX};
    struct search_thread thread = search_thread_start(&search, 0, false);
    while (search_count_node(&thread) && thread.nodes < 10000) {
        assert_true(thread.next_check - thread.nodes <= 512);
    }
    assert_int_equal(thread.nodes, 10000);
    atomic_store(&search.is_over, true);
    uint64_t before = thread.nodes;
    while (search_count_node(&thread)) {
    }
    assert_true(thread.nodes - before <= 512);
}

/* What a new engine reports of a position after `nodes` nodes. */
static struct engine_report look_at(const char *name, const char *position, uint64_t nodes)
{
    const struct game *game = registry_find(cpu_best(), name, NULL);
    struct state state;
    struct note why;
    assert_int_equal(game->read_position(position, &state, &why), ERR_NONE);
    struct engine engine = make_engine();
    struct engine_report report =
        search(&engine, game, &state, (struct engine_limits){.nodes = nodes});
    engine_free(&engine);
    return report;
}

/* "At least two" says little about a position that is won by more than forty: a search that is
 * stopped while it proves the win still reports the score and the line of the depth before. Only a
 * move that was not best before may come without a line: it was just found to be better. */
static void a_bound_does_not_replace_a_score(void **state)
{
    (void)state;
    struct move before = {0};
    for (uint64_t nodes = 1000; nodes < 300000; nodes = nodes * 5 / 4) {
        struct engine_report report = look_at(
            "reversi", "#......#/OXXXXX../OXXXXXX./OOXOOXX./..OOOOX./.OXXXXX./OXXXXXXO/#......# w",
            nodes);
        assert_in_range(report.score, 3500, 5500);
        assert_true(report.line.count >= 2 ||
                    memcmp(&report.line.moves[0], &before, sizeof before) != 0);
        before = report.line.moves[0];
    }
}

/* Nodes that are not enough for the end of the game are not thrown at it. */
static void an_end_out_of_reach_costs_no_depth(void **state)
{
    (void)state;
    struct engine_report report =
        look_at("othello",
                "..OOOOO./...XXO.O/.OOOOOOO/.XOXOOXO/XXXOOXXO/.XXOXOXO/..OOOXXO/..OOOOXO b", 20000);
    assert_true(report.depth >= 8);
}

static void a_decided_line_goes_to_the_end(void **state)
{
    (void)state;
    struct engine_report report = look_at(
        "hop", "......../.OO...../.O....../....X.../......../......../......../OO...... b 40 40",
        25000);
    assert_int_equal(report.score, 2 - SEARCH_WIN);
    assert_int_equal(report.line.count, 2);
}

/* The line of an exact result goes to the end of the game, and that is what was promised. */
static void an_exact_line_leads_to_the_promised_end(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "reversi", NULL);
    struct engine engine = make_engine();
    struct rng rng = rng_make(5);
    for (int i = 0; i < 10; i++) {
        struct state position = random_opening(game, &rng, 48);
        enum side side = game->to_move(&position);
        struct engine_report report =
            search(&engine, game, &position, (struct engine_limits){.depth = 20});
        assert_true(report.is_exact);
        for (int j = 0; j < report.line.count; j++) {
            position = play(game, &position, &report.line.moves[j]);
        }
        assert_true(game_is_over(game, &position));
        assert_int_equal(report.score, 100 * game->result(&position).score[side]);
    }
    engine_free(&engine);
}

/* --- Depth by depth --- */

struct depths {
    int count;
    int last;
};

static void note_depth(void *context, const struct engine_report *report)
{
    struct depths *depths = context;
    assert_true(report->depth > depths->last);
    assert_true(report->line.count >= 1);
    depths->last = report->depth;
    depths->count++;
}

static void every_finished_depth_is_reported_once(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "hop", NULL);
    struct engine engine = make_engine();
    struct state start = game->start();
    struct engine_limits limits = {.depth = 6};
    struct depths depths = {0};
    struct engine_report report;
    engine_search(&engine,
                  &(struct engine_request){.game = game,
                                           .state = &start,
                                           .limits = limits,
                                           .on_depth = note_depth,
                                           .context = &depths},
                  &report);
    assert_int_equal(depths.count, 6);
    assert_int_equal(depths.last, 6);
    engine_free(&engine);
}

/* --- Threads --- */

static void play_with_threads(const struct game *game)
{
    struct engine engine = {0};
    struct note why;
    struct rng rng = rng_make(7);
    assert_int_equal(engine_init(&engine, 1, 4, &why), ERR_NONE);
    for (int i = 0; i < 20; i++) {
        struct state state = random_opening(game, &rng, (int)rng_below(&rng, 50));
        struct engine_report report =
            search(&engine, game, &state, (struct engine_limits){.nodes = 4000});
        play(game, &state, &report.move);
        assert_true(report.nodes <= 4000);
        assert_true(report.depth > 0); /* no thread spends what the others need */
    }
    engine_free(&engine);
}

static void several_threads_share_a_limit_and_find_legal_moves(void **state)
{
    (void)state;
    for_each_game(play_with_threads);
}

/* A side without a choice also gets a score. */
static void a_forced_move_has_the_score_of_what_follows(void **state)
{
    (void)state;
    expect_decided(
        "meichu",
        "....f..../........./........./....S..../........./........./........./.s......./"
        "....F.... b 1 9",
        0, -4);
}

/* --- Memory --- */

/* What the C library has handed out; nothing under a sanitizer, which finds leaks itself. */
static size_t bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static void play_fast_game(struct engine *engine, const struct game *game, struct rng *rng)
{
    struct state state = random_opening(game, rng, 8);
    engine_clear(engine);
    while (!game_is_over(game, &state)) {
        struct engine_report report =
            search(engine, game, &state, (struct engine_limits){.nodes = 20});
        state = play(game, &state, &report.move);
    }
}

static void a_thousand_games_leak_no_memory(void **state)
{
    (void)state;
    struct engine engine;
    struct note why;
    struct rng rng = rng_make(8);
    assert_int_equal(engine_init(&engine, 1, 2, &why), ERR_NONE);
    size_t before = 0;
    for (long i = 0; i < scaled(1000); i++) {
        const struct game *game = NULL;
        for (size_t j = 0; (game = registry_at(cpu_best(), j)); j++) {
            if (i % 5 == (long)j % 5) {
                play_fast_game(&engine, game, &rng);
            }
        }
        before = i == 5 ? bytes_in_use() : before;
    }
    assert_int_equal(bytes_in_use(), before);
    engine_free(&engine);
}

static void the_table_takes_the_memory_that_was_asked_for(void **state)
{
    (void)state;
    for (int megabytes = 1; megabytes <= 64; megabytes *= 4) {
        struct engine small;
        struct engine engine;
        struct note why;
        assert_int_equal(engine_init(&small, 1, 1, &why), ERR_NONE);
        size_t before = bytes_in_use();
        assert_int_equal(engine_init(&engine, megabytes, 1, &why), ERR_NONE);
        size_t taken = bytes_in_use() - before;
        size_t asked = (size_t)megabytes << 20;
        size_t besides = engine.worker_bytes + 65536;
        assert_int_equal(engine.tt.count * sizeof(struct tt_line), asked);
        assert_true(taken == 0 || (taken >= asked && taken <= asked + besides));
        engine_free(&engine);
        engine_free(&small);
    }
}

/* --- Strength --- */

/* Points of the engine over a pair of games from one opening: 2 for a win, 1 for a draw. */
static int points_against_sparring(struct engine *engine, const struct game *game,
                                   const struct state *opening, uint64_t nodes)
{
    int points = 0;
    for (int side = 0; side < 2; side++) {
        struct state state = *opening;
        engine_clear(engine);
        while (!game_is_over(game, &state)) {
            struct move move;
            if ((int)game->to_move(&state) == side) {
                move = search(engine, game, &state, (struct engine_limits){.nodes = nodes}).move;
            } else {
                move = sparring_move(game, &state, nodes, INT64_MAX);
            }
            state = play(game, &state, &move);
        }
        enum outcome outcome = game->result(&state).outcome;
        enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
        points += outcome == win ? 2 : outcome == OUTCOME_DRAW;
    }
    return points;
}

static void the_engine_beats_the_sparring_partner_at_equal_nodes(void **state)
{
    (void)state;
    enum { NODES = 2000 };
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu_best(), i)); i++) {
        struct engine engine = make_engine();
        struct rng rng = rng_make(2);
        long pairs = scaled(5);
        int points = 0;
        for (long pair = 0; pair < pairs; pair++) {
            struct state opening = random_opening(game, &rng, 6);
            points += points_against_sparring(&engine, game, &opening, NODES);
        }
        if (points * 100 < 4 * pairs * 80) {
            fail_msg("%s: %d of %ld points", game->name, points, 4 * pairs);
        }
        engine_free(&engine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_move_of_whole_games_is_legal),
        cmocka_unit_test(equal_searches_give_equal_answers_on_every_processor_level),
        cmocka_unit_test(a_node_limit_is_never_passed),
        cmocka_unit_test(a_depth_limit_is_reached_and_not_passed),
        cmocka_unit_test(a_deadline_ends_the_search),
        cmocka_unit_test(a_move_that_several_depths_agree_on_ends_the_search_early),
        cmocka_unit_test(a_stop_flag_ends_the_search),
        cmocka_unit_test(a_search_without_time_looks_one_ply_ahead),
        cmocka_unit_test(a_search_looks_at_the_stop_flag_every_few_hundred_nodes),
        cmocka_unit_test(a_bound_does_not_replace_a_score),
        cmocka_unit_test(an_end_out_of_reach_costs_no_depth),
        cmocka_unit_test(an_exact_line_leads_to_the_promised_end),
        cmocka_unit_test(a_decided_line_goes_to_the_end),
        cmocka_unit_test(every_finished_depth_is_reported_once),
        cmocka_unit_test(several_threads_share_a_limit_and_find_legal_moves),
        cmocka_unit_test(a_forced_move_has_the_score_of_what_follows),
        cmocka_unit_test(a_thousand_games_leak_no_memory),
        cmocka_unit_test(the_table_takes_the_memory_that_was_asked_for),
        cmocka_unit_test(the_engine_beats_the_sparring_partner_at_equal_nodes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
