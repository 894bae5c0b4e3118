/* eval_pattern: what the evaluation of reversi and othello looks at.
 *
 * A shape is up to ten squares; their contents, from the mover's point of view, are a
 * number in base three, and each number has a weight (Buro, "Experiments with Multi-ProbCut
 * and a new high-quality evaluation function for Othello", 1997). A shape is looked at in all
 * places that turning and mirroring the board map it to; the places share their weights.
 * Four more numbers do not describe shapes: how many squares each side can move to, how many
 * squares are empty in the centre and on the border, which quadrants have an odd number of them,
 * and how many discs each side has: in reversi a side without discs can still lose everything or
 * come back.
 *
 * There is a set of weights for every PATTERN_STEP empty squares; between two sets the weights are
 * interpolated.
 *
 * Instead of gathering squares for every place, the whole board is turned: then each place of a
 * shape is the same few shifts on another of the eight boards.
 *
 * The corners of reversi are never occupied. Its shapes there leave them out and take another
 * square instead.
 *
 * Long because it is one list of shapes, which the engine and the fitting tool share inlined.
 */
#ifndef GAMES_REVERSI_EVAL_PATTERN_H
#define GAMES_REVERSI_EVAL_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "games/reversi/board.h"
#include "games/reversi/state.h"

enum pattern_shape {
    PATTERN_EDGE,     /* the edge and squares next to it */
    PATTERN_CORNER25, /* two by five in the corner */
    PATTERN_CORNER33, /* three by three in the corner */
    PATTERN_INNER33,  /* three by three, one square from the corner */
    PATTERN_ROW2,
    PATTERN_ROW3,
    PATTERN_ROW4,
    PATTERN_DIAGONAL8,
    PATTERN_DIAGONAL7,
    PATTERN_DIAGONAL6,
    PATTERN_DIAGONAL5,
    PATTERN_DIAGONAL4,
    PATTERN_SHAPES,
};

enum {
    PATTERN_SHAPE_PLACES = 50,
    PATTERN_PLACES = 54,     /* numbers that describe one position: shapes, then counts */
    PATTERN_STEP = 12,       /* empty squares from one set of weights to the next */
    PATTERN_KNOTS = 6,       /* sets of weights, at 0, PATTERN_STEP, … empty squares */
    PATTERN_UNITS = 16,      /* of a shape's stored weight to a disc */
    PATTERN_COUNT_SCALE = 8, /* stored weights of counts are coarser by this factor */

    PATTERN_MOVES = 32,  /* counts of moves that are distinguished */
    PATTERN_CENTRE = 37, /* counts of empty squares */
    PATTERN_BORDER = 29,
    PATTERN_ODD = 6,    /* ways of quadrants to be odd */
    PATTERN_DISCS = 32, /* counts of discs that are distinguished */
};

/* Where the weights of each shape begin. */
enum {
    PATTERN_AT_EDGE = 0,
    PATTERN_AT_CORNER25 = PATTERN_AT_EDGE + 59049,
    PATTERN_AT_CORNER33 = PATTERN_AT_CORNER25 + 59049,
    PATTERN_AT_INNER33 = PATTERN_AT_CORNER33 + 19683,
    PATTERN_AT_ROW2 = PATTERN_AT_INNER33 + 19683,
    PATTERN_AT_ROW3 = PATTERN_AT_ROW2 + 6561,
    PATTERN_AT_ROW4 = PATTERN_AT_ROW3 + 6561,
    PATTERN_AT_DIAGONAL8 = PATTERN_AT_ROW4 + 6561,
    PATTERN_AT_DIAGONAL7 = PATTERN_AT_DIAGONAL8 + 6561,
    PATTERN_AT_DIAGONAL6 = PATTERN_AT_DIAGONAL7 + 2187,
    PATTERN_AT_DIAGONAL5 = PATTERN_AT_DIAGONAL6 + 729,
    PATTERN_AT_DIAGONAL4 = PATTERN_AT_DIAGONAL5 + 243,
    PATTERN_AT_MOVES = PATTERN_AT_DIAGONAL4 + 81,
    PATTERN_AT_EMPTY = PATTERN_AT_MOVES + PATTERN_MOVES * PATTERN_MOVES,
    PATTERN_AT_ODD = PATTERN_AT_EMPTY + PATTERN_CENTRE * PATTERN_BORDER,
    PATTERN_AT_DISCS = PATTERN_AT_ODD + PATTERN_ODD,
    PATTERN_WEIGHTS = PATTERN_AT_DISCS + PATTERN_DISCS * PATTERN_DISCS, /* of one knot */
};

/* pattern_ternary[b]: the binary digits of b read in base three. T<n>(v): the 2^n numbers with n
 * more digits. */
