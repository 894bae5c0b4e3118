/* eval: what a position of hop is worth, by a network (engine/net.h).
 *
 * Each side sees itself as marching to the right. The inputs: an own man on a square, an enemy on
 * it, and how many plies are left.
 */
#ifndef GAMES_HOP_EVAL_H
#define GAMES_HOP_EVAL_H

#include "engine/net.h"
#include "games/hop/state.h"

#ifndef HOP_NET_HIDDEN
#define HOP_NET_HIDDEN 256
#endif

enum {
    HOP_NET_TIMES = 8,
    HOP_NET_INPUTS = 2 * HOP_SQUARES + HOP_NET_TIMES,
    HOP_NET_BUCKETS = 6,
};

extern const struct net net_hop;

/* By the side that looks. */
struct hop_sums {
    int16_t of[2][HOP_NET_HIDDEN];
};

#ifdef PLUM_CPU_SUFFIX
#include "base/cpu.h"
#define hop_sums_make CPU_VARIANT(hop_sums_make)
#define hop_sums_follow CPU_VARIANT(hop_sums_follow)
#define hop_evaluate CPU_VARIANT(hop_evaluate)

void hop_sums_make(const struct hop_state *s, struct hop_sums *out);

/* Turns the sums of one position into those of another; the fewer men differ, the faster. */
void hop_sums_follow(const struct hop_state *before, const struct hop_state *after,
                     struct hop_sums *sums);

/* In hundredths of a man at home, for the side to move. The game must not be over. */
int hop_evaluate(const struct hop_state *s, const struct hop_sums *sums);
#endif

#endif
