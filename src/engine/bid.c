#include "engine/bid.h"

#include "game/about.h"

enum { HALF = 500 };

static const struct game_about *about(const struct game *game)
{
    static const struct game_chance unknown[] = {{0, {HALF, HALF}}};
    static const struct game_about nothing = {.chances = unknown, .chance_count = 1};
    return game->about && game->about->chance_count ? game->about : &nothing;
}

int bid_max_payment(const struct game *game)
{
    return about(game)->chances[about(game)->chance_count - 1].payment;
}

int bid_chance(const struct game *game, enum side colour, int payment)
{
    const struct game_chance *row = about(game)->chances;
    const struct game_chance *last = row + about(game)->chance_count - 1;
    while (row < last && row[1].payment <= payment) {
        row++;
    }
    if (row == last) {
        return row->won[colour];
    }
    return row->won[colour] + (row[1].won[colour] - row->won[colour]) * (payment - row->payment) /
                                  (row[1].payment - row->payment);
}

enum side bid_better_colour(const struct game *game)
{
    return bid_chance(game, SIDE_BLACK, 0) >= bid_chance(game, SIDE_WHITE, 0) ? SIDE_BLACK
                                                                              : SIDE_WHITE;
}

int bid_break_even(const struct game *game)
{
    enum side colour = bid_better_colour(game);
    int payment = 0;
    while (payment < bid_max_payment(game) && bid_chance(game, colour, payment + 1) >= HALF) {
        payment++;
    }
    return payment;
}

struct bid engine_bid(const struct game *game)
{
    return (struct bid){.colour = (int)bid_better_colour(game), .price = bid_break_even(game) - 1};
}
