/* The order of the teams: every figure against examples worked out on paper. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "tournament/ranking.h"

enum { SEEDS = 32, MAX_TEAMS = 8 };

static struct ranking_game played(int round, int black, int white, int black_score, int white_score)
{
    return (struct ranking_game){
        .team = {black, white},
        .score = {black_score, white_score},
        .outcome = black_score > white_score   ? OUTCOME_BLACK
                   : black_score < white_score ? OUTCOME_WHITE
                                               : OUTCOME_DRAW,
        .round = round,
    };
}

static struct ranking_game bye(int round, int team)
{
    return (struct ranking_game){{team, RANKING_NOBODY}, {0, 0}, OUTCOME_BLACK, round};
}

struct table {
    struct ranking_row rows[MAX_TEAMS];
};

static struct table rank_by(const struct ranking_rules *rules, int teams, const int *tiers,
                            const struct ranking_game *games, size_t count, uint64_t seed)
{
    struct table table;
    struct note why;
    assert_int_equal(ranking_make(teams, rules, tiers, games, count, seed, table.rows, &why),
                     ERR_NONE);
    return table;
}

static struct table rank(int teams, const int *tiers, const struct ranking_game *games,
                         size_t count, uint64_t seed)
{
    struct ranking_rules usual = ranking_rules_usual();
    return rank_by(&usual, teams, tiers, games, count, seed);
}

#define RANK(teams, tiers, games, seed) \
    rank((teams), (tiers), (games), sizeof(games) / sizeof(games)[0], (seed))

static const struct ranking_row *row_of(const struct table *table, int team)
{
    const struct ranking_row *row = table->rows;
    while (row->team != team) {
        row++;
    }
    return row;
}

static void expect_figures(const struct table *table, int team, const int64_t *expected)
{
    const struct ranking_row *row = row_of(table, team);
    for (int f = 0; f < RANKING_DIRECT; f++) {
        if (row->figures[f] != expected[f]) {
            fail_msg("team %d: %s is %lld, not %lld", team,
                     ranking_figure_name((enum ranking_figure)f), (long long)row->figures[f],
                     (long long)expected[f]);
        }
    }
}

/* Two rounds of two games among four teams:
 *   0 beats 1 twice (5-3, 4-2); 2 and 3 win one each (6-1, 2-3);
 *   0 beats 2 once and draws once (3-2, 4-4); 1 beats 3 twice (5-0, 1-0). */
static const struct ranking_game small_swiss[] = {
    {{0, 1}, {5, 3}, OUTCOME_BLACK, 0}, {{1, 0}, {2, 4}, OUTCOME_WHITE, 0},
    {{2, 3}, {6, 1}, OUTCOME_BLACK, 0}, {{3, 2}, {3, 2}, OUTCOME_BLACK, 0},
    {{0, 2}, {3, 2}, OUTCOME_BLACK, 1}, {{2, 0}, {4, 4}, OUTCOME_DRAW, 1},
    {{3, 1}, {0, 5}, OUTCOME_WHITE, 1}, {{1, 3}, {1, 0}, OUTCOME_BLACK, 1},
};

static void every_figure_is_as_worked_by_hand(void **state)
{
    (void)state;
    struct table table = RANK(4, NULL, small_swiss, 1);
    /* Points: 4 + 3, 0 + 4, 2 + 1, 2 + 0. Buchholz of team 0: 4 and 3, less the 3.
     * Sonneborn-Berger of team 2: 2 points from one with 2, 1 point from one with 7. */
    expect_figures(&table, 0, (int64_t[]){7, 3, 5, 4, 4 * 4 + 3 * 3});
    expect_figures(&table, 1, (int64_t[]){4, 2, 2, 7, 4 * 2});
    expect_figures(&table, 2, (int64_t[]){3, 1, 3, 7, 2 * 2 + 1 * 7});
    expect_figures(&table, 3, (int64_t[]){2, 1, -10, 4, 2 * 3});
    for (int i = 0; i < 4; i++) {
        assert_int_equal(table.rows[i].team, i);
        assert_int_equal(table.rows[i].place, i + 1);
        assert_int_equal(table.rows[i].decided_by, i ? RANKING_POINTS : RANKING_FIGURES);
    }
    const struct ranking_row *row = row_of(&table, 2);
    assert_int_equal(row->played, 4);
    assert_int_equal(row->won, 1);
    assert_int_equal(row->drawn, 1);
    assert_int_equal(row->lost, 2);
    assert_int_equal(row->scored, 6 + 2 + 2 + 4);
    assert_int_equal(row->conceded, 1 + 3 + 3 + 4);
}

