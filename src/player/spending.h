/* spending: moves that keep a game going until a budget is spent.
 *
 * For trials that have to reach the end of a budget. A slow mover saves its money, so that the
 * opponent has to pass first; a quick one spends it. A small search shows both how not to end the
 * game earlier: they protect their goal and never take the opponent's goal or last man
 * (game/look.h). Knows the rules only through struct game.
 */
#ifndef PLAYER_SPENDING_H
#define PLAYER_SPENDING_H

#include "base/rng.h"
#include "game/game.h"

enum spending {
    SPENDING_ANY, /* any legal move: not one of spending_move */
    SPENDING_SLOW,
    SPENDING_QUICK,
};

/* The game is not over. */
struct move spending_move(enum spending spending, const struct game *game,
                          const struct state *state, struct rng *rng);

#endif
