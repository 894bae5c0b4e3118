#include "cli/play_auction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "engine/bid.h"
#include "game/game.h"

static bool read_colour(const char *word, int *out)
{
    static const char *const names[2][3] = {{"black", "b", "0"}, {"white", "w", "1"}};
    for (int colour = 0; colour < 2; colour++) {
        for (int i = 0; i < 3; i++) {
            if (strcmp(word, names[colour][i]) == 0) {
                *out = colour;
                return true;
            }
        }
    }
    return false;
}

static bool read_bid(char *line, struct bid *out)
{
    struct bid bid;
    const char *price = terminal_split(line);
    if (!read_colour(line, &bid.colour) ||
        number_read(price, "the price", INT32_MIN, INT32_MAX, &bid.price, NULL)) {
        puts("A bid is a colour, black or white, and a whole number.");
        return false;
    }
    *out = bid;
    return true;
}

static bool ask_bid(const struct terminal_input *input, struct bid *out)
{
    char line[TERMINAL_LINE_BYTES];
    do {
        if (!terminal_ask(input, "Your bid, such as black 5: ", line) ||
            strcmp(line, "quit") == 0) {
            return false;
        }
    } while (!read_bid(line, out));
    return true;
}

static void explain(const struct play_game *play, const struct auction_outcome *outcome)
{
    const struct bid *yours = &play->bids.bids[0];
    const struct bid *ours = &play->bids.bids[1];
    enum side person = outcome->colour[0];
    enum side engine = outcome->colour[1];
    printf("Plum's sealed bid was %s %lld.\n", side_name((enum side)ours->colour),
           (long long)ours->price);
    if (yours->colour != ours->colour) {
        puts("Each gets the wanted colour and pays nothing.");
    } else {
        bool is_yours = (int)person == yours->colour;
        printf("Both want %s. %s %s it and %s %d: the lower price and one more.\n",
               side_title((enum side)yours->colour),
               play->bids.lot >= 0 ? "The prices are equal, and by lot" : "By the higher price",
               is_yours ? "you get" : "Plum gets", is_yours ? "pay" : "pays",
               abs(outcome->budget[0] - outcome->budget[1]));
    }
    printf("You are %s with a budget of %d, Plum is %s with %d.\n", side_title(person),
           outcome->budget[person], side_title(engine), outcome->budget[engine]);
}

bool play_auction(const struct terminal_input *input, uint64_t seed, struct play_game *play)
{
    struct bid bids[2] = {{0, 0}, engine_bid()};
    int lot = -1;
    puts("Before the game each side bids for a colour, once and in secret. If both want the\n"
         "same one, the higher price gets it and pays the lower price and one more out of its\n"
         "budget. Prices above 140 count as 140.");
    if (!ask_bid(input, &bids[0])) {
        return false;
    }
    struct auction_outcome outcome = play->game->auction(bids, lot);
    if (outcome.needs_lot) {
        lot = (int)game_draw_lot(seed);
        outcome = play->game->auction(bids, lot);
    }
    play->has_auction = true;
    play->bids = (struct bids){{bids[0], bids[1]}, lot};
    struct state start = play->game->start_with(outcome.budget);
    play_game_begin(play, outcome.colour[0], &start);
    explain(play, &outcome);
    return true;
}
