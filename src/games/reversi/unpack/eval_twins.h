/* eval_twins: which numbers of a pattern mean the same, seen from its other end.
 *
 * They share a weight: the fit keeps one for both, and so does the file of weights.
 */
#ifndef GAMES_REVERSI_UNPACK_EVAL_TWINS_H
#define GAMES_REVERSI_UNPACK_EVAL_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "games/reversi/eval_pattern.h"

/* twin[i] <= i is the number whose weight i shares. */
void eval_twins(bool has_corners, uint32_t twin[PATTERN_WEIGHTS]);

#endif