static void the_order_of_the_games_does_not_matter(void **state)
{
    (void)state;
    size_t count = sizeof small_swiss / sizeof small_swiss[0];
    struct ranking_game reversed[sizeof small_swiss / sizeof small_swiss[0]];
    for (size_t i = 0; i < count; i++) {
        reversed[i] = small_swiss[count - 1 - i];
    }
    struct table a = RANK(4, NULL, small_swiss, 7);
    struct table b = RANK(4, NULL, reversed, 7);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(a.rows[i].team, b.rows[i].team);
        assert_memory_equal(a.rows[i].figures, b.rows[i].figures, sizeof a.rows[i].figures);
    }
}

/* The same games with 5 points a win, 2 a draw, 1 a loss. */
static void every_figure_follows_the_points_of_the_rules(void **state)
{
    (void)state;
    struct ranking_rules rules = ranking_rules_usual();
    rules.win = 5;
    rules.draw = 2;
    rules.loss = 1;
    rules.bye = 3;
    struct table table = rank_by(&rules, 4, NULL, small_swiss, 8, 1);
    /* Points: 10 + 7, 2 + 10, 6 + 3, 6 + 2. */
    expect_figures(&table, 0, (int64_t[]){17, 3, 5, 12, 10 * 12 + 7 * 9});
    expect_figures(&table, 1, (int64_t[]){12, 2, 2, 17, 2 * 17 + 10 * 8});
    expect_figures(&table, 2, (int64_t[]){9, 1, 3, 17, 6 * 8 + 3 * 17});
    expect_figures(&table, 3, (int64_t[]){8, 1, -10, 12, 6 * 9 + 2 * 12});
    assert_int_equal(row_of(&table, 2)->drawn, 1);
    assert_int_equal(row_of(&table, 2)->lost, 2);
    const struct ranking_game rest[] = {bye(0, 0),
                                        bye(0, 0),
                                        played(0, 1, 2, 3, 1),
                                        {{0, 3}, {0, 0}, OUTCOME_BOTH_LOST, 1},
                                        {{3, 2}, {0, 0}, OUTCOME_ONGOING, 2}};
    table = rank_by(&rules, 4, NULL, rest, 5, 1);
    expect_figures(&table, 0, (int64_t[]){6, 0, 0, 6, 6 * 6});
    expect_figures(&table, 2, (int64_t[]){1, 0, -2, 0, 1 * 5});
    expect_figures(&table, 3, (int64_t[]){0, 0, 0, 0, 0});
    assert_int_equal(row_of(&table, 3)->lost, 1);
}

static struct ranking_rules rules_with(const enum ranking_figure *tie_breaks, int count)
{
    struct ranking_rules rules = ranking_rules_usual();
    memcpy(rules.tie_breaks, tie_breaks, (size_t)count * sizeof *tie_breaks);
    rules.tie_break_count = count;
    return rules;
}

/* Teams 0 and 1 have 4 points. Team 1 has the better differential; team 0 has beaten it, and has
 * met weaker opponents. */
static const struct ranking_game contested[] = {
    {{0, 1}, {2, 1}, OUTCOME_BLACK, 0}, {{2, 3}, {1, 1}, OUTCOME_DRAW, 0},
    {{0, 4}, {2, 1}, OUTCOME_BLACK, 1}, {{1, 2}, {8, 1}, OUTCOME_BLACK, 1},
    {{1, 3}, {8, 1}, OUTCOME_BLACK, 2}, {{5, 4}, {1, 0}, OUTCOME_BLACK, 2},
};

static void the_first_tie_break_of_the_rules_that_differs_decides(void **state)
{
    static const struct {
        enum ranking_figure tie_breaks[4];
        int count;
        int first;
        enum ranking_figure decided_by;
    } rows[] = {
        {{RANKING_WINS, RANKING_DIFFERENTIAL, RANKING_DIRECT}, 3, 1, RANKING_DIFFERENTIAL},
        {{RANKING_WINS, RANKING_DIRECT, RANKING_DIFFERENTIAL}, 3, 0, RANKING_DIRECT},
        {{RANKING_DIRECT}, 1, 0, RANKING_DIRECT},
        {{RANKING_DIFFERENTIAL, RANKING_DIRECT}, 2, 1, RANKING_DIFFERENTIAL},
        {{RANKING_BUCHHOLZ, RANKING_DIRECT}, 2, 1, RANKING_BUCHHOLZ},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct ranking_rules rules = rules_with(rows[i].tie_breaks, rows[i].count);
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            struct table table = rank_by(&rules, 6, NULL, contested, 6, seed);
            assert_int_equal(table.rows[0].team, rows[i].first);
            assert_int_equal(table.rows[1].decided_by, rows[i].decided_by);
            assert_int_equal(row_of(&table, 0)->figures[RANKING_POINTS], 4);
            assert_int_equal(row_of(&table, 1)->figures[RANKING_POINTS], 4);
        }
    }
}

