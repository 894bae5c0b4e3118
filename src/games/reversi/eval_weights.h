/* eval_weights: what the patterns of reversi and othello are worth.
 *
 * The tables are made when the program is built, by unpack/eval_unpack.c from weights_*.bin.
 */
#ifndef GAMES_REVERSI_EVAL_WEIGHTS_H
#define GAMES_REVERSI_EVAL_WEIGHTS_H

#include <stdint.h>

#include "games/reversi/eval_pattern.h"

extern const int8_t eval_weights_reversi[PATTERN_KNOTS][PATTERN_WEIGHTS];
extern const int8_t eval_weights_othello[PATTERN_KNOTS][PATTERN_WEIGHTS];

#endif
