/* eval: what a position of MeiChu is worth, by a network (engine/net.h).
 *
 * Each side sees itself as attacking upwards. The inputs: an own or an enemy soldier, barrier or
 * flag on a square, and what is left of both budgets.
 */
#ifndef GAMES_MEICHU_EVAL_H
#define GAMES_MEICHU_EVAL_H

#include "engine/net.h"
#include "games/meichu/board.h"
#include "games/meichu/state.h"

#ifndef MEICHU_NET_HIDDEN
#define MEICHU_NET_HIDDEN 256
#endif

enum {
    MEICHU_NET_COINS = 64, /* the last one is for all larger budgets */
    MEICHU_NET_INPUTS = 6 * MEICHU_SQUARES + 2 * MEICHU_NET_COINS,
    MEICHU_NET_BUCKETS = 6,
};

extern const struct net net_meichu;

/* By the side that looks. */
struct meichu_sums {
    int16_t of[2][MEICHU_NET_HIDDEN];
};

#ifdef PLUM_CPU_SUFFIX
#include "base/cpu.h"
#define meichu_sums_make CPU_VARIANT(meichu_sums_make)
#define meichu_sums_follow CPU_VARIANT(meichu_sums_follow)
#define meichu_evaluate CPU_VARIANT(meichu_evaluate)

void meichu_sums_make(const struct meichu_state *s, struct meichu_sums *out);

/* Turns the sums of a position into those after the move that led from it to `after`. */
void meichu_sums_follow(const struct meichu_state *before, struct meichu_move move,
                        const struct meichu_state *after, struct meichu_sums *sums);

/* In hundredths of a soldier, for the side to move. The game must not be over. */
int meichu_evaluate(const struct meichu_state *s, const struct meichu_sums *sums);
#endif

#endif
