#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "engine/bid.h"

enum { PAYMENT_STEP = 20 };

static double percent(enum side colour, int payment) { return bid_chance(colour, payment) / 10.0; }

static enum err print_json(struct bid bid, struct note *why)
{
    json_t *chances = json_array();
    for (int paid = 0; paid <= BID_MAX_PAYMENT; paid += PAYMENT_STEP) {
        chances = json_out_append(chances, json_pack("{s:i, s:f, s:f}", "payment", paid, "black",
                                                     percent(SIDE_BLACK, paid) / 100, "white",
                                                     percent(SIDE_WHITE, paid) / 100));
    }
    return json_out_take(json_pack("{s:i, s:I, s:i, s:o}", "colour", bid.colour, "price",
                                   (json_int_t)bid.price, "break_even", bid_break_even(), "chances",
                                   chances),
                         why);
}

static void print_plain(struct bid bid)
{
    enum side colour = (enum side)bid.colour;
    const char *title = side_title(colour);
    int even = bid_break_even();
    printf("%s %d\n\n", side_name(colour), (int)bid.price);
    printf("In games of the engine against itself %s wins %.1f %% when it pays nothing, and\n"
           "still one half after paying %d. Whoever gets it pays the other's price and one more,\n"
           "so with a bid of %d it costs us at most %d, and the other at least %d.\n\n",
           title, percent(colour, 0), even, (int)bid.price, even, even);
    printf("How often a colour wins after paying so much while the other pays nothing. Each was\n"
           "measured in games of its own: two numbers side by side need not add up to 100.\n\n");
    printf("paid  Black  White\n");
    for (int paid = 0; paid <= BID_MAX_PAYMENT; paid += PAYMENT_STEP) {
        printf("%4d  %4.1f %% %4.1f %%\n", paid, percent(SIDE_BLACK, paid),
               percent(SIDE_WHITE, paid));
    }
}

static enum err run(const struct args *args, struct note *why)
{
    struct bid bid = engine_bid();
    if (args_option(args, "json")) {
        return print_json(bid, why);
    }
    print_plain(bid);
    return ERR_NONE;
}

const struct command cmd_bid = {
    .name = "bid",
    .run = run,
    .summary = "what we would bid for a colour in meichu, and why",
    .operands = "",
    .details =
        "The first line is the colour and the price. The table below it says how often each\n"
        "colour wins after paying so much of its 150 while the other pays nothing.",
    .options = {{"json", NULL,
                 "{\"colour\", \"price\", \"break_even\", \"chances\": [{\"payment\", \"black\", "
                 "\"white\"}...]}"}},
    .examples = {{"plum bid", "the bid of the builtin player"}},
};
