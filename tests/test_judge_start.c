/* How a game begins, on a simulated clock: which player is ready in time, what each bids, and which
 * has lost before the first move. Each game's record is replayed (judge_table.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fake_world.h"
#include "game/game.h"
#include "judge_table.h"

/* Black steps home from 35, White from 62. */
#define TWO_MEN "......../......../......../.....X../......../......../..O...../........ b 0 0"
/* The same with three of Black's men at home already. */
#define THREE_HOME "......X./......X./......X./.....X../......../......../..O...../........ b 0 0"

static void a_player_that_does_not_start_in_time_loses(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "silent", "ready", "{0 late} = 0-1 0 1 no-start!");
    expect_at("reversi", "start", "ready", "silent", "{1 late} = 1-0 1 0 no-start!");
    expect_at("meichu", "start", "ready", "silent", "{1 late} = 1-0 1 0 no-start!");
    expect_at("hop", TWO_MEN, "ready@10 35-36", "ready@10", "b:35-36 = 1-0 1 0 all-home");
    expect_at("hop", TWO_MEN, "ready@10.000000001", "ready@10", "{0 late} = 0-1 0 1 no-start!");
    expect_at("hop", TWO_MEN, "ready", "crash", "{1 crashed} = 1-0 1 0 no-start!");
}

static void two_players_that_do_not_start_draw(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "silent", "silent", "{0 late} {1 late} = 0-0 0 0 both-absent!");
    expect_at("hop", THREE_HOME, "silent", "crash", "{1 crashed} {0 late} = 0-0 0 0 both-absent!");
    expect_at("hop", TWO_MEN, "crash@2", "crash@1",
              "{1 crashed} {0 crashed} = 0-0 0 0 both-absent!");
    expect_at("hop", TWO_MEN, "crash", "hostile@1",
              "{0 crashed} {1 hostile} = 0-0 0 0 both-absent!");
}

/* Otherwise the loser would depend on chance. */
static void the_first_failure_does_not_lose_before_the_other_player_had_its_time(void **state)
{
    (void)state;
    expect_at("hop", TWO_MEN, "crash", "ready@10", "{0 crashed} = 0-1 0 1 no-start!");
    expect_at("hop", TWO_MEN, "hostile", "silent", "{0 hostile} {1 late} = 0-0 0 0 both-absent!");
    expect_auction("ready bid:7/1", "ready silent", "{0 invalid} {1 late} = 0-0 0 0 no-bid!");
}

static void a_restarted_program_gets_the_time_to_start_again(void **state)
{
    (void)state;
    struct judge_rules rules = table_rules("hop", TWO_MEN);
    static const char won[] = "b:35-36 = 1-0 1 0 all-home";
    static const char late[] = "{0 late} b:skip!late w:62-61 = 0-1 0 1 all-home";
    struct table table;
    play_scripts(&table, &rules, "ready 35-36@14.25 +restart@1 +ready@9", "ready");
    assert_string_equal(table.log, won);
    assert_int_equal(table.last_ply.time_ns, 5250000000);
    table_free(&table);
    expect_game(&rules, "ready 35-36@14.250000001 +restart@1 +ready@9", "ready 62-61", late);
    /* It does not come back: the clock starts by itself. */
    expect_game(&rules, "ready 35-36@16.25 +restart@1", "ready", won);
    expect_game(&rules, "ready 35-36@16.250000001 +restart@1", "ready 62-61", late);
    expect_game(&rules, "ready silent +restart@1", "ready 62-61", late);
    /* Only what is still to come can be put forward. */
    expect_game(&rules, "ready 35-36@5.250000001 +ready@4", "ready 62-61", late);
    expect_game(&rules, "ready 35-36@5.26 +restart@5.251", "ready 62-61", late);
    /* Before the first move it is not there again until it says so. */
    expect_game(&rules, "ready +restart@1 +ready@3 35-36", "ready@2", won);
    expect_game(&rules, "ready +restart@1", "ready@2", "{0 late} = 0-1 0 1 no-start!");
    /* Between its turns the player itself knows. */
    expect_game(&rules, "ready 35-34 +restart@1 34-35", "ready 62-63@2 resign",
                "b:35-34 w:62-63 b:34-35 = 1-0 1 0 resigned!");
}