#define PATTERN_T1(v) (v), (v) + 1
#define PATTERN_T2(v) PATTERN_T1(v), PATTERN_T1((v) + 3)
#define PATTERN_T3(v) PATTERN_T2(v), PATTERN_T2((v) + 9)
#define PATTERN_T4(v) PATTERN_T3(v), PATTERN_T3((v) + 27)
#define PATTERN_T5(v) PATTERN_T4(v), PATTERN_T4((v) + 81)
#define PATTERN_T6(v) PATTERN_T5(v), PATTERN_T5((v) + 243)
#define PATTERN_T7(v) PATTERN_T6(v), PATTERN_T6((v) + 729)
#define PATTERN_T8(v) PATTERN_T7(v), PATTERN_T7((v) + 2187)
#define PATTERN_T9(v) PATTERN_T8(v), PATTERN_T8((v) + 6561)
#define PATTERN_T10(v) PATTERN_T9(v), PATTERN_T9((v) + 19683)
static const uint16_t pattern_ternary[1024] = {PATTERN_T10(0)};

static inline uint64_t pattern_mirror(uint64_t b)
{
    b = (b >> 1 & UINT64_C(0x5555555555555555)) | (b & UINT64_C(0x5555555555555555)) << 1;
    b = (b >> 2 & UINT64_C(0x3333333333333333)) | (b & UINT64_C(0x3333333333333333)) << 2;
    return (b >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (b & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

static inline uint64_t pattern_transpose(uint64_t b)
{
    uint64_t t = (b ^ b >> 7) & UINT64_C(0x00aa00aa00aa00aa);
    b ^= t ^ t << 7;
    t = (b ^ b >> 14) & UINT64_C(0x0000cccc0000cccc);
    b ^= t ^ t << 14;
    t = (b ^ b >> 28) & UINT64_C(0x00000000f0f0f0f0);
    return b ^ t ^ t << 28;
}

/* The eight boards: as it is, upside down, mirrored, both; then the same transposed. */
static inline void pattern_boards(uint64_t b, uint64_t out[8])
{
    uint64_t m = pattern_mirror(b);
    out[0] = b;
    out[1] = __builtin_bswap64(b);
    out[2] = m;
    out[3] = __builtin_bswap64(m);
    for (int i = 0; i < 4; i++) {
        out[4 + i] = pattern_transpose(out[i]);
    }
}

static inline unsigned pattern_diagonal(uint64_t b, uint64_t mask)
{
    return (unsigned)((b & mask) * UINT64_C(0x0101010101010101) >> 56);
}

/* A shape's squares as binary digits, on one of the boards. */
static inline unsigned pattern_bits(enum pattern_shape shape, bool has_corners, uint64_t b)
{
    switch (shape) {
    case PATTERN_EDGE:
        return has_corners ? (unsigned)((b & 0xff) | (b >> 9 & 1) << 8 | (b >> 14 & 1) << 9)
                           : (unsigned)((b >> 1 & 0x3f) | (b >> 9 & 3) << 6 | (b >> 13 & 3) << 8);
    case PATTERN_CORNER25:
        return has_corners ? (unsigned)((b & 0x1f) | (b >> 8 & 0x1f) << 5)
                           : (unsigned)((b >> 1 & 0x1f) | (b >> 8 & 0x1f) << 5);
    case PATTERN_CORNER33:
        return (unsigned)((has_corners ? b & 7 : (b & 6) | (b >> 27 & 1)) | (b >> 8 & 7) << 3 |
                          (b >> 16 & 7) << 6);
    case PATTERN_INNER33:
        return (unsigned)((b >> 9 & 7) | (b >> 17 & 7) << 3 | (b >> 25 & 7) << 6);
    case PATTERN_ROW2:
        return b >> 8 & 0xff;
    case PATTERN_ROW3:
        return b >> 16 & 0xff;
    case PATTERN_ROW4:
        return b >> 24 & 0xff;
    case PATTERN_DIAGONAL8:
        return pattern_diagonal(b, UINT64_C(0x8040201008040201));
    case PATTERN_DIAGONAL7:
        return pattern_diagonal(b, UINT64_C(0x0080402010080402)) >> 1;
    case PATTERN_DIAGONAL6:
        return pattern_diagonal(b, UINT64_C(0x0000804020100804)) >> 2;
    case PATTERN_DIAGONAL5:
        return pattern_diagonal(b, UINT64_C(0x0000008040201008)) >> 3;
    case PATTERN_DIAGONAL4:
        return pattern_diagonal(b, UINT64_C(0x0000000080402010)) >> 4;
    case PATTERN_SHAPES:
        break;
    }
    return 0;
}

/* A number for the quadrants that have an odd number of empty squares: how many they are, where
 * two may be neighbours (2) or not (3). */
static inline unsigned pattern_odd_quadrants(uint64_t empty)
{
    static const uint8_t kinds[16] = {0, 1, 1, 2, 1, 2, 3, 4, 1, 3, 2, 4, 2, 4, 4, 5};
    const uint64_t quadrant = UINT64_C(0x0f0f0f0f);
    return kinds[(bits_count(empty & quadrant) & 1) | (bits_count(empty & quadrant << 4) & 1) << 1 |
                 (bits_count(empty & quadrant << 32) & 1) << 2 |
                 (bits_count(empty & quadrant << 36) & 1) << 3];
}

static inline int pattern_discs(uint64_t discs)
{
    int count = bits_count(discs);
    return count < PATTERN_DISCS ? count : PATTERN_DISCS - 1;
}

/* How many of these squares the mover reaches by a flip, up to the largest count. */
static inline int pattern_moves(uint64_t own, uint64_t other, uint64_t squares)
{
    int count = bits_count(board_reach(own, other) & squares);
    return count < PATTERN_MOVES ? count : PATTERN_MOVES - 1;
}

/* Everything the evaluation looks at: PATTERN_PLACES indexes into the weights of a knot. Without
 * corners (reversi) central squares need no flip, and only border moves count as moves. */
static inline void pattern_indexes(bool has_corners, uint64_t own, uint64_t other,
                                   uint32_t out[PATTERN_PLACES])
{
    static const struct {
        uint8_t shape;
        uint8_t boards[8]; /* which of the eight, up to `count` */
        uint8_t count;
        int at;
    } rows[PATTERN_SHAPES] = {
        {PATTERN_EDGE, {0, 1, 4, 6}, 4, PATTERN_AT_EDGE},
        {PATTERN_CORNER25, {0, 1, 2, 3, 4, 5, 6, 7}, 8, PATTERN_AT_CORNER25},
        {PATTERN_CORNER33, {0, 1, 2, 3}, 4, PATTERN_AT_CORNER33},
        {PATTERN_INNER33, {0, 1, 2, 3}, 4, PATTERN_AT_INNER33},
        {PATTERN_ROW2, {0, 1, 4, 6}, 4, PATTERN_AT_ROW2},
        {PATTERN_ROW3, {0, 1, 4, 6}, 4, PATTERN_AT_ROW3},
        {PATTERN_ROW4, {0, 1, 4, 6}, 4, PATTERN_AT_ROW4},
        {PATTERN_DIAGONAL8, {0, 1}, 2, PATTERN_AT_DIAGONAL8},
        {PATTERN_DIAGONAL7, {0, 1, 2, 3}, 4, PATTERN_AT_DIAGONAL7},
        {PATTERN_DIAGONAL6, {0, 1, 2, 3}, 4, PATTERN_AT_DIAGONAL6},
        {PATTERN_DIAGONAL5, {0, 1, 2, 3}, 4, PATTERN_AT_DIAGONAL5},
        {PATTERN_DIAGONAL4, {0, 1, 2, 3}, 4, PATTERN_AT_DIAGONAL4},
    };
    uint64_t own_boards[8];
    uint64_t other_boards[8];
    int count = 0;
    pattern_boards(own, own_boards);
    pattern_boards(other, other_boards);
#pragma GCC unroll 12
    for (int i = 0; i < PATTERN_SHAPES; i++) {
#pragma GCC unroll 8
        for (int k = 0; k < rows[i].count; k++) {
            int board = rows[i].boards[k];
            enum pattern_shape shape = (enum pattern_shape)rows[i].shape;
            unsigned mine = pattern_bits(shape, has_corners, own_boards[board]);
            unsigned theirs = pattern_bits(shape, has_corners, other_boards[board]);
            out[count++] =
                (uint32_t)(rows[i].at + pattern_ternary[mine] + 2 * pattern_ternary[theirs]);
        }
    }
    uint64_t empty = ~(own | other | (has_corners ? 0 : REVERSI_CORNERS));
    uint64_t counted = has_corners ? empty : empty & ~REVERSI_CENTRE;
    out[count++] =
        (uint32_t)(PATTERN_AT_MOVES + PATTERN_MOVES * pattern_moves(own, other, counted) +
                   pattern_moves(other, own, counted));
    out[count++] =
        (uint32_t)(PATTERN_AT_EMPTY + PATTERN_BORDER * bits_count(empty & REVERSI_CENTRE) +
                   bits_count(empty & ~REVERSI_CENTRE));
    out[count++] = PATTERN_AT_ODD + pattern_odd_quadrants(empty);
    out[count++] =
        (uint32_t)(PATTERN_AT_DISCS + PATTERN_DISCS * pattern_discs(own) + pattern_discs(other));
}

#endif
