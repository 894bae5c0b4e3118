/* board: which squares flip, and where a disc may be placed. The search's view
 * of reversi and othello: two 64-bit sets, the mover's discs and the other's.
 *
 * Each kernel exists twice. With AVX2 the four upward directions share one
 * register and the four downward ones another; GCC's vector extensions without
 * AVX2 turn the same code into something eight times slower, so the baseline has
 * a scalar version of its own. docs/performance.md has the measurements.
 *
 * Long because search and perft want all of it inlined, and each kernel is there twice.
 *
 * The missing corners of reversi need no code here: they are never
 * occupied, so a line stops as at the edge.
 */
#ifndef GAMES_REVERSI_BOARD_H
#define GAMES_REVERSI_BOARD_H

#include <stdint.h>

#include "base/bits.h"

#define BOARD_INNER_COLUMNS UINT64_C(0x7e7e7e7e7e7e7e7e)

/* rays[square][direction]: the squares from `square` (not included) to the edge.
 * Directions 0…3 go up in bit numbers by 1, 8, 7, 9; 4…7 go down by the same.
 * A diagonal is the longest one, cut where it would leave the board, then moved to the square. */
#define BOARD_ROW(s) (UINT64_C(0xff) << ((s)&56))
#define BOARD_FROM(bit) (~UINT64_C(0) << (bit))
#define BOARD_UP_TO(bit) ((UINT64_C(2) << (bit)) - 1)
#define BOARD_RAYS(s)                                                                    \
    {                                                                                    \
        BOARD_ROW(s) & (~UINT64_C(1) << (s)), UINT64_C(0x0101010101010100) << (s),       \
            (UINT64_C(0x0002040810204080) & BOARD_UP_TO(7 * ((s)&7))) << (s),            \
            (UINT64_C(0x8040201008040200) & BOARD_UP_TO(9 * (7 - ((s)&7)))) << (s),      \
            BOARD_ROW(s) & ~BOARD_FROM(s), UINT64_C(0x0080808080808080) >> (63 - (s)),   \
            (UINT64_C(0x0102040810204000) & BOARD_FROM(14 + 7 * ((s)&7))) >> (63 - (s)), \
            (UINT64_C(0x0040201008040201) & BOARD_FROM(63 - 9 * ((s)&7))) >> (63 - (s))  \
    }
#define BOARD_RAYS8(s)                                                            \
    BOARD_RAYS(s), BOARD_RAYS((s) + 1), BOARD_RAYS((s) + 2), BOARD_RAYS((s) + 3), \
        BOARD_RAYS((s) + 4), BOARD_RAYS((s) + 5), BOARD_RAYS((s) + 6), BOARD_RAYS((s) + 7)

static const uint64_t board_rays[64][8] __attribute__((aligned(64))) = {
    BOARD_RAYS8(0),  BOARD_RAYS8(8),  BOARD_RAYS8(16), BOARD_RAYS8(24),
    BOARD_RAYS8(32), BOARD_RAYS8(40), BOARD_RAYS8(48), BOARD_RAYS8(56),
};

#ifdef __AVX2__

typedef uint64_t board_lanes __attribute__((vector_size(32)));
typedef uint64_t board_half __attribute__((vector_size(16)));

static inline uint64_t board_join(board_lanes v)
{
    board_half half = __builtin_shufflevector(v, v, 0, 1) | __builtin_shufflevector(v, v, 2, 3);
    return half[0] | half[1];
}

/* Squares from which a line of the other's discs leads to one of the mover's.
 * May include occupied squares: mask with the empty ones. */
