/* board: what one hop turn can lead to. The search's view of hop: two 64-bit
 * sets, the mover's men and the enemy's.
 *
 * A hop changes row or column by two, so a man stays on the 4 × 4 lattice of
 * squares of its own parity, and what it hops over is never on that lattice.
 * The search therefore runs over sets of captured men, and for each such set
 * keeps all squares that the man can reach as one bitboard: hops over own men
 * cost nothing and are closed over in parallel, a hop over an enemy man leads to
 * a larger captured set. Captured sets are visited in order of their size, so
 * each is complete before it is expanded.
 *
 * `hop-noloop` forbids a square twice within a move. Without captures that changes
 * nothing (a walk can be cut short to a path); with captures a man may have to
 * cross its own track, so there every path is walked, one by one.
 *
 * Long because search and perft want all of it inlined.
 *
 * How many results can a position have? Take one man. Contract the lattice
 * squares it can reach (k of them) along hops over own men into n groups; the e
 * enemy men it can hop are edges between groups. A result is a group's square
 * plus the set of edges used; which sets end in a given group is fixed by
 * parity, so there are at most 2^(e-n+1) of them, hence at most k·2^(e-n+1)
 * results. The k squares have at most 2k-⌈2√k⌉ lattice edges among them (Harary
 * and Harborth 1976), at least k-n of these are own men, of which there are eight
 * at most. Maximised over k, n and over how the nine men and nine enemies are
 * split between squares of both colours (a man hops only over the other colour),
 * with four steps for each man: 1116. tests/test_hop_bound.c redoes the maximum.
 */
#ifndef GAMES_HOP_BOARD_H
#define GAMES_HOP_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"

enum {
    HOP_MAX_MOVES = 1116,
    HOP_MAX_CAPTURE_SETS = 512, /* subsets of nine enemy men */
};

/* A move of the search: `captured` has bit i set when the i-th enemy man, counted
 * from square 00, is taken. */
struct hop_move {
    uint8_t from;
    uint8_t to;
    uint16_t captured;
};

/* Where one man can be, for each captured set. */
struct hop_reach {
    int count;
    struct {
        uint64_t captured;
        uint64_t squares;
    } sets[HOP_MAX_CAPTURE_SETS];
};

#define HOP_NOT_LAST_COLUMN UINT64_C(0x7f7f7f7f7f7f7f7f)
#define HOP_NOT_FIRST_COLUMN UINT64_C(0xfefefefefefefefe)
#define HOP_COLUMNS_0_TO_5 UINT64_C(0x3f3f3f3f3f3f3f3f)
#define HOP_COLUMNS_2_TO_7 UINT64_C(0xfcfcfcfcfcfcfcfc)

