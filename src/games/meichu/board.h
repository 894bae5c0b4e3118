/* board: where soldiers can go, and what a move does. The search's view of MeiChu.
 *
 * Long because search and perft want all of it inlined.
 *
 * Above the dearest possible move the budget decides nothing, and a line's
 * destinations are a mask; below it every move is priced one by one.
 */
#ifndef GAMES_MEICHU_BOARD_H
#define GAMES_MEICHU_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "games/meichu/state.h"

enum {
    MEICHU_BARRIER_PRICE = 3, /* on top, or back for an own one */
    MEICHU_DEAREST = 1 + (MEICHU_LINE - 1) + MEICHU_BARRIER_PRICE, /* the dearest possible move */
};

struct meichu_move {
    uint8_t from;
    uint8_t to;
};

#define MEICHU_DIVIDE_ROW(r) r, r, r, r, r, r, r, r, r
#define MEICHU_COUNT_ROW 0, 1, 2, 3, 4, 5, 6, 7, 8
static const uint8_t meichu_row[MEICHU_SQUARES] = {
    MEICHU_DIVIDE_ROW(0), MEICHU_DIVIDE_ROW(1), MEICHU_DIVIDE_ROW(2),
    MEICHU_DIVIDE_ROW(3), MEICHU_DIVIDE_ROW(4), MEICHU_DIVIDE_ROW(5),
    MEICHU_DIVIDE_ROW(6), MEICHU_DIVIDE_ROW(7), MEICHU_DIVIDE_ROW(8),
};
static const uint8_t meichu_column[MEICHU_SQUARES] = {
    MEICHU_COUNT_ROW, MEICHU_COUNT_ROW, MEICHU_COUNT_ROW, MEICHU_COUNT_ROW, MEICHU_COUNT_ROW,
    MEICHU_COUNT_ROW, MEICHU_COUNT_ROW, MEICHU_COUNT_ROW, MEICHU_COUNT_ROW,
};

/* On a line with these squares occupied: what a piece on `at` reaches both ways,
 * the first occupied square included. */
static inline unsigned meichu_slide(unsigned occupied, unsigned at)
{
    unsigned below = (1u << at) - 1;
    unsigned above = 0x1ffu & ~below & ~(1u << at);
    unsigned up = (occupied & above) | 0x200u;
    unsigned down = (occupied & below) | 1u;
    unsigned nearest_below = 31u - (unsigned)__builtin_clz(down);
    return ((up ^ (up - 1)) & above) | (below & (~0u << nearest_below));
}

/* Destinations in the soldier's row and column, money aside, as 9-bit lines. */
static inline unsigned meichu_row_reach(const struct meichu_state *s, int side, int square)
{
    unsigned row = meichu_row[square];
    return meichu_slide(s->occupied_rows[row], meichu_column[square]) &
           ~(unsigned)s->solid_rows[side][row];
}

static inline unsigned meichu_column_reach(const struct meichu_state *s, int side, int square)
{
    unsigned column = meichu_column[square];
    return meichu_slide(s->occupied_columns[column], meichu_row[square]) &
           ~(unsigned)s->solid_columns[side][column];
}

static inline int meichu_distance(int from, int to)
{
    int rows = meichu_row[from] - meichu_row[to];
    int columns = meichu_column[from] - meichu_column[to];
    return (rows < 0 ? -rows : rows) + (columns < 0 ? -columns : columns);
}

/* -3 for an own barrier, 3 for an enemy's, 0 otherwise. */
static inline int meichu_surcharge(const struct meichu_state *s, int side, int to)
{
    unsigned row = meichu_row[to];
    unsigned bit = 1u << meichu_column[to];
    unsigned barriers =
        s->occupied_rows[row] & ~((unsigned)s->solid_rows[0][row] | s->solid_rows[1][row]);
    if (!(barriers & bit)) {
        return 0;
    }
    bool is_black = s->black_barrier_rows[row] & bit;
    return is_black == (side == SIDE_BLACK) ? -MEICHU_BARRIER_PRICE : MEICHU_BARRIER_PRICE;
}

/* Whether `budget` covers the distance first and the whole price then. */
static inline bool meichu_affords(const struct meichu_state *s, int side, int from, int to)
{
    int price = 1 + meichu_distance(from, to);
    int surcharge = meichu_surcharge(s, side, to);
    return s->budget[side] >= price + (surcharge > 0 ? surcharge : 0);
}

