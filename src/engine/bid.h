/* bid: what our engine bids for a colour in MeiChu's auction.
 *
 * With V(x) the chance of winning with the better colour after paying x, and p* the
 * payment at which V is one half, a bid of p* - 1 for that colour guarantees at least
 * one half whatever the other does. No advantage of either colour has been measured,
 * so p* is 1 and the bid is nothing.
 */
#ifndef ENGINE_BID_H
#define ENGINE_BID_H

#include "game/game.h"

static inline struct bid engine_bid(void) { return (struct bid){SIDE_BLACK, 0}; }

#endif
