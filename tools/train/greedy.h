/* greedy: a player of reversi and othello that wants nothing but discs.
 *
 * Between equals a side is hardly ever wiped out. Without greedy players in its games the
 * evaluation would never learn what happens to a side with hardly a disc left.
 */
#ifndef TRAIN_GREEDY_H
#define TRAIN_GREEDY_H

#include "base/rng.h"
#include "game/game.h"

/* The move after which the lead in discs, `plies` plies later, is greatest; the game must not
 * be over, nor the side to move have to pass. */
struct move greedy_move(const struct game *game, const struct state *state, int plies,
                        struct rng *rng);

#endif
