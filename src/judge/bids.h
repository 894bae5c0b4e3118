/* bids: an auction as the text of a record's tag.
 *
 *     0 5, 0 40            colour and price of player 1, then of player 2
 *     0 5, 0 5, tie 1      the colour player 1 got by lot; it matters for equal bids only
 */
#ifndef JUDGE_BIDS_H
#define JUDGE_BIDS_H

#include "base/note.h"
#include "game/game.h"

enum { BIDS_BYTES = 64 }; /* the longest text with its final NUL */

struct bids {
    struct bid bids[2]; /* by player */
    int lot;            /* as game->auction takes it: -1, or the colour of the first player */
};

MUST_USE enum err bids_read(const char *text, struct bids *out, struct note *why);
void bids_write(const struct bids *bids, char out[BIDS_BYTES]);

/* The position after the auction. ERR_INPUT: the game has none, or the lot is missing. */
MUST_USE enum err bids_settle(const struct game *game, const struct bids *bids, struct state *out,
                              struct note *why);

#endif
