/* pace: moves that keep a game going until a budget is spent.
 *
 * For trials that have to reach the end of a budget. A slow mover saves its money, so that the
 * opponent has to pass first; a quick one spends it. A small search tells both how not to end the
 * game earlier: they protect their flag and never take the opponent's flag or last soldier. Knows
 * the rules only through struct game.
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