static void a_figure_that_is_not_listed_decides_nothing(void **state)
{
    (void)state;
    struct ranking_rules rules = rules_with((enum ranking_figure[]){RANKING_WINS}, 1);
    int first_above = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table table = rank_by(&rules, 6, NULL, contested, 6, seed);
        assert_int_equal(table.rows[1].decided_by, RANKING_LOT);
        /* It is shown nevertheless. */
        assert_true(row_of(&table, 0)->has_direct);
        assert_int_equal(row_of(&table, 0)->figures[RANKING_DIRECT], 2);
        first_above += table.rows[0].team == 0;
    }
    assert_in_range(first_above, SEEDS / 4, SEEDS * 3 / 4);
}

static void rules_are_described_in_a_line(void **state)
{
    (void)state;
    char text[RANKING_RULES_BYTES];
    struct ranking_rules rules =
        rules_with((enum ranking_figure[]){RANKING_DIRECT, RANKING_SONNEBORN}, 2);
    rules.win = rules.draw = rules.loss = rules.bye = RANKING_MOST_POINTS;
    ranking_rules_describe(&rules, text);
    assert_string_equal(text, "1000 points a win, 1000 a draw, 1000 a loss, 1000 a game of a bye; "
                              "then direct, sonneborn-berger, lot");
    assert_false(ranking_rules_are_usual(&rules));
    rules = ranking_rules_usual();
    assert_true(ranking_rules_are_usual(&rules));
    rules.tie_breaks[0] = RANKING_DIRECT;
    rules.tie_breaks[4] = RANKING_WINS;
    assert_false(ranking_rules_are_usual(&rules));
    ranking_rules_describe(&rules, text);
    assert_non_null(strstr(text, "direct, differential, buchholz, sonneborn-berger, wins, lot"));
}

static void games_won_come_before_the_differential(void **state)
{
    (void)state;
    /* Team 0: a win and a loss; team 1: two draws, with the better differential. */
    const struct ranking_game games[] = {played(0, 0, 2, 3, 2), played(0, 2, 0, 9, 1),
                                         played(1, 1, 3, 2, 2), played(1, 3, 1, 4, 4)};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table table = RANK(4, NULL, games, seed);
        const struct ranking_row *first = row_of(&table, 0);
        assert_true(first->place < row_of(&table, 1)->place);
        assert_int_equal(first->figures[RANKING_DIFFERENTIAL], -7);
    }
}

static void equal_points_and_wins_are_decided_by_the_differential(void **state)
{
    (void)state;
    const struct ranking_game games[] = {played(0, 0, 1, 8, 1), played(0, 2, 3, 2, 1)};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table table = RANK(4, NULL, games, seed);
        assert_int_equal(table.rows[0].team, 0);
        assert_int_equal(table.rows[1].team, 2);
        assert_int_equal(table.rows[1].decided_by, RANKING_DIFFERENTIAL);
        assert_int_equal(table.rows[2].decided_by, RANKING_POINTS);
    }
}

/* Every team met every other: 0 beat 1 twice, and 1 made up for it against 2 and 3. */
static const struct ranking_game direct[] = {
    {{0, 1}, {2, 1}, OUTCOME_BLACK, 0}, {{1, 0}, {1, 2}, OUTCOME_WHITE, 0},
    {{0, 2}, {1, 1}, OUTCOME_DRAW, 1},  {{2, 0}, {2, 1}, OUTCOME_BLACK, 1},
    {{0, 3}, {1, 1}, OUTCOME_DRAW, 2},  {{3, 0}, {2, 1}, OUTCOME_BLACK, 2},
    {{1, 2}, {2, 1}, OUTCOME_BLACK, 2}, {{2, 1}, {1, 1}, OUTCOME_DRAW, 2},
    {{1, 3}, {2, 1}, OUTCOME_BLACK, 1}, {{3, 1}, {1, 1}, OUTCOME_DRAW, 1},
    {{2, 3}, {2, 1}, OUTCOME_BLACK, 0}, {{3, 2}, {1, 2}, OUTCOME_WHITE, 0},
};

