/* intrin.h: the bit operations of Microsoft's compiler. */
#ifndef COMPAT_INTRIN_H
#define COMPAT_INTRIN_H

#include <stdint.h>
#if defined __x86_64__ || defined __i386__
#include <x86intrin.h>
#endif

#define __popcnt(word) ((unsigned)__builtin_popcount(word))
#define __popcnt64(word) ((unsigned long long)__builtin_popcountll(word))
#define __popcnt16(word) ((unsigned short)__builtin_popcount((uint16_t)(word)))
#define __lzcnt(word) ((word) ? (unsigned)__builtin_clz(word) : 32u)
#define __lzcnt64(word) ((word) ? (unsigned long long)__builtin_clzll(word) : 64ull)
#define _byteswap_uint64(word) __builtin_bswap64(word)
#define _byteswap_ushort(word) __builtin_bswap16(word)
#define _byteswap_ulong(word) __builtin_bswap32(word)

static inline uint64_t _rotl64(uint64_t word, int by)
{
    return word << (by & 63) | word >> (-by & 63);
}
static inline uint64_t _rotr64(uint64_t word, int by) { return _rotl64(word, -by); }

#define COMPAT_BIT_SCAN(name, word_type, found)                                     \
    static inline unsigned char name##_(void *index, unsigned size, word_type word) \
    {                                                                               \
        unsigned long place = word ? (unsigned long)(found) : 0;                    \
        __builtin_memcpy(index, &place, size);                                      \
        return word != 0;                                                           \
    }

/* The index is an unsigned long, which has 32 bits on Windows: programs pass either size. */
COMPAT_BIT_SCAN(_BitScanForward, uint32_t, __builtin_ctz(word))
COMPAT_BIT_SCAN(_BitScanReverse, uint32_t, 31 - __builtin_clz(word))
COMPAT_BIT_SCAN(_BitScanForward64, uint64_t, __builtin_ctzll(word))
COMPAT_BIT_SCAN(_BitScanReverse64, uint64_t, 63 - __builtin_clzll(word))
#undef COMPAT_BIT_SCAN

#define _BitScanForward(index, word) _BitScanForward_((index), sizeof *(index), (word))
#define _BitScanReverse(index, word) _BitScanReverse_((index), sizeof *(index), (word))
#define _BitScanForward64(index, word) _BitScanForward64_((index), sizeof *(index), (word))
#define _BitScanReverse64(index, word) _BitScanReverse64_((index), sizeof *(index), (word))

#endif