/* The board with its columns reversed. */
static inline uint64_t hop_mirrored(uint64_t men)
{
    men = (men >> 1 & UINT64_C(0x5555555555555555)) | (men & UINT64_C(0x5555555555555555)) << 1;
    men = (men >> 2 & UINT64_C(0x3333333333333333)) | (men & UINT64_C(0x3333333333333333)) << 2;
    return (men >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (men & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

/* Squares reached from `men` by one hop over a member of `over` into `empty`. */
static inline uint64_t hop_once(uint64_t men, uint64_t over, uint64_t empty)
{
    uint64_t right = ((men & HOP_COLUMNS_0_TO_5) << 1 & over) << 1;
    uint64_t left = ((men & HOP_COLUMNS_2_TO_7) >> 1 & over) >> 1;
    uint64_t down = (men << 8 & over) << 8;
    uint64_t up = (men >> 8 & over) >> 8;
    return (right | left | down | up) & empty;
}

/* Men that can make at least one hop. */
static inline uint64_t hop_starters(uint64_t men, uint64_t over, uint64_t empty)
{
    uint64_t right = ((empty & HOP_COLUMNS_2_TO_7) >> 1 & over) >> 1;
    uint64_t left = ((empty & HOP_COLUMNS_0_TO_5) << 1 & over) << 1;
    uint64_t down = (empty >> 8 & over) >> 8;
    uint64_t up = (empty << 8 & over) << 8;
    return (right | left | down | up) & men;
}

static inline uint64_t hop_close(uint64_t squares, uint64_t own, uint64_t empty)
{
    uint64_t before = 0;
    while (squares != before) {
        before = squares;
        squares |= hop_once(squares, own, empty);
    }
    return squares;
}

/* Adds `squares` to the entry for `captured`, searching from entry `first` on. */
static inline void hop_reach_add(struct hop_reach *reach, int first, uint64_t captured,
                                 uint64_t squares)
{
    int i = first;
    while (i < reach->count && reach->sets[i].captured != captured) {
        i++;
    }
    if (i == reach->count) {
        reach->sets[reach->count].captured = captured;
        reach->sets[reach->count].squares = 0;
        reach->count++;
    }
    reach->sets[i].squares |= squares;
}

/* Adds `landings`, each reached by a hop over the enemy man `shift` squares before it. */
static inline void hop_reach_capture(struct hop_reach *reach, int first, uint64_t captured,
                                     uint64_t landings, int shift)
{
    while (landings) {
        uint64_t landing = landings & (0 - landings);
        uint64_t taken = shift > 0 ? landing >> shift : landing << -shift;
        hop_reach_add(reach, first, captured | taken, landing);
        landings ^= landing;
    }
}

static inline void hop_reach_captures(struct hop_reach *reach, int entry, uint64_t enemy,
                                      uint64_t empty)
{
    uint64_t captured = reach->sets[entry].captured;
    uint64_t squares = reach->sets[entry].squares;
    uint64_t right = ((squares & HOP_COLUMNS_0_TO_5) << 1 & enemy) << 1 & empty;
    uint64_t left = ((squares & HOP_COLUMNS_2_TO_7) >> 1 & enemy) >> 1 & empty;
    uint64_t down = (squares << 8 & enemy) << 8 & empty;
    uint64_t up = (squares >> 8 & enemy) >> 8 & empty;
    hop_reach_capture(reach, entry + 1, captured, right, 1);
    hop_reach_capture(reach, entry + 1, captured, left, -1);
    hop_reach_capture(reach, entry + 1, captured, down, 8);
    hop_reach_capture(reach, entry + 1, captured, up, -8);
}

/* Loops allowed. Entry 0 is the empty captured set; it includes the start. */
static inline void hop_reach_loops(struct hop_reach *reach, uint64_t own, uint64_t enemy, int from)
{
    own ^= bits_one(from);
    uint64_t empty = ~(own | enemy);
    reach->count = 1;
    reach->sets[0].captured = 0;
    reach->sets[0].squares = bits_one(from);
    for (int i = 0; i < reach->count; i++) {
        uint64_t captured = reach->sets[i].captured;
        reach->sets[i].squares = hop_close(reach->sets[i].squares, own, empty | captured);
        hop_reach_captures(reach, i, enemy & ~captured, empty | captured);
    }
}

/* Walks every path that continues from `square` without visiting a square twice. */
static inline void hop_walk_paths(struct hop_reach *reach, uint64_t own, uint64_t enemy,
                                  uint64_t square, uint64_t visited, uint64_t captured)
{
    static const int8_t shifts[4] = {1, -1, 8, -8};
    const uint64_t room[4] = {HOP_COLUMNS_0_TO_5, HOP_COLUMNS_2_TO_7, ~UINT64_C(0), ~UINT64_C(0)};
    for (int i = 0; i < 4; i++) {
        uint64_t start = square & room[i];
        int shift = shifts[i];
        uint64_t over = shift > 0 ? start << shift : start >> -shift;
        uint64_t landing = shift > 0 ? over << shift : over >> -shift;
        uint64_t blocked = visited | own | (enemy & ~captured);
        if (!(over & (own | (enemy & ~captured))) || !(landing & ~blocked)) {
            continue;
        }
        uint64_t taken = captured | (over & enemy);
        hop_reach_add(reach, 0, taken, landing);
        hop_walk_paths(reach, own, enemy, landing, visited | landing, taken);
    }
}

/* No square twice. Entry 0 is the empty captured set; it includes the start. */
static inline void hop_reach_noloop(struct hop_reach *reach, uint64_t own, uint64_t enemy, int from)
{
    uint64_t start = bits_one(from);
    own ^= start;
    uint64_t empty = ~(own | enemy);
    uint64_t quiet = hop_close(start, own, empty);
    reach->count = 1;
    reach->sets[0].captured = 0;
    reach->sets[0].squares = quiet;
    if (hop_once(quiet, enemy, empty)) {
        hop_walk_paths(reach, own, enemy, start, start, 0);
    }
}

static inline void hop_reach_from(struct hop_reach *reach, bool allow_loops, uint64_t own,
                                  uint64_t enemy, int from)
{
    if (allow_loops) {
        hop_reach_loops(reach, own, enemy, from);
    } else {
        hop_reach_noloop(reach, own, enemy, from);
    }
}

/* Squares next to `men` in each direction, if empty: right, left, down, up. */
static inline void hop_steps(uint64_t men, uint64_t empty, uint64_t steps[4])
{
    steps[0] = (men & HOP_NOT_LAST_COLUMN) << 1 & empty;
    steps[1] = (men & HOP_NOT_FIRST_COLUMN) >> 1 & empty;
    steps[2] = men << 8 & empty;
    steps[3] = men >> 8 & empty;
}

/* Captured sets with which a man returned to its start: two men doing so leave
 * the same board, so such a result counts once. */
struct hop_returns {
    int count;
    uint64_t captured[HOP_MAX_CAPTURE_SETS];
};

/* True when this set is new; it is then remembered. */
static inline bool hop_returns_add(struct hop_returns *returns, uint64_t captured)
{
    for (int i = 0; i < returns->count; i++) {
        if (returns->captured[i] == captured) {
            return false;
        }
    }
    returns->captured[returns->count++] = captured;
    return true;
}

/* Whether a man can hop over one of its own: then it can also hop back, which is
 * a legal move that leaves the board as it was (loops allowed). */
static inline bool hop_can_return(uint64_t own, uint64_t empty)
{
    return hop_starters(own, own, empty) != 0;
}

/* The number of distinct results, passes not counted. */
static inline int hop_count(bool allow_loops, uint64_t own, uint64_t enemy)
{
    uint64_t empty = ~(own | enemy);
    uint64_t steps[4];
    hop_steps(own, empty, steps);
    int count =
        bits_count(steps[0]) + bits_count(steps[1]) + bits_count(steps[2]) + bits_count(steps[3]);
    uint64_t starters = hop_starters(own, own | enemy, empty);
    if (!starters) {
        return count;
    }
    count += allow_loops && hop_can_return(own, empty);
    struct hop_returns returns;
    struct hop_reach reach;
    returns.count = 0;
    do {
        int from = bits_pop(&starters);
        hop_reach_from(&reach, allow_loops, own, enemy, from);
        count += bits_count(reach.sets[0].squares) - 1;
        for (int i = 1; i < reach.count; i++) {
            count += bits_count(reach.sets[i].squares);
            if (reach.sets[i].squares >> from & 1 &&
                !hop_returns_add(&returns, reach.sets[i].captured)) {
                count--;
            }
        }
    } while (starters);
    return count;
}

/* The set of men meant by hop_move.captured. */
static inline uint64_t hop_expand(uint64_t enemy, unsigned captured)
{
    uint64_t set = 0;
    for (; captured; captured >>= 1, enemy &= enemy - 1) {
        if (captured & 1) {
            set |= enemy & (0 - enemy);
        }
    }
    return set;
}

static inline uint16_t hop_compress(uint64_t enemy, uint64_t set)
{
    unsigned captured = 0;
    while (set) {
        int square = bits_pop(&set);
        captured |= 1u << bits_count(enemy & (bits_one(square) - 1));
    }
    return (uint16_t)captured;
}

/* Every distinct result once, in no particular order; `out` has room for
 * HOP_MAX_MOVES. Passes are left to the caller. */
static inline int hop_generate(bool allow_loops, uint64_t own, uint64_t enemy, struct hop_move *out)
{
    static const int8_t shifts[4] = {1, -1, 8, -8};
    uint64_t empty = ~(own | enemy);
    uint64_t steps[4];
    int count = 0;
    hop_steps(own, empty, steps);
    for (int i = 0; i < 4; i++) {
        while (steps[i]) {
            int to = bits_pop(&steps[i]);
            out[count++] = (struct hop_move){(uint8_t)(to - shifts[i]), (uint8_t)to, 0};
        }
    }
    uint64_t starters = hop_starters(own, own | enemy, empty);
    if (!starters) {
        return count;
    }
    if (allow_loops && hop_can_return(own, empty)) {
        int from = bits_lowest(hop_starters(own, own, empty));
        out[count++] = (struct hop_move){(uint8_t)from, (uint8_t)from, 0};
    }
    struct hop_returns returns;
    struct hop_reach reach;
    returns.count = 0;
    do {
        int from = bits_pop(&starters);
        hop_reach_from(&reach, allow_loops, own, enemy, from);
        reach.sets[0].squares ^= bits_one(from);
        for (int i = 0; i < reach.count; i++) {
            uint64_t set = reach.sets[i].captured;
            uint64_t squares = reach.sets[i].squares;
            if (squares >> from & 1 && !hop_returns_add(&returns, set)) {
                squares ^= bits_one(from);
            }
            uint16_t captured = set ? hop_compress(enemy, set) : 0;
            while (squares) {
                out[count++] =
                    (struct hop_move){(uint8_t)from, (uint8_t)bits_pop(&squares), captured};
            }
        }
    } while (starters);
    return count;
}

#endif