/* Every legal move of `side`, in no particular order, without passes. The game must not be over. */
static inline int meichu_generate(const struct meichu_state *s, int side, struct meichu_move *out)
{
    int count = 0;
    bool is_rich = s->budget[side] >= MEICHU_DEAREST;
    for (int i = 0; i < s->soldier_count[side]; i++) {
        uint8_t from = s->soldiers[side][i];
        unsigned row_start = meichu_row[from] * (unsigned)MEICHU_LINE;
        unsigned column = meichu_column[from];
        uint64_t along_row = meichu_row_reach(s, side, from);
        uint64_t along_column = meichu_column_reach(s, side, from);
        while (along_row) {
            out[count] =
                (struct meichu_move){from, (uint8_t)(row_start + (unsigned)bits_pop(&along_row))};
            count += is_rich || meichu_affords(s, side, from, out[count].to);
        }
        while (along_column) {
            int row = bits_pop(&along_column);
            out[count] =
                (struct meichu_move){from, (uint8_t)((unsigned)(row * MEICHU_LINE) + column)};
            count += is_rich || meichu_affords(s, side, from, out[count].to);
        }
    }
    return count;
}

/* The number of moves meichu_generate would write. */
static inline int meichu_count(const struct meichu_state *s, int side)
{
    if (s->budget[side] < MEICHU_DEAREST) {
        struct meichu_move moves[MEICHU_MAX_MOVES];
        return meichu_generate(s, side, moves);
    }
    int count = 0;
    for (int i = 0; i < s->soldier_count[side]; i++) {
        int from = s->soldiers[side][i];
        count += bits_count((uint64_t)meichu_row_reach(s, side, from) << 16 |
                            meichu_column_reach(s, side, from));
    }
    return count;
}

/* By side. */
static inline void meichu_count_barriers(const struct meichu_state *s, int barriers[2])
{
    barriers[0] = barriers[1] = 0;
    for (int row = 0; row < MEICHU_LINE; row++) {
        unsigned solid = (unsigned)s->solid_rows[0][row] | s->solid_rows[1][row];
        unsigned black = s->black_barrier_rows[row];
        barriers[SIDE_BLACK] += __builtin_popcount(black);
        barriers[SIDE_WHITE] += __builtin_popcount(s->occupied_rows[row] & ~solid & ~black);
    }
}

/* A flag is gone or a side has no soldier. (The game is also over when neither side can move.) */
static inline bool meichu_is_decided(const struct meichu_state *s)
{
    return s->flag[0] == MEICHU_NO_FLAG || s->flag[1] == MEICHU_NO_FLAG || !s->soldier_count[0] ||
           !s->soldier_count[1];
}

/* Plays a legal move for the side to move. */
static inline void meichu_play(struct meichu_state *s, struct meichu_move move)
{
    int side = s->to_move;
    int enemy = side ^ 1;
    unsigned from_row = meichu_row[move.from];
    unsigned from_column = meichu_column[move.from];
    unsigned row = meichu_row[move.to];
    unsigned column = meichu_column[move.to];
    uint16_t row_bit = (uint16_t)(1u << column);
    uint16_t column_bit = (uint16_t)(1u << row);
    uint16_t from_row_bit = (uint16_t)(1u << from_column);
    uint16_t from_column_bit = (uint16_t)(1u << from_row);

    s->budget[side] = (int16_t)(s->budget[side] - 1 - meichu_distance(move.from, move.to));
    if (s->occupied_rows[row] & row_bit) {
        if (s->solid_rows[enemy][row] & row_bit) {
            s->solid_rows[enemy][row] ^= row_bit;
            s->solid_columns[enemy][column] ^= column_bit;
            if (s->flag[enemy] == move.to) {
                s->flag[enemy] = MEICHU_NO_FLAG;
            } else {
                int i = 0;
                while (s->soldiers[enemy][i] != move.to) {
                    i++;
                }
                s->soldiers[enemy][i] = s->soldiers[enemy][--s->soldier_count[enemy]];
            }
        } else {
            s->budget[side] = (int16_t)(s->budget[side] - meichu_surcharge(s, side, move.to));
            s->black_barrier_rows[row] &= (uint16_t)~row_bit;
        }
    }
    s->occupied_rows[from_row] ^= from_row_bit;
    s->occupied_columns[from_column] ^= from_column_bit;
    s->solid_rows[side][from_row] ^= from_row_bit;
    s->solid_columns[side][from_column] ^= from_column_bit;
    s->occupied_rows[row] |= row_bit;
    s->occupied_columns[column] |= column_bit;
    s->solid_rows[side][row] |= row_bit;
    s->solid_columns[side][column] |= column_bit;
    int i = 0;
    while (s->soldiers[side][i] != move.from) {
        i++;
    }
    s->soldiers[side][i] = move.to;
    s->to_move = (uint8_t)enemy;
}

#endif