static void a_direct_encounter_decides_between_equals(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table table = RANK(4, NULL, direct, seed);
        expect_figures(&table, 0, (int64_t[]){6, 2, 0, 8 + 6, 4 * 6 + 1 * 8 + 1 * 4});
        expect_figures(&table, 1, (int64_t[]){6, 2, 0, 8 + 6, 3 * 8 + 3 * 4});
        const struct ranking_row *first = row_of(&table, 0);
        const struct ranking_row *second = row_of(&table, 1);
        assert_true(first->has_direct && second->has_direct);
        assert_int_equal(first->figures[RANKING_DIRECT], 4);
        assert_int_equal(second->figures[RANKING_DIRECT], 0);
        assert_int_equal(second->place, first->place + 1);
        assert_int_equal(second->decided_by, RANKING_DIRECT);
        assert_false(row_of(&table, 2)->has_direct);
    }
}

static void equals_that_never_met_are_decided_by_lot(void **state)
{
    (void)state;
    const struct ranking_game games[] = {played(0, 0, 1, 2, 1), played(0, 2, 3, 2, 1)};
    int first_above = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table table = RANK(4, NULL, games, seed);
        assert_false(table.rows[0].has_direct);
        assert_int_equal(table.rows[1].decided_by, RANKING_LOT);
        assert_true(table.rows[0].figures[RANKING_LOT] > table.rows[1].figures[RANKING_LOT]);
        first_above += table.rows[0].team == 0;
    }
    assert_in_range(first_above, SEEDS / 4, SEEDS * 3 / 4);
}

static void lots_are_the_numbers_from_one_up_and_follow_the_seed(void **state)
{
    (void)state;
    struct table table = rank(MAX_TEAMS, NULL, NULL, 0, 5);
    struct table again = rank(MAX_TEAMS, NULL, NULL, 0, 5);
    for (int i = 0; i < MAX_TEAMS; i++) {
        assert_int_equal(table.rows[i].figures[RANKING_LOT], MAX_TEAMS - i);
        assert_int_equal(table.rows[i].team, again.rows[i].team);
    }
}

static void the_lot_of_a_late_team_leaves_the_order_of_the_others(void **state)
{
    (void)state;
    int first_places = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table before = rank(MAX_TEAMS - 1, NULL, NULL, 0, seed);
        struct ranking_rules rules = ranking_rules_usual();
        rules.late_teams = 1;
        struct table table = rank_by(&rules, MAX_TEAMS, NULL, NULL, 0, seed);
        for (int i = 0, k = 0; i < MAX_TEAMS; i++) {
            assert_int_equal(table.rows[i].figures[RANKING_LOT], MAX_TEAMS - i);
            if (table.rows[i].team != MAX_TEAMS - 1) {
                assert_int_equal(table.rows[i].team, before.rows[k++].team);
            }
        }
        first_places += table.rows[0].team == MAX_TEAMS - 1;
    }
    assert_in_range(first_places, 1, SEEDS / 2);
}

static void a_bye_gives_points_against_a_team_with_as_many_but_is_not_a_game_won(void **state)
{
    (void)state;
    const struct ranking_game games[] = {
        played(0, 0, 1, 3, 1), played(0, 1, 0, 1, 3), bye(0, 2), bye(0, 2),
        played(1, 0, 2, 3, 1), played(1, 2, 0, 2, 2), bye(1, 1), bye(1, 1),
    };
    struct table table = RANK(3, NULL, games, 1);
    expect_figures(&table, 0, (int64_t[]){7, 3, 6, 5, 4 * 4 + 3 * 5});
    expect_figures(&table, 1, (int64_t[]){4, 0, -4, 7, 4 * 4});
    expect_figures(&table, 2, (int64_t[]){5, 0, -2, 7, 4 * 5 + 1 * 7});
    assert_int_equal(row_of(&table, 2)->byes, 2);
    assert_int_equal(row_of(&table, 2)->played, 2);
    for (int i = 0; i < 3; i++) {
        const struct ranking_row *row = &table.rows[i];
        assert_int_equal(row->figures[RANKING_POINTS], 2 * (row->won + row->byes) + row->drawn);
        assert_int_equal(row->played, row->won + row->drawn + row->lost);
    }
}

