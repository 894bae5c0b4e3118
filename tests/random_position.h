/* random_position: positions that no game would reach, but that are well formed.
 *
 * Few pieces and crowded boards, spent budgets and move counters at their limit, sides
 * without pieces, flags already taken: wherever the rules have an edge.
 */
#ifndef RANDOM_POSITION_H
#define RANDOM_POSITION_H

#include "base/rng.h"
#include "naive/naive.h"

/* Twelve own barriers can each give back one more than a short move costs, and a budget above
 * 999 has no text. */
enum { RANDOM_MAX_BUDGET = 999 - 12 };

struct naive_position random_position(const struct naive_game *game, struct rng *rng);

#endif
