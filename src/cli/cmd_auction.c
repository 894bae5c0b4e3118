#include <assert.h>
#include <stdio.h>

#include "base/number.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "game/auction.h"
#include "game/registry.h"

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
        if (!err) {
            err = number_read(words[2 * player + 1], prices[player], INT64_MIN, INT64_MAX,
                              &bids[player].price, why);
        }
        if (err) {
            return err;
        }
        bids[player].colour = (int)colour;
    }
    return ERR_NONE;
}

/* -1 when neither option is given. */
static enum err read_lot(const struct args *args, int *lot, struct note *why)
{
    const char *tie = args_option(args, "tie");
    const char *seed = args_option(args, "seed");
    if (tie && seed) {
        note_set(why, "--tie and --seed cannot both decide a tie");
        return ERR_INPUT;
    }
    int64_t colour = 0;
    int64_t number = 0;
    enum err err = args_number(args, "tie", SIDE_BLACK, SIDE_WHITE, &colour, why);
    if (!err) {
        err = args_number(args, "seed", 0, INT64_MAX, &number, why);
    }
    if (!err) {
        *lot = tie ? (int)colour : seed ? (int)auction_lot((uint64_t)number) : -1;
    }
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = game_with_auction(args->cpu);
    assert(game);
    struct bid bids[2];
    int lot = -1;
    enum err err = read_bids(args->values, bids, why);
    if (!err) {
        err = read_lot(args, &lot, why);
    }
    if (err) {
        return err;
    }
    struct auction_outcome outcome = game->auction(bids, lot);
    if (outcome.needs_lot) {
        note_set(why, "the bids are equal: say who gets the colour with --tie, or draw a lot "
                      "with --seed");
        return ERR_INPUT;
    }
    printf("%d %d %d %d\n", (int)outcome.colour[0], (int)outcome.colour[1],
           outcome.budget[SIDE_BLACK], outcome.budget[SIDE_WHITE]);
    return ERR_NONE;
}

const struct command cmd_auction = {
    .name = "auction",
    .run = run,
    .summary = "settle the auction before a game of meichu",
    .operands = "C1 P1 C2 P2",
    .details =
        "Each player bids once, sealed: a colour (0 Black, 1 White) and a price. Prints\n"
        "four numbers: the colours that players 1 and 2 get, then Black's and White's\n"
        "budget.\n"
        "\n"
        "Different colours: both get theirs for nothing. The same colour: the higher price\n"
        "gets it and pays the lower one plus 1, at least 1, out of a budget of 150. A price\n"
        "above 140 counts as 140. Equal prices are settled by lot: --tie says how it fell,\n"
        "--seed draws it.",
    .options = {{"tie", "0|1", "on equal bids, the colour that player 1 gets"},
                {"seed", "N", "on equal bids, draw a lot; the same N draws the same lot"}},
    .examples = {{"plum auction 0 5 1 3", "different wishes: nobody pays"},
                 {"plum auction 0 40 0 5", "player 1 gets Black and pays 6"},
                 {"plum auction 1 10 1 10 --tie 1", "a tie that player 1 won"},
                 {"plum auction 0 -5 0 -9", "prices may be negative"}},
};