/* --- Players that something outside the game keeps from running --- */

struct starved_case {
    const char *scripts[2];
    double waited_s[2];
    double used_s[2];
    bool is_excused;
    const char *words; /* of the game if it is not */
};

static void play_starved(struct table *table, const struct judge_rules *rules,
                         const struct starved_case *at)
{
    fake_mind *minds[2] = {scripted_mind, scripted_mind};
    const char *scripts[2] = {at->scripts[0], at->scripts[1]};
    void *thoughts[2] = {&scripts[0], &scripts[1]};
    table_init(table, rules, minds, thoughts);
    for (int i = 0; i < 2; i++) {
        table->players[i]->waited_ns = (int64_t)(at->waited_s[i] * 1e9);
        table->players[i]->used_ns = (int64_t)(at->used_s[i] * 1e9);
    }
    table_play(table);
}

static void a_starved_player_is_excused_once_the_evidence_is_half_of_the_time(void **state)
{
    (void)state;
    static const char absent[] = "{0 late} {1 late} = 0-0 0 0 both-absent!";
    static const char late[] = "{0 late} b:skip!late w:62-61 = 0-1 0 1 all-home";
    static const struct starved_case cases[] = {
        {{"silent", "silent"}, {9, 9}, {0, 0}, true, absent},
        {{"silent", "silent"}, {0, 5}, {0, 0}, true, absent},
        {{"silent", "silent"}, {4.9, 4.9}, {0, 0}, false, absent},
        {{"silent", "ready"}, {9, 0}, {0, 0}, true, "{0 late} = 0-1 0 1 no-start!"},
        {{"ready silent", "ready 62-61"}, {5, 0}, {0, 0}, true, late},
        {{"ready silent", "ready 62-61"}, {2.6, 0}, {0, 0}, false, late},
        /* What the opponent has used is not outside of the game. If it is not known, nothing is. */
        {{"ready silent", "ready 62-61"}, {5, 0}, {0, 3}, false, late},
        {{"ready silent", "ready 62-61"}, {5, 0}, {0, -1e-9}, false, late},
        {{"silent", "silent"}, {9, 9}, {5, 5}, false, absent},
        /* Only a player that is late is looked at: a loser's wait changes nothing. */
        {{"ready 35-36", "ready"}, {9, 9}, {0, 0}, false, "b:35-36 = 1-0 1 0 all-home"},
        {{"ready crash", "ready 62-61"},
         {9, 9},
         {0, 0},
         false,
         "{0 crashed} b:skip!crashed w:62-61 = 0-1 0 1 all-home"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int excuses = 0; excuses < 2; excuses++) {
            struct judge_rules rules = table_rules("hop", TWO_MEN);
            struct table table;
            rules.excuses_starved = excuses;
            play_starved(&table, &rules, &cases[i]);
            assert_int_equal(table.has_failed, excuses && cases[i].is_excused);
            if (!table.has_failed) {
                assert_string_equal(table.log, cases[i].words);
            }
            if (table.has_fault && table.last_fault.kind == FAULT_LATE) {
                bool is_idle = table.last_cause.is_idle;
                assert_int_equal(table.last_cause.is_starved, !is_idle);
                assert_int_equal(!!strstr(table.last_fault.why.text, "a guess"), is_idle);
                assert_int_equal(
                    !!strstr(table.last_fault.why.text, "because of something outside this game"),
                    !is_idle);
            }
            table_free(&table);
        }
    }
}

/* A file program's clock begins when it has read its first question, or after the start-up limit.
 */
static void what_was_watched_before_the_clock_began_counts(void **state)
{
    enum { EXPLAINED = 2 };
    (void)state;
    for (int i = 0; i < 3; i++) {
        fake_mind *minds[2] = {scripted_mind, scripted_mind};
        const char *scripts[2] = {"ready silent", "ready 62-61"};
        void *thoughts[2] = {&scripts[0], &scripts[1]};
        const struct judge_rules rules = table_rules("hop", TWO_MEN);
        struct table table;
        table_init(&table, &rules, minds, thoughts);
        table.players[0]->waited_ns = 7 * (int64_t)1000000000;
        table.players[0]->watched_ns = (int64_t)(i == 0 ? 15.25e9 : 12.25e9);
        table.players[0]->is_explained = i == EXPLAINED;
        table_play(&table);
        assert_int_equal(table.last_cause.is_starved, i > 0);
        assert_int_equal(!!strstr(table.last_fault.why.text, "for 7.0 of 12.2 s"), i > 0);
        assert_int_equal(!!strstr(table.last_fault.why.text, "game; a guess"), i == EXPLAINED);
        table_free(&table);
    }
}

