/* pace: random moves that keep a game going for as long as possible.
 *
 * For trials that have to reach the end of a game's resources. A slow mover makes the shortest
 * moves, a quick one the longest. Both avoid, in this order: a move that ends the game, one after
 * which the opponent can end it at once, capturing a piece that can move, and leaving such a piece
 * to be captured. Knows the rules only through struct game.
 */
#ifndef PLAYER_PACE_H
#define PLAYER_PACE_H

#include "base/rng.h"
#include "game/game.h"

enum pace {
    PACE_ANY, /* any legal move */
    PACE_SLOW,
    PACE_QUICK,
};

/* The game is not over. */
struct move pace_move(enum pace pace, const struct game *game, const struct state *state,
                      struct rng *rng);

#endif
