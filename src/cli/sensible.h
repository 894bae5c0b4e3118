/* sensible: a player for demonstrations, who knows no game but sees the pieces.
 *
 * It looks at its move and the best answer, counts pieces, and likes its men near their
 * target, its discs on the border and its soldiers near the enemy's flag. A little chance
 * makes every seed a different game.
 */
#ifndef CLI_SENSIBLE_H
#define CLI_SENSIBLE_H

#include "base/rng.h"
#include "game/game.h"

/* The game must not be over. */
struct move sensible_choose(const struct game *game, const struct state *state, struct rng *rng);

#endif