static void a_starved_bidder_is_excused(void **state)
{
    (void)state;
    static const struct starved_case bids = {
        {"ready silent", "ready bid:0/5"}, {20, 0}, {0, 0}, true, ""};
    struct judge_rules rules = table_auction_rules();
    struct table table;
    rules.excuses_starved = true;
    play_starved(&table, &rules, &bids);
    assert_true(table.has_failed);
    table_free(&table);
}

/* --- The auction --- */

static void no_bid_loses(void **state)
{
    (void)state;
    expect_auction("ready silent", "ready bid:0/5", "{0 late} = 0-1 0 1 no-bid!");
    expect_auction("ready bid:0/5", "ready silent", "{1 late} = 1-0 1 0 no-bid!");
    expect_auction("ready silent", "ready silent", "{0 late} {1 late} = 0-0 0 0 no-bid!");
    expect_auction("ready crash", "ready bid:0/5", "{0 crashed} = 0-1 0 1 no-bid!");
    expect_auction("ready +crash@1", "ready@2 bid:0/5", "{0 crashed} = 0-1 0 1 no-bid!");
}

static void a_late_bid_loses(void **state)
{
    (void)state;
    expect_auction("ready bid:0/5@30.25 resign", "ready bid:1/5", "= 0-1 0 1 resigned!");
    expect_auction("ready bid:0/5@30.250000001", "ready bid:1/5", "{0 late} = 0-1 0 1 no-bid!");
    struct table table;
    struct judge_rules rules = table_auction_rules();
    play_scripts(&table, &rules, "ready bid:0/5@31", "ready bid:1/5");
    assert_string_equal(table.log, "{0 late} = 0-1 0 1 no-bid!");
    assert_int_equal(table.players[0]->forgets, 1);
    assert_int_equal(table.players[1]->forgets, 0);
    assert_int_equal(table.players[0]->learned, 0);
    table_free(&table);
}

static void a_bad_bid_loses(void **state)
{
    (void)state;
    expect_auction("ready bid:2/5", "ready bid:1/5", "{0 invalid} = 0-1 0 1 no-bid!");
    expect_auction("ready bid:-1/5", "ready bid:1/5", "{0 invalid} = 0-1 0 1 no-bid!");
    expect_auction("ready invalid", "ready bid:1/5", "{0 invalid} = 0-1 0 1 no-bid!");
    expect_auction("ready bid:1/5", "ready malformed", "{1 malformed} = 1-0 1 0 malformed!");
    /* Once it has bid, a crash is a crash. */
    expect_auction("ready bid:0/5 +crash@1", "ready bid:1/5@2", "{0 crashed} = 0-1 0 1 crashed!");
}

static void a_person_without_a_limit_is_never_late(void **state)
{
    (void)state;
    struct judge_rules rules = table_auction_rules();
    rules.is_untimed[0] = true;
    expect_game(&rules, "ready bid:0/5@5000 resign@9000", "ready bid:1/5", "= 0-1 0 1 resigned!");
    /* The other one still is, and then the game does not wait for the person. */
    expect_game(&rules, "ready silent", "ready silent", "{1 late} = 1-0 1 0 no-bid!");
    expect_game(&rules, "ready silent", "ready crash", "{1 crashed} = 1-0 1 0 no-bid!");
}

static void only_the_first_bid_counts(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_auction_rules();
    play_scripts(&table, &rules, "ready bid:0/5 +bid:1/9@1 resign",
                 "ready +bid:0/9@0.05 bid:0/3@2");
    assert_string_equal(table.log, "= 0-1 0 1 resigned!");
    assert_int_equal(table.players[1]->own_bid.price, 3);
    assert_int_equal(table.players[1]->other_bid.price, 5);
    table_free(&table);
}

struct auction_case {
    const char *bids[2];
    enum side colour; /* of player 0; the lot's if it was drawn */
    bool by_lot;
    int budget[2];
};

