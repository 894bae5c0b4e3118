/* Levels: tables that rise, the same move for the same seed, errors that people make. How strong
 * each level is tools/lab/ladder.c measures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/rng.h"
#include "engine/engine.h"
#include "engine/level.h"
#include "engine/engine_entry.h"
#include "engine_support.h"
#include "game/registry.h"

/* Every game's table, and NULL, that of a game without one. */
static void for_each_table(void (*test)(const struct level_rules *table))
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu_best(), i)); i++) {
        test(engine_entry_find(game)->levels);
    }
    test(NULL);
}

static void for_each_game(void (*test)(const struct game *))
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu_best(), i)); i++) {
        test(game);
    }
}

/* --- The tables --- */

static int sight(const struct level_rules *rules)
{
    return rules->depth ? rules->depth : ENGINE_MAX_DEPTH;
}

static void expect_rising(const struct level_rules *table)
{
    for (int level = 2; level < LEVEL_MAX; level++) {
        struct level_rules below = level_rules(table, level - 1);
        struct level_rules rules = level_rules(table, level);
        assert_true(sight(&rules) >= sight(&below));
        assert_true(rules.depth || rules.nodes > (below.depth ? 0 : below.nodes));
        assert_true(rules.overlooks <= below.overlooks);
        assert_true(rules.overlooks_captures <= below.overlooks_captures);
        assert_true(rules.noise <= below.noise);
        assert_true(rules.stops_at_depth <= below.stops_at_depth);
        assert_true(memcmp(&rules, &below, sizeof rules) != 0);
    }
}

static void every_level_sees_more_or_errs_less_than_the_one_below(void **state)
{
    (void)state;
    for_each_table(expect_rising);
}

static void expect_full_engine(const struct level_rules *table)
{
    struct level_rules best = level_rules(table, LEVEL_MAX);
    struct level_rules none = level_rules(table, 0);
    assert_false(level_is_weaker(&best));
    assert_false(level_is_weaker(&none));
    for (int level = 1; level < LEVEL_MAX; level++) {
        struct level_rules rules = level_rules(table, level);
        assert_true(level_is_weaker(&rules));
        assert_true(rules.nodes > 0);
        assert_in_range(rules.overlooks, 0, LEVEL_ALL - 1);
        assert_in_range(rules.overlooks_captures, 0, LEVEL_ALL - 1);
    }
}

static void level_ten_is_the_full_engine_and_the_others_are_not(void **state)
{
    (void)state;
    for_each_table(expect_full_engine);
}

/* What a level's sentence promises is what its rules do, in every game. */
static void expect_promised_sight(const struct level_rules *table)
{
    static const struct {
        const char *words;
        int depth;
    } promises[] = {{"one move", 1}, {"two moves", 2}, {"three moves", 3}};
    for (int level = 1; level < LEVEL_MAX; level++) {
        const char *sentence = level_words(level)->sentence;
        struct level_rules rules = level_rules(table, level);
        int promised = 0;
        for (size_t i = 0; i < sizeof promises / sizeof promises[0]; i++) {
            promised = strstr(sentence, promises[i].words) ? promises[i].depth : promised;
        }
        assert_int_equal(rules.depth, promised);
        assert_int_equal(strstr(sentence, "overlooks") != NULL, rules.overlooks > 20);
    }
}

static void a_level_sees_as_far_as_its_description(void **state)
{
    (void)state;
    for_each_table(expect_promised_sight);
}

static void every_level_has_a_name_of_its_own_and_a_sentence(void **state)
{
    (void)state;
    for (int level = 1; level <= LEVEL_MAX; level++) {
        const struct level_words *words = level_words(level);
        size_t length = strlen(words->sentence);
        assert_in_range(strlen(words->name), 3, 12);
        assert_in_range(length, 20, 62);
        assert_true(words->sentence[length - 1] != '.');
        for (int other = 1; other < level; other++) {
            assert_string_not_equal(words->name, level_words(other)->name);
            assert_string_not_equal(words->sentence, level_words(other)->sentence);
        }
    }
}

/* --- Alike everywhere --- */

static void expect_equal_moves(const struct game *game)
{
    struct engine one = make_engine();
    struct engine other = {0};
    struct note why;
    struct rng rng = rng_make(1);
    assert_int_equal(engine_init(&other, 8, 4, &why), ERR_NONE);
    for (int level = 1; level < LEVEL_MAX; level++) {
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct state state = random_opening(game, &rng, (int)rng_below(&rng, 30));
            struct engine_limits limits = {.level = level, .seed = seed};
            struct engine_report first = search(&one, game, &state, limits);
            struct engine_report again = search(&one, game, &state, limits);
            struct engine_report elsewhere = search(&other, game, &state, limits);
            assert_int_equal(move_compare(&first.move, &again.move), 0);
            assert_int_equal(move_compare(&first.move, &elsewhere.move), 0);
            assert_int_equal(first.nodes, again.nodes);
            assert_int_equal(first.nodes, elsewhere.nodes);
        }
    }
    engine_free(&other);
    engine_free(&one);
}

