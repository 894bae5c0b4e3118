#include "base/rng.h"

#include "base/hash.h"

static uint64_t rotate_left(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

struct rng rng_make(uint64_t seed)
{
    struct rng rng;
    for (int i = 0; i < 4; i++) {
        rng.s[i] = hash_word(seed + (uint64_t)i * HASH_SEED);
    }
    return rng;
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t bound)
{
    /* Values below `threshold` would make the low remainders likelier. */
    uint64_t threshold = (0 - bound) % bound;
    uint64_t x = rng_next(rng);
    while (x < threshold) {
        x = rng_next(rng);
    }
    return x % bound;
}