static void the_auction_gives_colours_and_budgets(void **state)
{
    (void)state;
    const enum side lot = game_draw_lot(1);
    const struct auction_case cases[] = {
        {{"bid:0/5", "bid:1/40"}, SIDE_BLACK, false, {150, 150}},
        {{"bid:1/5", "bid:0/40"}, SIDE_WHITE, false, {150, 150}},
        {{"bid:0/5", "bid:0/40"}, SIDE_WHITE, false, {144, 150}},
        {{"bid:0/40", "bid:0/5"}, SIDE_BLACK, false, {144, 150}},
        {{"bid:1/40", "bid:1/5"}, SIDE_WHITE, false, {150, 144}},
        {{"bid:0/200", "bid:0/139"}, SIDE_BLACK, false, {10, 150}},
        {{"bid:0/-3", "bid:0/-9"}, SIDE_BLACK, false, {149, 150}},
        {{"bid:0/7", "bid:0/7"}, lot, true, {142, 150}},
        {{"bid:1/7", "bid:1/7"}, lot, true, {150, 142}},
        {{"bid:0/141", "bid:0/9000000000"}, lot, true, {9, 150}},
        {{"bid:0/-4", "bid:0/-4"}, lot, true, {149, 150}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct table table;
        struct judge_rules rules = table_auction_rules();
        const struct auction_case *c = &cases[i];
        char scripts[2][64];
        for (int player = 0; player < 2; player++) {
            snprintf(scripts[player], sizeof scripts[player], "ready %s resign", c->bids[player]);
        }
        play_scripts(&table, &rules, scripts[0], scripts[1]);
        struct state start = rules.game->start_with(c->budget);
        assert_memory_equal(&table.judge.start, &start, sizeof start);
        assert_int_equal(table.judge.colour[0], c->colour);
        assert_int_equal(table.judge.colour[1], side_other(c->colour));
        for (int player = 0; player < 2; player++) {
            assert_int_equal(table.players[player]->learned, 1);
            assert_int_equal(table.players[player]->colour, table.judge.colour[player]);
            assert_int_equal(table.players[player]->by_lot, c->by_lot);
        }
        /* Black, whichever player that is, resigned. */
        assert_string_equal(table.log, "= 0-1 0 1 resigned!");
        table_free(&table);
    }
}

static void the_lot_depends_on_the_seed_alone(void **state)
{
    (void)state;
    int blacks = 0;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct table table;
        struct judge_rules rules = table_auction_rules();
        rules.seed = seed;
        play_scripts(&table, &rules, "ready bid:0/7 resign", "ready bid:0/7 resign");
        assert_int_equal(table.judge.lot, game_draw_lot(seed));
        blacks += table.judge.colour[0] == SIDE_BLACK;
        table_free(&table);
    }
    assert_in_range(blacks, 30, 70);
}

static void without_the_auction_the_first_player_is_black(void **state)
{
    (void)state;
    struct table table;
    struct judge_rules rules = table_rules("meichu", "start");
    play_scripts(&table, &rules, "ready resign", "ready");
    assert_string_equal(table.log, "= 0-1 0 1 resigned!");
    assert_int_equal(table.players[0]->learned, 0);
    table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_player_that_does_not_start_in_time_loses),
        cmocka_unit_test(two_players_that_do_not_start_draw),
        cmocka_unit_test(the_first_failure_does_not_lose_before_the_other_player_had_its_time),
        cmocka_unit_test(a_restarted_program_gets_the_time_to_start_again),
        cmocka_unit_test(a_starved_player_is_excused_once_the_evidence_is_half_of_the_time),
        cmocka_unit_test(what_was_watched_before_the_clock_began_counts),
        cmocka_unit_test(a_starved_bidder_is_excused),
        cmocka_unit_test(no_bid_loses),
        cmocka_unit_test(a_late_bid_loses),
        cmocka_unit_test(a_bad_bid_loses),
        cmocka_unit_test(a_person_without_a_limit_is_never_late),
        cmocka_unit_test(only_the_first_bid_counts),
        cmocka_unit_test(the_auction_gives_colours_and_budgets),
        cmocka_unit_test(the_lot_depends_on_the_seed_alone),
        cmocka_unit_test(without_the_auction_the_first_player_is_black),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
