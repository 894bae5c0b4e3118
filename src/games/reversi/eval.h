/* eval: what a position of reversi or othello is worth before it can be solved. */
#ifndef GAMES_REVERSI_EVAL_H
#define GAMES_REVERSI_EVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"

#define reversi_evaluate CPU_VARIANT(reversi_evaluate)

/* In hundredths of a disc, for the side of `own`, which is to move. With corners it is othello. */
int reversi_evaluate(bool has_corners, uint64_t own, uint64_t other);

#endif
