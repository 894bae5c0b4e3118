/* rate: how much one address may ask for.
 *
 * Everybody has a purse that fills at a steady rate up to a brim; a question that finds it
 * empty is refused; pages lie ready and are free. A class of students behind one address shares a
 * purse, so it is a big one. Memory is fixed: a newcomer takes the slot of whoever was away longest
 * among a few.
 */
#ifndef WEB_RATE_H
#define WEB_RATE_H

#include <stdbool.h>
#include <stdint.h>

enum { RATE_SLOTS = 1024, RATE_PER_S = 400, RATE_BRIM = 4000 };

struct rate_slot {
    uint64_t who;
    int64_t seen_ns;
    double purse;
};

/* A zeroed struct knows nobody. */
struct rate {
    struct rate_slot slots[RATE_SLOTS];
};

/* Takes 1 from the purse of `who`; false: it is empty. */
bool rate_take(struct rate *rate, uint64_t who, int64_t now_ns);

#endif
