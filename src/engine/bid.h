/* bid: what our engine bids for a colour in an auction.
 *
 * The player that gets the colour that both want pays the other's price and one more. The
 * loser's bid sets what the winner pays, but it is not a plain Vickrey auction. With V(x) the
 * chance of winning with the better colour after paying x, and p* the payment at which V is one
 * half, a bid of p* - 1 for that colour guarantees one half whatever the other does: if we get it,
 * we pay at most p*, and if the other gets it, it pays at least p*.
 *
 * V is a table of the game (game/about.h), measured by tools/lab/bids.sh in games of the engine
 * against itself.
 */
#ifndef ENGINE_BID_H
#define ENGINE_BID_H

#include "game/game.h"

/* The highest payment in the table. */
int bid_max_payment(const struct game *game);

/* In thousandths: how often this colour wins after paying `payment`. */
int bid_chance(const struct game *game, enum side colour, int payment);

/* The colour that wins more often without any payment. */
enum side bid_better_colour(const struct game *game);

/* p*: the highest payment after which the better colour still wins half of its games. */
int bid_break_even(const struct game *game);

struct bid engine_bid(const struct game *game);

#endif
