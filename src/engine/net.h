/* net: a small network that evaluates a position, updated move by move.
 *
 * The idea is Nasu's for shogi (NNUE, 2018). An input is a fact that is true or not: an own man on
 * a square, a range of moves left. The first layer adds up the rows of the inputs that are true,
 * once as each side sees the board; a move changes a few of them, so its sums are the sums before
 * it and a few rows more and less. The second layer clips and squares both sides' sums, the side to
 * move first, and weighs them; which weights it takes depends on the number of pieces.
 *
 * Integers only, and none of them can overflow: tools/train/games.py refuses such weights. The
 * loops are plain C that compilers turn into vector instructions, and the result is the same on
 * every processor. `hidden` is a constant wherever these functions are called.
 *
 * Sums are in units of 1 / NET_ONE. The tables are made when the program is built, by
 * tools/net_weights.c from games/FOLDER/net.bin.
 */
#ifndef ENGINE_NET_H
#define ENGINE_NET_H

#include <stdint.h>

enum {
    NET_ONE = 255,
    NET_SQUARE_SHIFT = 3, /* bits that squares of sums lose, to fit 16 */
    NET_LAST_ONE = 1024,  /* weights of the second layer are this much finer than values */
    NET_MOST = 10000,     /* no value is greater */
};

/* With the sanitizers' checks of every number these loops would take most of the time of a search.
 * Their callers are checked, and tests/test_net.c compares what comes out. */
#define NET_LOOP __attribute__((no_sanitize("address", "undefined"))) static inline

struct net {
    const int16_t *first; /* a row of `hidden` for each input, then what the sums begin with */
    const int16_t *last;  /* 2 * hidden for each bucket */
    const int32_t *bias;  /* of each bucket */
    int32_t scale;        /* hundredths for an output of 1 */
};

NET_LOOP void net_copy(int16_t *sums, const int16_t *row, int hidden)
{
    for (int i = 0; i < hidden; i++) {
        sums[i] = row[i];
    }
}

NET_LOOP void net_add(int16_t *sums, const int16_t *row, int hidden)
{
    for (int i = 0; i < hidden; i++) {
        sums[i] = (int16_t)(sums[i] + row[i]);
    }
}

NET_LOOP void net_subtract(int16_t *sums, const int16_t *row, int hidden)
{
    for (int i = 0; i < hidden; i++) {
        sums[i] = (int16_t)(sums[i] - row[i]);
    }
}

NET_LOOP void net_exchange(int16_t *sums, const int16_t *out, const int16_t *in, int hidden)
{
    for (int i = 0; i < hidden; i++) {
        sums[i] = (int16_t)(sums[i] - out[i] + in[i]);
    }
}

NET_LOOP int32_t net_weigh(const int16_t *sums, const int16_t *weights, int hidden)
{
    int32_t total = 0;
    for (int i = 0; i < hidden; i++) {
        int16_t above = sums[i] > 0 ? sums[i] : 0;
        int16_t clipped = above < NET_ONE ? above : NET_ONE;
        int16_t square = (int16_t)((uint16_t)(clipped * clipped) >> NET_SQUARE_SHIFT);
        total += square * weights[i];
    }
    return total;
}

/* In hundredths, for the side whose sums are `own`. */
static inline int net_value(const struct net *net, int bucket, const int16_t *own,
                            const int16_t *other, int hidden)
{
    const int16_t *last = net->last + 2 * hidden * bucket;
    int64_t total = (int64_t)net->bias[bucket] + net_weigh(own, last, hidden) +
                    net_weigh(other, last + hidden, hidden);
    int64_t value = total * net->scale / (NET_ONE * NET_ONE * (NET_LAST_ONE >> NET_SQUARE_SHIFT));
    return value > NET_MOST ? NET_MOST : value < -NET_MOST ? -NET_MOST : (int)value;
}

#endif
