/* cmd_auction: auction, bid. */
#include <assert.h>
#include <stdio.h>

#include "base/number.h"
#include "cli/args.h"
#include "engine/bid.h"
#include "game/game.h"
#include "game/registry.h"
#include "report/json_game.h"

enum { PAYMENT_STEP = 20 };

/* --- auction --- */

static const struct game *game_with_auction(enum cpu_level cpu)
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(cpu, i)); i++) {
        if (game->auction) {
            return game;
        }
    }
    return NULL;
}

static enum err read_bids(char *const *words, struct bid bids[2], struct note *why)
{
    static const char *const colours[] = {"C1", "C2"};
    static const char *const prices[] = {"P1", "P2"};
    for (int player = 0; player < 2; player++) {
        int64_t colour = 0;
        enum err err = number_read(words[2 * player], colours[player], 0, 1, &colour, why);
        if (err || (err = number_read(words[2 * player + 1], prices[player], INT64_MIN, INT64_MAX,
                                      &bids[player].price, why))) {
            return err;
        }
        bids[player].colour = (int)colour;
    }
    return ERR_NONE;
}

/* -1 when neither option is given. */
static enum err read_lot(const struct args *args, int *lot, struct note *why)
{
    uint64_t seed = 0;
    if (args_option(args, "tie") && args_option(args, "seed")) {
        return note_fail(why, ERR_INPUT, "--tie and --seed cannot both decide a tie");
    }
    enum err err = ARGS_FIELDS(args, why, {"tie", ARGS_INT, lot, SIDE_BLACK, SIDE_WHITE},
                               {"seed", ARGS_UINT64, &seed, 0, INT64_MAX});
    if (!err && args_option(args, "seed")) {
        *lot = (int)game_draw_lot(seed);
    }
    return err;
}

static enum err run_auction(const struct args *args, struct note *why)
{
    const struct game *game = game_with_auction(args->cpu);
    assert(game);
    struct bid bids[2];
    int lot = -1;
    enum err err = read_bids(args->values, bids, why);
    if (err || (err = read_lot(args, &lot, why))) {
        return err;
    }
    struct auction_outcome outcome = game->auction(bids, lot);
    if (outcome.needs_lot) {
        return note_fail(why, ERR_INPUT,
                         "the bids are equal: give player 1's colour with --tie, or draw a lot "
                         "with --seed");
    }
    printf("%d %d %d %d\n", (int)outcome.colour[0], (int)outcome.colour[1],
           outcome.budget[SIDE_BLACK], outcome.budget[SIDE_WHITE]);
    return ERR_NONE;
}

/* --- bid --- */

static double percent(const struct game *game, enum side colour, int payment)
{
    return bid_chance(game, colour, payment) / 10.0;
}

static void print_plain(const struct game *game)
{
    struct bid bid = engine_bid(game);
    enum side colour = (enum side)bid.colour;
    const char *title = side_title(colour);
    int even = bid_break_even(game);
    printf("%s %d\n\n", side_name(colour), (int)bid.price);
    printf("In games of the engine against itself %s wins %.1f %% when it pays nothing, and\n"
           "still one half after paying %d. The winner pays the loser's price plus 1, so with a\n"
           "bid of %d it costs us at most %d, and the opponent at least %d.\n\n",
           title, percent(game, colour, 0), even, (int)bid.price, even, even);
    printf(
        "How often a colour wins after paying a price while the other pays nothing. Each number\n"
        "was measured in games of its own: the two of a line need not add up to 100.\n\n");
    printf("paid  Black  White\n");
    for (int paid = 0; paid <= bid_max_payment(game); paid += PAYMENT_STEP) {
        printf("%4d  %4.1f %% %4.1f %%\n", paid, percent(game, SIDE_BLACK, paid),
               percent(game, SIDE_WHITE, paid));
    }
}

static enum err run_bid(const struct args *args, struct note *why)
{
    const struct game *game = game_with_auction(args->cpu);
    (void)why;
    assert(game);
    if (args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        json_game_bid(&json, game);
        putchar('\n');
        return ERR_NONE;
    }
    print_plain(game);
    return ERR_NONE;
}

const struct command cmd_auction = {
    .name = "auction",
    .run = run_auction,
    .summary = "compute the auction before a game of @auction@",
    .operands = "C1 P1 C2 P2",
    .options = {{"tie", "0|1", "on equal bids, the colour that player 1 gets"},
                {"seed", "N", "on equal bids, draw a lot; the same N draws the same lot"}},
};

const struct command cmd_bid = {
    .name = "bid",
    .run = run_bid,
    .summary = "print the engine's bid for a colour in @auction@, and why",
    .operands = "",
    .options = {{"json", NULL,
                 "{\"colour\", \"price\", \"break_even\", \"chances\": [{\"payment\", \"black\", "
                 "\"white\"}...]}"}},
};
