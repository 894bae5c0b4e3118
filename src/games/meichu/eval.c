/* What a position of MeiChu is worth: a sum of table entries.
 *
 * The board is seen by the side to move as attacking upwards. Every pair of soldiers, two own
 * ones, an own one and an enemy's, two enemies, has a weight for the two squares they stand
 * on; the flags never move, so this also says how near and how well placed they are. (Pairs of
 * pieces are how Bonanza's fitted tables changed computer shogi; Hoki 2006.) Each soldier and
 * barrier has a weight for its square. A few more tables know what stands between: who aims
 * at a flag through how many pieces, who attacks and protects whom, how far soldiers can go,
 * and what is left of both budgets. The rules do not tell left from right, and mirror images
 * share their weights.
 *
 * All weights were fitted to the results of self-play by tools/lab/fit.c.
 */
#include "games/meichu/eval.h"

#include "games/meichu/board.h"

enum {
    PAIRS = MEICHU_SQUARES * MEICHU_SQUARES,
    PLACES = MEICHU_SQUARES,
    MOST_BLOCKERS = 3,
    AIM_STATES = MOST_BLOCKERS + 2,
    SAFETY_STATES = 16,
    MOST_REACH = 16,
    REACH_STATES = MOST_REACH + 1,
    MOST_COINS = 63,
    COIN_STATES = MOST_COINS + 1,
    MOST_RICHER = 20,
    RICHER_STATES = 2 * MOST_RICHER + 1,
    SOLDIER_STATES = MEICHU_SOLDIERS + 1,
    BARRIER_STATES = MEICHU_BARRIERS + 1,

    OWN_PAIRS = 0,
    MIXED_PAIRS = OWN_PAIRS + PAIRS,
    ENEMY_PAIRS = MIXED_PAIRS + PAIRS,
    OWN_SOLDIERS = ENEMY_PAIRS + PAIRS,
    ENEMY_SOLDIERS = OWN_SOLDIERS + PLACES,
    OWN_BARRIERS = ENEMY_SOLDIERS + PLACES,
    ENEMY_BARRIERS = OWN_BARRIERS + PLACES,
    OWN_AIMS = ENEMY_BARRIERS + PLACES,
    ENEMY_AIMS = OWN_AIMS + AIM_STATES,
    OWN_SAFETY = ENEMY_AIMS + AIM_STATES,
    ENEMY_SAFETY = OWN_SAFETY + SAFETY_STATES,
    OWN_REACH = ENEMY_SAFETY + SAFETY_STATES,
    ENEMY_REACH = OWN_REACH + REACH_STATES,
    OWN_COINS = ENEMY_REACH + REACH_STATES,
    ENEMY_COINS = OWN_COINS + COIN_STATES,
    RICHER = ENEMY_COINS + COIN_STATES,
    SOLDIERS = RICHER + RICHER_STATES,
    BARRIERS = SOLDIERS + SOLDIER_STATES * SOLDIER_STATES,
    END = BARRIERS + BARRIER_STATES * BARRIER_STATES,
};

_Static_assert((int)END == (int)MEICHU_WEIGHTS, "eval.h says how many weights there are");

static const int16_t weights[MEICHU_WEIGHTS] = {
#include "games/meichu/eval_weights.inc.h"
};

/* The square as the side to move sees it, with its own flag at the bottom. */
static inline int seen(int side, int square)
{
    return side == SIDE_BLACK
               ? square
               : (MEICHU_LINE - 1 - meichu_row[square]) * MEICHU_LINE + meichu_column[square];
}

static inline int mirrored(int square)
{
    return square + MEICHU_LINE - 1 - 2 * meichu_column[square];
}

static inline unsigned place(int square)
{
    return (unsigned)(meichu_column[square] > MEICHU_LINE / 2 ? mirrored(square) : square);
}

/* One number for a pair and its mirror image. */
static inline unsigned pair(int a, int b)
{
    int columns = meichu_column[a] + meichu_column[b] - (MEICHU_LINE - 1);
    if (columns > 0 || (columns == 0 && meichu_column[a] > MEICHU_LINE / 2)) {
        a = mirrored(a);
        b = mirrored(b);
    }
    return (unsigned)(a * MEICHU_SQUARES + b);
}

/* … whichever of the two comes first. */
static inline unsigned equal_pair(int a, int b)
{
    unsigned one = pair(a, b);
    unsigned other = pair(b, a);
    return one < other ? one : other;
}

static int between(unsigned line, int a, int b)
{
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    unsigned inside = ((1u << high) - 1) & ~((2u << low) - 1);
    return __builtin_popcount(line & inside);
}

/* Pieces between a soldier and a flag in its row or column; many if in neither. */
static unsigned blockers(const struct meichu_state *s, int soldier, int flag)
{
    int row = meichu_row[flag];
    int column = meichu_column[flag];
    int count = MOST_BLOCKERS + 1;
    if (meichu_row[soldier] == row) {
        count = between(s->occupied_rows[row], meichu_column[soldier], column);
    } else if (meichu_column[soldier] == column) {
        count = between(s->occupied_columns[column], meichu_row[soldier], row);
    }
    return (unsigned)(count > MOST_BLOCKERS ? MOST_BLOCKERS + 1 : count);
}

static inline unsigned up_to(int count, int most)
{
    return (unsigned)(count < most ? count : most);
}

