#include "games/hop/eval.h"

#include "base/bits.h"

enum { HIDDEN = HOP_NET_HIDDEN, TIMES_AT = 2 * HOP_SQUARES };

static inline const int16_t *row(int input) { return net_hop.first + input * HIDDEN; }

/* A man of side `owner` on `square`, as `side` sees it. */
static inline const int16_t *man(int side, int owner, int square)
{
    int seen = side == SIDE_BLACK ? square : square ^ 7;
    return row((side == owner ? 0 : HOP_SQUARES) + seen);
}

static int time_of(const struct hop_state *s)
{
    static const int16_t ends[HOP_NET_TIMES - 1] = {9, 19, 39, 69, 109, 179, 279};
    int plies_left = HOP_PLY_LIMIT - (int)s->plies;
    int time = 0;
    while (time < HOP_NET_TIMES - 1 && plies_left > ends[time]) {
        time++;
    }
    return time;
}

void hop_sums_make(const struct hop_state *s, struct hop_sums *out)
{
    struct hop_state empty = {.plies = s->plies};
    for (int side = 0; side < 2; side++) {
        net_copy(out->of[side], row(HOP_NET_INPUTS), HIDDEN);
        net_add(out->of[side], row(TIMES_AT + time_of(s)), HIDDEN);
    }
    hop_sums_follow(&empty, s, out);
}

static inline void follow_men(uint64_t before, uint64_t after, int owner, struct hop_sums *sums)
{
    uint64_t gone = before & ~after;
    uint64_t come = after & ~before;
    while (gone && come) {
        int from = bits_pop(&gone);
        int to = bits_pop(&come);
        net_exchange(sums->of[0], man(0, owner, from), man(0, owner, to), HIDDEN);
        net_exchange(sums->of[1], man(1, owner, from), man(1, owner, to), HIDDEN);
    }
    while (gone) {
        int square = bits_pop(&gone);
        net_subtract(sums->of[0], man(0, owner, square), HIDDEN);
        net_subtract(sums->of[1], man(1, owner, square), HIDDEN);
    }
    while (come) {
        int square = bits_pop(&come);
        net_add(sums->of[0], man(0, owner, square), HIDDEN);
        net_add(sums->of[1], man(1, owner, square), HIDDEN);
    }
}

void hop_sums_follow(const struct hop_state *before, const struct hop_state *after,
                     struct hop_sums *sums)
{
    int time_before = time_of(before);
    int time_after = time_of(after);
    follow_men(before->men[0], after->men[0], 0, sums);
    follow_men(before->men[1], after->men[1], 1, sums);
    for (int side = 0; side < 2 && time_before != time_after; side++) {
        net_exchange(sums->of[side], row(TIMES_AT + time_before), row(TIMES_AT + time_after),
                     HIDDEN);
    }
}

int hop_evaluate(const struct hop_state *s, const struct hop_sums *sums)
{
    int side = (int)(s->plies & 1);
    int men = bits_count(s->men[0] | s->men[1]);
    int bucket = (men > 2 ? men - 2 : 0) * HOP_NET_BUCKETS / (2 * HOP_MAX_MEN - 1);
    return net_value(&net_hop, bucket, sums->of[side], sums->of[side ^ 1], HIDDEN);
}
