/* random_plies: how the laboratory's games begin. */
#ifndef LAB_RANDOM_PLIES_H
#define LAB_RANDOM_PLIES_H

#include <stdbool.h>

#include "base/rng.h"
#include "game/game.h"

/* False when the game ended meanwhile. */
static inline bool random_plies(const struct game *game, struct rng *rng, int plies,
                                struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    for (int i = 0; i < plies; i++) {
        size_t count = game->moves(state, moves);
        if (count == 0 || game->apply(state, &moves[rng_below(rng, count)], NULL)) {
            return false;
        }
    }
    return !game_is_over(game, state);
}

#endif
