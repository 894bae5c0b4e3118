/* MeiChu's auction before the game, sentence by sentence. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/bid.h"
#include "game/registry.h"
#include "rules_support.h"

enum { BLACK = SIDE_BLACK, WHITE = SIDE_WHITE, NO_LOT = -1 };

static struct auction_outcome settle(enum cpu_level level, struct bid first, struct bid second,
                                     int lot)
{
    const struct bid bids[2] = {first, second};
    return find_game(level, "meichu")->auction(bids, lot);
}

/* The colours of both players, then the budgets of Black and White. */
static void expect_settled(struct bid first, struct bid second, int lot, const int expected[4])
{
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        struct auction_outcome outcome = settle(level, first, second, lot);
        assert_false(outcome.needs_lot);
        assert_int_equal(outcome.colour[0], expected[0]);
        assert_int_equal(outcome.colour[1], expected[1]);
        assert_int_equal(outcome.budget[SIDE_BLACK], expected[2]);
        assert_int_equal(outcome.budget[SIDE_WHITE], expected[3]);
    }
}

#define BID(side, amount) ((struct bid){.colour = (side), .price = (amount)})
#define SETTLED(...) ((const int[4]){__VA_ARGS__})

static void auction_different_colours_are_free(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, 100), BID(WHITE, 3), NO_LOT, SETTLED(BLACK, WHITE, 150, 150));
    expect_settled(BID(WHITE, 7), BID(BLACK, 7), NO_LOT, SETTLED(WHITE, BLACK, 150, 150));
    expect_settled(BID(WHITE, 140), BID(BLACK, -9), NO_LOT, SETTLED(WHITE, BLACK, 150, 150));
}

static void auction_higher_price_gets_the_colour(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, 40), BID(BLACK, 5), NO_LOT, SETTLED(BLACK, WHITE, 144, 150));
    expect_settled(BID(BLACK, 5), BID(BLACK, 40), NO_LOT, SETTLED(WHITE, BLACK, 144, 150));
}

static void auction_winner_pays_the_lower_price_plus_one_and_the_other_nothing(void **unused)
{
    (void)unused;
    expect_settled(BID(WHITE, 40), BID(WHITE, 39), NO_LOT, SETTLED(WHITE, BLACK, 150, 110));
    expect_settled(BID(WHITE, 1), BID(WHITE, 0), NO_LOT, SETTLED(WHITE, BLACK, 150, 149));
    expect_settled(BID(BLACK, 12), BID(BLACK, 130), NO_LOT, SETTLED(WHITE, BLACK, 137, 150));
}

static void auction_prices_above_140_count_as_140(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, 100000), BID(BLACK, 139), NO_LOT, SETTLED(BLACK, WHITE, 10, 150));
    expect_settled(BID(BLACK, INT64_MAX), BID(BLACK, 20), NO_LOT, SETTLED(BLACK, WHITE, 129, 150));
    expect_settled(BID(BLACK, 141), BID(BLACK, 140), BLACK, SETTLED(BLACK, WHITE, 9, 150));
}

static void auction_prices_above_140_are_equal_and_need_a_lot(void **unused)
{
    (void)unused;
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        assert_true(settle(level, BID(BLACK, 141), BID(BLACK, 140), NO_LOT).needs_lot);
        assert_true(settle(level, BID(WHITE, 200), BID(WHITE, INT64_MAX), NO_LOT).needs_lot);
        assert_false(settle(level, BID(BLACK, 140), BID(BLACK, 139), NO_LOT).needs_lot);
    }
}

static void auction_equal_prices_need_a_lot(void **unused)
{
    (void)unused;
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        assert_true(settle(level, BID(BLACK, 5), BID(BLACK, 5), NO_LOT).needs_lot);
        assert_true(settle(level, BID(WHITE, -5), BID(WHITE, -5), NO_LOT).needs_lot);
    }
}

static void auction_lot_is_the_first_players_colour_and_the_wanted_colour_pays(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, 5), BID(BLACK, 5), BLACK, SETTLED(BLACK, WHITE, 144, 150));
    expect_settled(BID(BLACK, 5), BID(BLACK, 5), WHITE, SETTLED(WHITE, BLACK, 144, 150));
    expect_settled(BID(WHITE, 5), BID(WHITE, 5), BLACK, SETTLED(BLACK, WHITE, 150, 144));
    expect_settled(BID(WHITE, 5), BID(WHITE, 5), WHITE, SETTLED(WHITE, BLACK, 150, 144));
}

static void auction_lot_changes_nothing_when_the_prices_decide(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, 6), BID(BLACK, 5), WHITE, SETTLED(BLACK, WHITE, 144, 150));
    expect_settled(BID(BLACK, 5), BID(WHITE, 5), WHITE, SETTLED(BLACK, WHITE, 150, 150));
}

