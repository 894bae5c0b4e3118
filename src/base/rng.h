/* rng: reproducible random numbers (xoshiro256**, Blackman and Vigna, public domain).
 *
 * A generator is a value: copy it to fork a stream. The same seed gives the
 * same numbers on every machine.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
    uint64_t s[4];
};

struct rng rng_make(uint64_t seed);

uint64_t rng_next(struct rng *rng);

/* Uniform in 0 … bound - 1, without bias. `bound` must not be 0. */
uint64_t rng_below(struct rng *rng, uint64_t bound);

#endif