static void a_game_won_ranks_above_a_bye(void **state)
{
    (void)state;
    /* Both have 2 points; the team with the game won has the worse differential. */
    const struct ranking_game games[] = {played(0, 0, 2, 1, 0), played(1, 2, 0, 9, 0), bye(0, 1),
                                         played(1, 3, 1, 5, 0)};
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct table table = RANK(4, NULL, games, seed);
        assert_int_equal(row_of(&table, 1)->figures[RANKING_POINTS], 2);
        assert_true(row_of(&table, 0)->place < row_of(&table, 1)->place);
    }
}

static void a_game_that_both_lost_gives_no_points(void **state)
{
    (void)state;
    const struct ranking_game games[] = {{{0, 1}, {0, 0}, OUTCOME_BOTH_LOST, 0},
                                         {{1, 0}, {0, 0}, OUTCOME_BOTH_LOST, 0},
                                         {{2, 3}, {2, 2}, OUTCOME_DRAW, 0}};
    struct table table = RANK(4, NULL, games, 1);
    for (int team = 0; team < 2; team++) {
        const struct ranking_row *row = row_of(&table, team);
        expect_figures(&table, team, (int64_t[]){0, 0, 0, 0, 0});
        assert_int_equal(row->lost, 2);
        assert_int_equal(row->drawn, 0);
        assert_true(row->place > 2);
    }
}

static void games_without_a_result_count_for_nothing(void **state)
{
    (void)state;
    struct ranking_game games[sizeof small_swiss / sizeof small_swiss[0] + 1];
    memcpy(games, small_swiss, sizeof small_swiss);
    games[sizeof small_swiss / sizeof small_swiss[0]] =
        (struct ranking_game){{3, 0}, {9, 0}, OUTCOME_ONGOING, 5};
    struct table with = RANK(4, NULL, games, 1);
    struct table without = RANK(4, NULL, small_swiss, 1);
    for (int i = 0; i < 4; i++) {
        assert_memory_equal(with.rows[i].figures, without.rows[i].figures,
                            sizeof with.rows[i].figures);
    }
}

static void a_meeting_in_another_round_counts_again(void **state)
{
    (void)state;
    const struct ranking_game games[] = {played(0, 0, 1, 1, 1), played(1, 1, 0, 1, 1),
                                         played(2, 0, 2, 1, 0)};
    struct table table = RANK(3, NULL, games, 1);
    expect_figures(&table, 0, (int64_t[]){4, 1, 1, 2 + 2, 1 * 2 + 1 * 2});
}

static void a_lower_tier_ranks_lower_whatever_it_won(void **state)
{
    (void)state;
    const int tiers[] = {-1, 0, 0, 0};
    struct table table = RANK(4, tiers, small_swiss, 1);
    assert_int_equal(table.rows[0].team, 1);
    assert_int_equal(table.rows[3].team, 0);
    assert_int_equal(table.rows[3].figures[RANKING_POINTS], 7);
    assert_int_equal(table.rows[3].decided_by, RANKING_FIGURES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_is_as_worked_by_hand),
        cmocka_unit_test(the_order_of_the_games_does_not_matter),
        cmocka_unit_test(every_figure_follows_the_points_of_the_rules),
        cmocka_unit_test(the_first_tie_break_of_the_rules_that_differs_decides),
        cmocka_unit_test(a_figure_that_is_not_listed_decides_nothing),
        cmocka_unit_test(rules_are_described_in_a_line),
        cmocka_unit_test(games_won_come_before_the_differential),
        cmocka_unit_test(equal_points_and_wins_are_decided_by_the_differential),
        cmocka_unit_test(a_direct_encounter_decides_between_equals),
        cmocka_unit_test(equals_that_never_met_are_decided_by_lot),
        cmocka_unit_test(lots_are_the_numbers_from_one_up_and_follow_the_seed),
        cmocka_unit_test(a_game_won_ranks_above_a_bye),
        cmocka_unit_test(the_lot_of_a_late_team_leaves_the_order_of_the_others),
        cmocka_unit_test(a_bye_gives_points_against_a_team_with_as_many_but_is_not_a_game_won),
        cmocka_unit_test(a_game_that_both_lost_gives_no_points),
        cmocka_unit_test(games_without_a_result_count_for_nothing),
        cmocka_unit_test(a_meeting_in_another_round_counts_again),
        cmocka_unit_test(a_lower_tier_ranks_lower_whatever_it_won),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
