/* play_auction: the auction before a game, with a person who types the bid. */
#ifndef CLI_PLAY_AUCTION_H
#define CLI_PLAY_AUCTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/terminal.h"
#include "cli/play_game.h"

/* Settles who plays which colour with what budget, and explains it. The seed draws the lot
 * between equal bids. False: the person left. */
bool play_auction(const struct terminal_input *input, uint64_t seed, struct play_game *play);

#endif
