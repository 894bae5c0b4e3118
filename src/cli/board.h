/* board: a position, drawn on stdout with what a player wants to know about it. */
#ifndef CLI_BOARD_H
#define CLI_BOARD_H

#include "cli/paint.h"
#include "game/game.h"

/* `last` is the move that led here, to be marked; NULL for none. Returns how many lines
 * were printed, none of them wider than 80 columns. */
int board_draw(const struct game *game, const struct state *state, const struct move *last,
               enum paint paint);

#endif
