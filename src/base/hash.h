/* hash: fast, well mixed 64-bit hashes of a few words.
 *
 * The mixing step is the folded 128-bit product known from wyhash (Wang Yi,
 * public domain); the finaliser is that of splitmix64 (Sebastiano Vigna).
 * Not for secrets: collisions are easy to construct.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_SEED UINT64_C(0x9e3779b97f4a7c15)

/* A bijection on 64-bit words in which every output bit depends on every input bit. */
static inline uint64_t hash_word(uint64_t x)
{
    x += HASH_SEED;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Both halves of the product of a and b, folded into one word. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A hash of two words; (a, b) and (b, a) differ. */
static inline uint64_t hash_pair(uint64_t a, uint64_t b)
{
    return hash_fold(a ^ UINT64_C(0xa0761d6478bd642f), b ^ UINT64_C(0xe7037ed1a0b428db));
}

/* Continues a hash over any number of bytes; their number also counts. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *at = (const unsigned char *)bytes;
    hash = hash_pair(hash, count);
    for (; count > 0; count -= count < 8 ? count : 8, at += 8) {
        uint64_t word = 0;
        memcpy(&word, at, count < 8 ? count : 8);
        hash = hash_pair(hash, word);
    }
    return hash;
}

#endif