/* Whatever was searched before, with any number of threads and any memory. */
static void the_same_level_seed_and_position_give_the_same_move(void **state)
{
    (void)state;
    for_each_game(expect_equal_moves);
}

static void expect_some_variety(const struct game *game)
{
    struct engine engine = make_engine();
    struct state start = game->start();
    struct move moves[GAME_MAX_MOVES];
    bool is_played[GAME_MAX_MOVES] = {false};
    size_t count = game->moves(&start, moves);
    int different = 0;
    for (uint64_t seed = 0; seed < 40; seed++) {
        struct move move =
            search(&engine, game, &start, (struct engine_limits){.level = 1, .seed = seed}).move;
        for (size_t i = 0; i < count; i++) {
            if (move_compare(&move, &moves[i]) == 0) {
                different += !is_played[i];
                is_played[i] = true;
            }
        }
    }
    assert_true(different >= 4);
    engine_free(&engine);
}

static void another_seed_gives_another_game(void **state)
{
    (void)state;
    for_each_game(expect_some_variety);
}

static void expect_budget(const struct game *game)
{
    struct engine engine = make_engine();
    struct state start = game->start();
    for (int level = 1; level < LEVEL_MAX; level++) {
        struct level_rules rules = level_rules(engine_entry_find(game)->levels, level);
        struct engine_report report =
            search(&engine, game, &start, (struct engine_limits){.level = level});
        assert_true(report.nodes <= rules.nodes);
        assert_true(report.depth <= sight(&rules));
    }
    engine_free(&engine);
}

static void a_level_keeps_to_its_nodes_and_its_depth(void **state)
{
    (void)state;
    for_each_game(expect_budget);
}

/* --- Errors --- */

/* Whether the mover has won. */
static bool wins_at_once(const struct game *game, const struct state *state,
                         const struct move *move)
{
    enum outcome win = game->to_move(state) == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    struct state after = play(game, state, move);
    return game->result(&after).outcome == win;
}

static struct move clear_move(struct engine *engine, const struct game *game,
                              const struct state *state)
{
    struct level_rules rules = {.depth = 1, .stops_at_depth = true};
    return search(engine, game, state, (struct engine_limits){.rules = &rules}).move;
}

/* The first position of a random game in which there is a choice, and a player that sees one move
 * ahead wins at once. */
static bool find_win(struct engine *engine, const struct game *game, struct rng *rng,
                     struct state *out)
{
    struct move moves[GAME_MAX_MOVES];
    for (*out = game->start(); !game_is_over(game, out);) {
        size_t count = game->moves(out, moves);
        struct move best = clear_move(engine, game, out);
        if (count > 1 && wins_at_once(game, out, &best)) {
            return true;
        }
        *out = play(game, out, &moves[rng_below(rng, count)]);
    }
    return false;
}

static void expect_no_missed_win(const struct game *game)
{
    struct engine engine = make_engine();
    struct rng rng = rng_make(3);
    for (int found = 0, games = 0; found < 10 && games < 30; games++) {
        struct state state;
        if (!find_win(&engine, game, &rng, &state)) {
            continue;
        }
        found++;
        for (uint64_t seed = 0; seed < 20; seed++) {
            struct level_rules rules = {.depth = 1, .noise = 25000, .stops_at_depth = true};
            struct engine_report report = search(
                &engine, game, &state, (struct engine_limits){.rules = &rules, .seed = seed});
            assert_true(wins_at_once(game, &state, &report.move));
        }
    }
    engine_free(&engine);
}

/* However wrong it is about everything else. */
static void a_win_that_is_seen_is_played(void **state)
{
    (void)state;
    for_each_game(expect_no_missed_win);
}

/* How often a level leaves a win on the board: no more often than it overlooks a move. */
static void expect_few_missed_wins(const struct game *game)
{
    struct engine engine = make_engine();
    const struct level_rules *table = engine_entry_find(game)->levels;
    struct rng rng = rng_make(4);
    struct state state;
    bool is_found = false;
    for (int games = 0; !is_found && games < 10; games++) {
        is_found = find_win(&engine, game, &rng, &state);
    }
    for (int level = 1; is_found && level < LEVEL_MAX; level++) {
        struct level_rules rules = level_rules(table, level);
        int most =
            rules.overlooks > rules.overlooks_captures ? rules.overlooks : rules.overlooks_captures;
        int missed = 0;
        for (uint64_t seed = 0; seed < 200; seed++) {
            struct engine_report report =
                search(&engine, game, &state, (struct engine_limits){.level = level, .seed = seed});
            missed += !wins_at_once(game, &state, &report.move);
        }
        assert_true(missed <= most * 200 / LEVEL_ALL + (most ? 20 : 0));
    }
    engine_free(&engine);
}

