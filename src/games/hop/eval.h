/* eval: what a position of hop is worth. */
#ifndef GAMES_HOP_EVAL_H
#define GAMES_HOP_EVAL_H

#include "base/cpu.h"
#include "games/hop/state.h"

#define hop_evaluate CPU_VARIANT(hop_evaluate)

/* In hundredths of a man at home, for the side to move. The game must not be over. */
int hop_evaluate(const struct hop_state *s);

#endif
