#include "web/rate.h"

#include "base/clock.h"
#include "base/hash.h"

enum { WAYS = 4 };

static struct rate_slot *find_slot(struct rate *rate, uint64_t who)
{
    struct rate_slot *first = &rate->slots[hash_word(who) % (RATE_SLOTS / WAYS) * WAYS];
    struct rate_slot *oldest = first;
    for (int i = 0; i < WAYS; i++) {
        if (first[i].who == who && first[i].seen_ns) {
            return &first[i];
        }
        if (first[i].seen_ns < oldest->seen_ns) {
            oldest = &first[i];
        }
    }
    *oldest = (struct rate_slot){.who = who};
    return oldest;
}

bool rate_take(struct rate *rate, uint64_t who, int64_t now_ns)
{
    struct rate_slot *slot = find_slot(rate, who);
    double away_s = (double)(now_ns - slot->seen_ns) / (double)CLOCK_NS_PER_S;
    const double most = (double)RATE_BRIM;
    slot->purse += slot->seen_ns ? away_s * (double)RATE_PER_S : most;
    slot->purse = slot->purse < most ? slot->purse : most;
    slot->seen_ns = now_ns;
    if (slot->purse < 1) {
        return false;
    }
    slot->purse -= 1;
    return true;
}
