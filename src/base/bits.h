/* bits: the few operations on 64-bit sets that every board needs. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

static inline int bits_count(uint64_t set) { return __builtin_popcountll(set); }

/* Index of the lowest member. The set must not be empty. */
static inline int bits_lowest(uint64_t set) { return __builtin_ctzll(set); }

static inline uint64_t bits_one(int index) { return UINT64_C(1) << index; }

/* Removes the lowest member and returns its index. The set must not be empty. */
static inline int bits_pop(uint64_t *set)
{
    int index = bits_lowest(*set);
    *set &= *set - 1;
    return index;
}

#endif
