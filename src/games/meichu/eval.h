/* eval: what a position of MeiChu is worth. */
#ifndef GAMES_MEICHU_EVAL_H
#define GAMES_MEICHU_EVAL_H

#include "base/cpu.h"
#include "games/meichu/state.h"

enum {
    MEICHU_TERMS = 114,     /* of any position, at most */
    MEICHU_WEIGHTS = 20457, /* that terms choose from */
    MEICHU_WEIGHT_ONE = 16, /* weights are this much finer than values */
};

#define meichu_evaluate CPU_VARIANT(meichu_evaluate)
#define meichu_terms CPU_VARIANT(meichu_terms)

/* In hundredths of a soldier, for the side to move. The game must not be over. */
int meichu_evaluate(const struct meichu_state *s);

/* The weights that meichu_evaluate adds up, for the tool that fits them. Returns how many. */
int meichu_terms(const struct meichu_state *s, uint16_t out[MEICHU_TERMS]);

/* By side. */
static inline void meichu_count_barriers(const struct meichu_state *s, int barriers[2])
{
    barriers[0] = barriers[1] = 0;
    for (int row = 0; row < MEICHU_LINE; row++) {
        unsigned solid = (unsigned)s->solid_rows[0][row] | s->solid_rows[1][row];
        unsigned black = s->black_barrier_rows[row];
        barriers[SIDE_BLACK] += __builtin_popcount(black);
        barriers[SIDE_WHITE] += __builtin_popcount(s->occupied_rows[row] & ~solid & ~black);
    }
}

#endif