/* What a soldier sees along its lines: who stands at their ends. */
static inline int add_lines(const struct meichu_state *s, int side, int soldier, unsigned safety,
                            unsigned reach, uint16_t *out)
{
    unsigned row = meichu_row[soldier];
    unsigned column = meichu_column[soldier];
    unsigned along_row = meichu_slide(s->occupied_rows[row], column);
    unsigned along_column = meichu_slide(s->occupied_columns[column], row);
    int friends = __builtin_popcount(along_row & s->solid_rows[side][row]) +
                  __builtin_popcount(along_column & s->solid_columns[side][column]);
    int enemies = __builtin_popcount(along_row & s->solid_rows[side ^ 1][row]) +
                  __builtin_popcount(along_column & s->solid_columns[side ^ 1][column]);
    int squares = __builtin_popcount(along_row) + __builtin_popcount(along_column) - friends;
    out[0] = (uint16_t)(safety + 4 * up_to(friends, 3) + up_to(enemies, 3));
    out[1] = (uint16_t)(reach + up_to(squares, MOST_REACH));
    return 2;
}

static inline int add_barriers(const struct meichu_state *s, int side, uint16_t *out)
{
    int count = 0;
    for (int row = 0; row < MEICHU_LINE; row++) {
        unsigned solid = (unsigned)s->solid_rows[0][row] | s->solid_rows[1][row];
        unsigned black = s->black_barrier_rows[row];
        for (uint64_t left = s->occupied_rows[row] & ~solid; left;) {
            int column = bits_pop(&left);
            bool is_own = (black >> column & 1) == (side == SIDE_BLACK);
            unsigned square = place(seen(side, row * MEICHU_LINE + column));
            out[count++] = (uint16_t)((is_own ? OWN_BARRIERS : ENEMY_BARRIERS) + square);
        }
    }
    return count;
}

static inline int add_soldiers(const struct meichu_state *s, int side, uint16_t *out)
{
    int count = 0;
    int enemy = side ^ 1;
    int own_count = s->soldier_count[side];
    int enemy_count = s->soldier_count[enemy];
    int own[MEICHU_SOLDIERS];
    int enemies[MEICHU_SOLDIERS];
    for (int i = 0; i < own_count; i++) {
        int soldier = s->soldiers[side][i];
        own[i] = seen(side, soldier);
        out[count++] = (uint16_t)(OWN_SOLDIERS + place(own[i]));
        out[count++] = (uint16_t)(OWN_AIMS + blockers(s, soldier, s->flag[enemy]));
        count += add_lines(s, side, soldier, OWN_SAFETY, OWN_REACH, out + count);
        for (int j = 0; j < i; j++) {
            out[count++] = (uint16_t)(OWN_PAIRS + equal_pair(own[i], own[j]));
        }
    }
    for (int i = 0; i < enemy_count; i++) {
        int soldier = s->soldiers[enemy][i];
        enemies[i] = seen(side, soldier);
        out[count++] = (uint16_t)(ENEMY_SOLDIERS + place(enemies[i]));
        out[count++] = (uint16_t)(ENEMY_AIMS + blockers(s, soldier, s->flag[side]));
        count += add_lines(s, enemy, soldier, ENEMY_SAFETY, ENEMY_REACH, out + count);
        for (int j = 0; j < i; j++) {
            out[count++] = (uint16_t)(ENEMY_PAIRS + equal_pair(enemies[i], enemies[j]));
        }
        for (int j = 0; j < own_count; j++) {
            out[count++] = (uint16_t)(MIXED_PAIRS + pair(own[j], enemies[i]));
        }
    }
    return count;
}

static inline int add_counts(const struct meichu_state *s, int side, uint16_t *out)
{
    int enemy = side ^ 1;
    int barriers[2];
    int richer = s->budget[side] - s->budget[enemy];
    richer = richer > MOST_RICHER ? MOST_RICHER : richer < -MOST_RICHER ? -MOST_RICHER : richer;
    meichu_count_barriers(s, barriers);
    out[0] = (uint16_t)(OWN_COINS + up_to(s->budget[side], MOST_COINS));
    out[1] = (uint16_t)(ENEMY_COINS + up_to(s->budget[enemy], MOST_COINS));
    out[2] = (uint16_t)(RICHER + richer + MOST_RICHER);
    out[3] =
        (uint16_t)(SOLDIERS + s->soldier_count[side] * SOLDIER_STATES + s->soldier_count[enemy]);
    out[4] = (uint16_t)(BARRIERS + barriers[side] * BARRIER_STATES + barriers[enemy]);
    return 5;
}

static inline int find_terms(const struct meichu_state *s, uint16_t *out)
{
    int side = s->to_move;
    int count = add_soldiers(s, side, out);
    count += add_barriers(s, side, out + count);
    return count + add_counts(s, side, out + count);
}

int meichu_evaluate(const struct meichu_state *s)
{
    uint16_t terms[MEICHU_TERMS];
    int count = find_terms(s, terms);
    int value = 0;
    for (int i = 0; i < count; i++) {
        value += weights[terms[i]];
    }
    return value / MEICHU_WEIGHT_ONE;
}

int meichu_terms(const struct meichu_state *s, uint16_t out[MEICHU_TERMS])
{
    return find_terms(s, out);
}