static inline uint64_t board_reach(uint64_t own, uint64_t other)
{
    const board_lanes shift = {1, 8, 7, 9};
    const board_lanes inner = {BOARD_INNER_COLUMNS, ~UINT64_C(0), BOARD_INNER_COLUMNS,
                               BOARD_INNER_COLUMNS};
    const board_lanes mover = {own, own, own, own};
    const board_lanes line = inner & (board_lanes){other, other, other, other};
    board_lanes up = line & (mover << shift);
    board_lanes down = line & (mover >> shift);
    up |= line & (up << shift);
    down |= line & (down >> shift);
    const board_lanes pairs = line & (line << shift);
    const board_lanes pairs_down = pairs >> shift;
    const board_lanes twice = shift + shift;
    up |= pairs & (up << twice);
    down |= pairs_down & (down >> twice);
    up |= pairs & (up << twice);
    down |= pairs_down & (down >> twice);
    return board_join((up << shift) | (down >> shift));
}

/* The other's discs that flip when the mover plays on `square`. */
static inline uint64_t board_flips(uint64_t own, uint64_t other, int square)
{
    const board_lanes *rays = (const board_lanes *)board_rays[square];
    const board_lanes shift = {1, 8, 7, 9};
    const board_lanes ones = {~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0), ~UINT64_C(0)};
    const board_lanes mover = {own, own, own, own};
    const board_lanes line = {other, other, other, other};

    /* Upward: adding one to "not open on this ray" carries to the first open square. */
    const board_lanes up = rays[0];
    const board_lanes closed = line | ~up;
    board_lanes end = (closed - ones) & ~closed & mover;
    board_lanes flips = (board_lanes)(end == 0);
    flips = ~flips & (end + ones) & up;

    /* Downward there is no carry: spread the open squares away from the mover instead. */
    const board_lanes down = rays[1];
    board_lanes open = down & ~line;
    board_lanes behind = open | (open >> shift);
    const board_lanes twice = shift + shift;
    behind |= behind >> twice;
    behind |= behind >> (twice + twice);
    const board_lanes run = down & ~behind;
    const uint64_t bit = bits_one(square);
    const board_lanes from = {bit, bit, bit, bit};
    end = ((run | from) >> shift) & open & mover;
    flips |= ~(board_lanes)(end == 0) & run;
    return board_join(flips);
}

#else

static inline uint64_t board_reach_along(uint64_t own, uint64_t line, int shift)
{
    uint64_t up = line & (own << shift);
    uint64_t down = line & (own >> shift);
    up |= line & (up << shift);
    down |= line & (down >> shift);
    uint64_t pairs = line & (line << shift);
    uint64_t pairs_down = pairs >> shift;
    up |= pairs & (up << 2 * shift);
    down |= pairs_down & (down >> 2 * shift);
    up |= pairs & (up << 2 * shift);
    down |= pairs_down & (down >> 2 * shift);
    return (up << shift) | (down >> shift);
}

/* Squares from which a line of the other's discs leads to one of the mover's.
 * May include occupied squares: mask with the empty ones. */
static inline uint64_t board_reach(uint64_t own, uint64_t other)
{
    uint64_t inner = other & BOARD_INNER_COLUMNS;
    return board_reach_along(own, inner, 1) | board_reach_along(own, other, 8) |
           board_reach_along(own, inner, 7) | board_reach_along(own, inner, 9);
}

static inline uint64_t board_flips_up(uint64_t own, uint64_t other, uint64_t ray)
{
    uint64_t closed = other | ~ray;
    uint64_t end = (closed + 1) & ~closed & own;
    return end ? (end - 1) & ray : 0;
}

static inline uint64_t board_flips_down(uint64_t own, uint64_t other, uint64_t ray)
{
    uint64_t open = (ray & ~other) | 1;
    uint64_t end = UINT64_C(1) << (63 - __builtin_clzll(open));
    return end & own & ray ? ray & (0 - (end << 1)) : 0;
}

/* The other's discs that flip when the mover plays on `square`. */
static inline uint64_t board_flips(uint64_t own, uint64_t other, int square)
{
    const uint64_t *rays = board_rays[square];
    uint64_t flips = 0;
    for (int i = 0; i < 4; i++) {
        flips |= board_flips_up(own, other, rays[i]) | board_flips_down(own, other, rays[4 + i]);
    }
    return flips;
}

#endif

#endif
