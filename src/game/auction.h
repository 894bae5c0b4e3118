/* auction: the lot that decides between equal bids. */
#ifndef GAME_AUCTION_H
#define GAME_AUCTION_H

#include <stdint.h>

#include "base/hash.h"
#include "game/game.h"

/* The colour that player 0 gets. The same seed always draws the same lot. */
static inline enum side auction_lot(uint64_t seed)
{
    return hash_word(seed) & 1 ? SIDE_WHITE : SIDE_BLACK;
}

#endif
