/* sparring: the opponent that our engine has to beat clearly.
 *
 * Plain alpha-beta with iterative deepening through struct game, and an evaluation that
 * counts pieces: what a diligent student hands in. No table, no ordering, no pruning, on
 * purpose.
 */
#ifndef SPARRING_H
#define SPARRING_H

#include <stdint.h>

#include "game/game.h"

/* The move after looking at this many positions, or at the deadline (INT64_MAX: none). The game
 * must not be over. */
struct move sparring_move(const struct game *game, const struct state *state, uint64_t nodes,
                          int64_t deadline_ns);

#endif
