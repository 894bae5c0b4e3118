/* Ratings: against a case worked out by hand, against simulated strengths, and by symmetry. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "base/rng.h"
#include "tournament/rating.h"

enum { MAX_GAMES = 60000 };

struct games {
    struct ranking_game list[MAX_GAMES];
    size_t count;
};

static void add(struct games *games, int black, int white, enum outcome outcome, int times)
{
    for (int i = 0; i < times; i++) {
        games->list[games->count++] = (struct ranking_game){{black, white}, {0, 0}, outcome, 0};
    }
}

static struct rating_table rate(int teams, const struct games *games)
{
    struct rating_table table;
    struct note why;
    assert_int_equal(rating_make(teams, games->list, games->count, &table, &why), ERR_NONE);
    return table;
}

static void expect_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.9g is not %.9g", value, expected);
    }
}

static void two_teams_are_as_worked_by_hand(void **state)
{
    (void)state;
    /* 30 wins and 10 losses, and each one's draw against strength 0. By symmetry the strengths are
     * x and -x with 30.5 = 40 / (1 + exp(-2x)) + 1 / (1 + exp(-x)): x = 0.540548. With w = p (1 -
     * p), the curvature is 40 w(2x) + w(x) on the diagonal and -40 w(2x) next to it; x - (-x) has
     * the variance 2 / (80 w(2x) + w(x)). */
    static struct games games;
    games.count = 0;
    add(&games, 0, 1, OUTCOME_BLACK, 20);
    add(&games, 1, 0, OUTCOME_WHITE, 10);
    add(&games, 0, 1, OUTCOME_WHITE, 10);
    struct rating_table table = rate(2, &games);
    double x = 0;
    for (int i = 0; i < 200; i++) {
        x += 0.05 * (30.5 - 40 / (1 + exp(-2 * x)) - 1 / (1 + exp(-x)));
    }
    double elo = 400 / log(10);
    double far = 1 / (2 + exp(2 * x) + exp(-2 * x));
    double near = 1 / (2 + exp(x) + exp(-x));
    double variance = 2 / (80 * far + near);
    expect_close(x, 0.540548, 1e-6);
    expect_close(table.ratings[0].elo, x * elo, 1e-6);
    expect_close(table.ratings[1].elo, -x * elo, 1e-6);
    expect_close(table.ratings[0].error, 1.96 * elo * sqrt(variance) / 2, 1e-6);
    expect_close(rating_superiority(&table, 0, 1), 0.5 * erfc(-2 * x / sqrt(2 * variance)), 1e-9);
    assert_int_equal(table.ratings[1].games, 40);
    rating_free(&table);
}

static void all_draws_make_all_equal(void **state)
{
    (void)state;
    static struct games games;
    games.count = 0;
    add(&games, 0, 1, OUTCOME_DRAW, 3);
    add(&games, 1, 2, OUTCOME_DRAW, 5);
    struct rating_table table = rate(4, &games);
    for (int i = 0; i < 4; i++) {
        expect_close(table.ratings[i].elo, 0, 1e-9);
        expect_close(rating_superiority(&table, i, 0), 0.5, 1e-9);
    }
    assert_int_equal(table.ratings[3].games, 0);
    assert_true(table.ratings[1].error < table.ratings[0].error);
    expect_close(table.ratings[3].error, 0, 0); /* unknown */
    rating_free(&table);
}

static void winning_everything_is_finite(void **state)
{
    (void)state;
    static struct games games;
    games.count = 0;
    add(&games, 0, 1, OUTCOME_BLACK, 1000);
    struct rating_table table = rate(2, &games);
    assert_true(isfinite(table.ratings[0].elo) && isfinite(table.ratings[0].error));
    assert_true(table.ratings[0].elo > 400);
    assert_true(rating_superiority(&table, 0, 1) > 0.99);
    rating_free(&table);
}

static void byes_and_open_games_do_not_count(void **state)
{
    (void)state;
    static struct games games;
    games.count = 0;
    add(&games, 0, 1, OUTCOME_DRAW, 2);
    add(&games, 0, RANKING_NOBODY, OUTCOME_BLACK, 50);
    add(&games, 0, 1, OUTCOME_ONGOING, 50);
    struct rating_table table = rate(2, &games);
    expect_close(table.ratings[0].elo, 0, 1e-9);
    assert_int_equal(table.ratings[0].games, 2);
    rating_free(&table);
}

static void invented_strengths_are_found_again(void **state)
{
    (void)state;
    enum { TEAMS = 12, EACH = 400 };
    static struct games games;
    games.count = 0;
    double strength[TEAMS];
    struct rng rng = rng_make(3);
    for (int i = 0; i < TEAMS; i++) {
        strength[i] = 60.0 * (i - (TEAMS - 1) / 2.0);
    }
    for (int a = 0; a < TEAMS; a++) {
        for (int b = a + 1; b < TEAMS; b++) {
            double chance = 1 / (1 + pow(10, (strength[b] - strength[a]) / 400));
            for (int i = 0; i < EACH; i++) {
                double drawn = (double)rng_below(&rng, 1000000) / 1000000;
                add(&games, a, b, drawn < chance ? OUTCOME_BLACK : OUTCOME_WHITE, 1);
            }
        }
    }
    struct rating_table table = rate(TEAMS, &games);
    double sum = 0;
    for (int i = 0; i < TEAMS; i++) {
        /* Half again as much as the 95 % interval: with this seed no team is near it. */
        expect_close(table.ratings[i].elo, strength[i], 1.5 * table.ratings[i].error);
        assert_true(table.ratings[i].error > 5 && table.ratings[i].error < 20);
        sum += table.ratings[i].elo;
    }
    expect_close(sum, 0, 1e-6);
    rating_free(&table);
}

static void teams_without_games_change_nothing(void **state)
{
    (void)state;
    static struct games games;
    static struct games apart;
    games.count = apart.count = 0;
    add(&games, 0, 1, OUTCOME_BLACK, 3);
    add(&games, 1, 2, OUTCOME_BLACK, 2);
    add(&games, 2, 0, OUTCOME_DRAW, 1);
    for (size_t i = 0; i < games.count; i++) { /* the same among teams 1, 3 and 5 of 9 */
        struct ranking_game game = games.list[i];
        game.team[0] = 2 * game.team[0] + 1;
        game.team[1] = 2 * game.team[1] + 1;
        apart.list[apart.count++] = game;
    }
    add(&apart, 6, 7, OUTCOME_BOTH_LOST, 2);
    struct rating_table few = rate(3, &games);
    struct rating_table many = rate(9, &apart);
    for (int i = 0; i < 3; i++) {
        expect_close(many.ratings[2 * i + 1].elo, few.ratings[i].elo, 1e-6);
        expect_close(many.ratings[2 * i + 1].error, few.ratings[i].error, 1e-6);
        expect_close(rating_superiority(&many, 2 * i + 1, (2 * i + 3) % 6),
                     rating_superiority(&few, i, (i + 1) % 3), 1e-6);
        expect_close(rating_superiority(&many, 2 * i + 1, 8), 0.5, 0);
    }
    assert_int_equal(many.ratings[6].games, 0);
    rating_free(&few);
    rating_free(&many);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_teams_are_as_worked_by_hand),
        cmocka_unit_test(all_draws_make_all_equal),
        cmocka_unit_test(winning_everything_is_finite),
        cmocka_unit_test(byes_and_open_games_do_not_count),
        cmocka_unit_test(invented_strengths_are_found_again),
        cmocka_unit_test(teams_without_games_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