static void auction_negative_prices_are_compared_as_they_are(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, -3), BID(BLACK, -5), NO_LOT, SETTLED(BLACK, WHITE, 149, 150));
    expect_settled(BID(BLACK, -5), BID(BLACK, -3), NO_LOT, SETTLED(WHITE, BLACK, 149, 150));
    expect_settled(BID(WHITE, 0), BID(WHITE, INT64_MIN), NO_LOT, SETTLED(WHITE, BLACK, 150, 149));
}

static void auction_negative_lower_price_costs_one(void **unused)
{
    (void)unused;
    expect_settled(BID(BLACK, 90), BID(BLACK, -1), NO_LOT, SETTLED(BLACK, WHITE, 149, 150));
    expect_settled(BID(BLACK, -4), BID(BLACK, -4), WHITE, SETTLED(WHITE, BLACK, 149, 150));
}

static void auction_budgets_are_what_the_game_starts_with(void **unused)
{
    (void)unused;
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = find_game(level, "meichu");
        struct state full = game->start_with((const int[2]){150, 150});
        struct state start = game->start();
        assert_memory_equal(&full, &start, sizeof full);
        struct state state = game->start_with((const int[2]){144, 9});
        char text[GAME_POSITION_BYTES];
        game->write_position(&state, text);
        assert_string_equal(text, "..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./"
                                  "..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.. b 144 9");
    }
}

static void auction_is_only_held_in_meichu(void **unused)
{
    (void)unused;
    for (enum cpu_level level = CPU_BASELINE; level <= cpu_best(); level++) {
        const struct game *game = NULL;
        for (size_t i = 0; (game = registry_at(level, i)); i++) {
            bool has_auction = strcmp(game->name, "meichu") == 0;
            assert_int_equal(game->auction != NULL, has_auction);
            assert_int_equal(game->start_with != NULL, has_auction);
            assert_int_equal(game->budget != NULL, has_auction);
        }
    }
}

/* --- What our engine bids --- */

static void bid_a_colour_wins_less_often_the_more_it_has_paid(void **unused)
{
    (void)unused;
    const struct game *game = registry_find(cpu_best(), "meichu", NULL);
    for (int side = 0; side < 2; side++) {
        for (int paid = 1; paid <= bid_max_payment(game); paid++) {
            assert_true(bid_chance(game, (enum side)side, paid) <=
                        bid_chance(game, (enum side)side, paid - 1));
        }
    }
    assert_true(bid_chance(game, bid_better_colour(game), 0) >=
                bid_chance(game, side_other(bid_better_colour(game)), 0));
}

/* Whatever the other bids for our colour, we win half of the games or more by the table. */
static void bid_guarantees_one_half(void **unused)
{
    (void)unused;
    const struct game *game = registry_find(cpu_best(), "meichu", NULL);
    struct bid ours = engine_bid(game);
    enum side colour = (enum side)ours.colour;
    int near = bid_chance(game, colour, bid_break_even(game)) -
               bid_chance(game, colour, bid_break_even(game) + 1);
    for (int64_t price = -1; price <= bid_max_payment(game); price++) {
        struct bid bids[2] = {ours, {ours.colour, price}};
        struct auction_outcome outcome = game->auction(bids, ours.colour);
        int paid = 150 - outcome.budget[colour];
        int chance = bid_chance(game, colour, paid);
        assert_true(outcome.colour[0] == colour ? chance >= 500 : 1000 - chance >= 500 - near);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auction_different_colours_are_free),
        cmocka_unit_test(auction_higher_price_gets_the_colour),
        cmocka_unit_test(auction_winner_pays_the_lower_price_plus_one_and_the_other_nothing),
        cmocka_unit_test(auction_prices_above_140_count_as_140),
        cmocka_unit_test(auction_prices_above_140_are_equal_and_need_a_lot),
        cmocka_unit_test(auction_equal_prices_need_a_lot),
        cmocka_unit_test(auction_lot_is_the_first_players_colour_and_the_wanted_colour_pays),
        cmocka_unit_test(auction_lot_changes_nothing_when_the_prices_decide),
        cmocka_unit_test(auction_negative_prices_are_compared_as_they_are),
        cmocka_unit_test(auction_negative_lower_price_costs_one),
        cmocka_unit_test(auction_budgets_are_what_the_game_starts_with),
        cmocka_unit_test(auction_is_only_held_in_meichu),
        cmocka_unit_test(bid_a_colour_wins_less_often_the_more_it_has_paid),
        cmocka_unit_test(bid_guarantees_one_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
