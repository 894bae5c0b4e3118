/* eval: what a position of hop is worth. */
#ifndef GAMES_HOP_EVAL_H
#define GAMES_HOP_EVAL_H

#include "base/cpu.h"
#include "games/hop/state.h"

enum {
    HOP_TERMS = 116,     /* of any position, at most */
    HOP_WEIGHTS = 33577, /* that terms choose from */
    HOP_WEIGHT_ONE = 16, /* weights are this much finer than values */
};

#define hop_evaluate CPU_VARIANT(hop_evaluate)
#define hop_terms CPU_VARIANT(hop_terms)

/* In hundredths of a man at home, for the side to move. The game must not be over. */
int hop_evaluate(const struct hop_state *s);

/* The weights that hop_evaluate adds up, for the tool that fits them. Returns how many. */
int hop_terms(const struct hop_state *s, uint16_t out[HOP_TERMS]);

#endif