static void a_level_misses_a_win_only_when_it_overlooks_it(void **state)
{
    (void)state;
    for_each_game(expect_few_missed_wins);
}

static void a_level_that_overlooks_everything_plays_a_legal_move(void **state)
{
    (void)state;
    struct level_rules rules = {
        .depth = 1, .overlooks = LEVEL_ALL, .overlooks_captures = LEVEL_ALL};
    struct engine engine = make_engine();
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu_best(), i)); i++) {
        struct state now = game->start();
        for (uint64_t seed = 0; !game_is_over(game, &now); seed++) {
            struct engine_limits limits = {.rules = &rules, .seed = seed};
            struct engine_report report = search(&engine, game, &now, limits);
            now = play(game, &now, &report.move);
        }
    }
    engine_free(&engine);
}

static void captures_and_quiet_moves_are_overlooked_each_at_their_rate(void **state)
{
    (void)state;
    int seen[2] = {0, 0};
    struct level_rules rules = {.overlooks = 300, .overlooks_captures = 800};
    for (uint32_t move = 0; move < 10000; move++) {
        seen[0] += level_sees(&rules, 1, 2, move, false);
        seen[1] += level_sees(&rules, 1, 2, move, true);
    }
    assert_in_range(seen[0], 6700, 7300);
    assert_in_range(seen[1], 1700, 2300);
}

static void a_misjudgement_is_at_most_the_noise_and_on_average_nothing(void **state)
{
    (void)state;
    struct level_rules rules = {.noise = 300};
    long sum = 0;
    int large = 0;
    for (uint32_t move = 0; move < 10000; move++) {
        int error = level_noise(&rules, 7, move);
        assert_true(error >= -300 && error <= 300);
        sum += error;
        large += error > 200 || error < -200;
    }
    assert_true(sum > -50000 && sum < 50000);
    assert_in_range(large, 800, 1500);
}

/* --- Strength, as far as a second allows --- */

static int points_against_random(struct engine *engine, const struct game *game, int level,
                                 uint64_t seed)
{
    struct rng rng = rng_make(seed);
    struct state now = game->start();
    enum side side = seed % 2 ? SIDE_WHITE : SIDE_BLACK;
    for (uint64_t ply = 0; !game_is_over(game, &now); ply++) {
        struct move moves[GAME_MAX_MOVES];
        struct move move;
        if (game->to_move(&now) == side) {
            struct engine_limits limits = {.level = level, .seed = seed * 1000 + ply};
            move = search(engine, game, &now, limits).move;
        } else {
            move = moves[rng_below(&rng, game->moves(&now, moves))];
        }
        now = play(game, &now, &move);
    }
    enum outcome outcome = game->result(&now).outcome;
    enum outcome win = side == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return outcome == win ? 2 : outcome == OUTCOME_DRAW;
}

static void level_one_is_about_as_strong_as_random_moves_and_level_four_much_stronger(void **state)
{
    (void)state;
    const struct game *game = registry_find(cpu_best(), "reversi", NULL);
    struct engine engine = make_engine();
    int points[2] = {0, 0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        points[0] += points_against_random(&engine, game, 1, seed);
        points[1] += points_against_random(&engine, game, 4, seed);
    }
    assert_in_range(points[0], 30, 90);
    assert_in_range(points[1], 108, 120);
    engine_free(&engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_sees_more_or_errs_less_than_the_one_below),
        cmocka_unit_test(level_ten_is_the_full_engine_and_the_others_are_not),
        cmocka_unit_test(a_level_sees_as_far_as_its_description),
        cmocka_unit_test(every_level_has_a_name_of_its_own_and_a_sentence),
        cmocka_unit_test(the_same_level_seed_and_position_give_the_same_move),
        cmocka_unit_test(another_seed_gives_another_game),
        cmocka_unit_test(a_level_keeps_to_its_nodes_and_its_depth),
        cmocka_unit_test(a_win_that_is_seen_is_played),
        cmocka_unit_test(a_level_misses_a_win_only_when_it_overlooks_it),
        cmocka_unit_test(a_level_that_overlooks_everything_plays_a_legal_move),
        cmocka_unit_test(captures_and_quiet_moves_are_overlooked_each_at_their_rate),
        cmocka_unit_test(a_misjudgement_is_at_most_the_noise_and_on_average_nothing),
        cmocka_unit_test(level_one_is_about_as_strong_as_random_moves_and_level_four_much_stronger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
