/* What a position of hop is worth: a sum of table entries.
 *
 * Most of them are patterns. The board, seen by the side to move as marching to the right, is
 * looked at through windows of 2 × 3 and 3 × 2 squares; what is in a window, each square
 * empty, own or the enemy's, chooses one of 729 weights. (The idea is Buro's for Othello,
 * 1999; Bloedel and Bledsoe's n-tuples, 1959.) The rules do not tell up from down, so the
 * lower half uses the weights of the upper, on the board turned over. A few more tables know
 * what no window sees: how many men there are, who leads in men at home and how many moves
 * are left to change that, how far both armies still have to go, how many men can be hopped
 * over right away, and, once the armies have passed each other, who arrives first.
 *
 * All weights were fitted to the results of self-play by tools/lab/fit.c.
 */
#include "games/hop/eval.h"

#include <stdbool.h>

#include "base/bits.h"
#include "games/hop/board.h"

enum {
    WINDOW_STATES = 729, /* of six squares */
    WIDE_ROWS = 4,       /* places of a 2 × 3 window in the upper half and over the middle */
    WIDE_COLUMNS = 6,
    TALL_ROWS = 3, /* … and of a 3 × 2 window */
    TALL_COLUMNS = 7,

    COUNTS = HOP_MEN + 1,
    MOST_LEAD = 4,
    LEADS = 2 * MOST_LEAD + 1,
    TIMES = 8,
    MOST_TO_GO = 20, /* columns more than the enemy */
    TO_GO_STEPS = 2 * MOST_TO_GO + 1,
    PHASES = 4,
    MOST_ATTACKED = 5,
    ATTACKED_STEPS = MOST_ATTACKED + 1,
    RACES = 4,
    HOLDS = 4,
    PLACES = 32, /* squares of the upper half */
    LEAPERS = ATTACKED_STEPS * ATTACKED_STEPS,

    WIDE = 0,
    TALL = WIDE + WIDE_ROWS * WIDE_COLUMNS * WINDOW_STATES,
    MEN = TALL + TALL_ROWS * TALL_COLUMNS * WINDOW_STATES,
    LEAD = MEN + COUNTS * COUNTS,
    TO_GO = LEAD + LEADS * TIMES,
    ATTACKED = TO_GO + TO_GO_STEPS * PHASES,
    LEAP = ATTACKED + ATTACKED_STEPS * ATTACKED_STEPS,
    PASSED = LEAP + LEAPERS,
    RACE = PASSED + COUNTS * COUNTS,
    HOLD = RACE + RACES,
    PLACE = HOLD + HOLDS,
    END = PLACE + 2 * PHASES * PLACES,

    FIRST_TARGET_COLUMN = 6,
};

_Static_assert((int)END == (int)HOP_WEIGHTS, "eval.h says how many weights there are");

#define COLUMN_0 UINT64_C(0x0101010101010101)

static const int16_t weights[HOP_WEIGHTS] = {
#include "games/hop/eval_weights.inc.h"
};

/* Six bits read as digits of base three. */
static const uint16_t ternary[64] = {
    0,   1,   3,   4,   9,   10,  12,  13,  27,  28,  30,  31,  36,  37,  39,  40,
    81,  82,  84,  85,  90,  91,  93,  94,  108, 109, 111, 112, 117, 118, 120, 121,
    243, 244, 246, 247, 252, 253, 255, 256, 270, 271, 273, 274, 279, 280, 282, 283,
    324, 325, 327, 328, 333, 334, 336, 337, 351, 352, 354, 355, 360, 361, 363, 364,
};

static inline unsigned wide_bits(uint64_t men) { return (men & 7) | (men >> 5 & 0x38); }

static inline unsigned tall_bits(uint64_t men)
{
    return (men & 3) | (men >> 6 & 0xc) | (men >> 12 & 0x30);
}

static inline int add_windows(uint64_t own, uint64_t enemy, uint16_t *out)
{
    int count = 0;
    unsigned base = WIDE;
    for (int row = 0; row < WIDE_ROWS; row++) {
        for (int column = 0; column < WIDE_COLUMNS; column++, base += WINDOW_STATES) {
            int shift = 8 * row + column;
            unsigned mine = ternary[wide_bits(own >> shift)];
            unsigned yours = ternary[wide_bits(enemy >> shift)];
            out[count++] = (uint16_t)(base + mine + 2 * yours);
        }
    }
    for (int row = 0; row < TALL_ROWS; row++) {
        for (int column = 0; column < TALL_COLUMNS; column++, base += WINDOW_STATES) {
            int shift = 8 * row + column;
            unsigned mine = ternary[tall_bits(own >> shift)];
            unsigned yours = ternary[tall_bits(enemy >> shift)];
            out[count++] = (uint16_t)(base + mine + 2 * yours);
        }
    }
    return count;
}

static int clamp(int value, int most)
{
    return value > most ? most : value < -most ? -most : value;
}

/* How many columns all men together have to go. */
static int columns_to_go(uint64_t men)
{
    int sum = 0;
    uint64_t behind = 0;
    for (int column = 0; column < FIRST_TARGET_COLUMN; column++) {
        behind |= COLUMN_0 << column;
        sum += bits_count(men & behind);
    }
    return sum;
}

/* Men at home after `moves` steps, when the nearest go first. */
static int home_after(uint64_t men, int moves)
{
    int home = bits_count(men & HOP_BLACK_TARGET);
    for (int distance = 1; distance <= FIRST_TARGET_COLUMN; distance++) {
        int waiting = bits_count(men & COLUMN_0 << (FIRST_TARGET_COLUMN - distance));
        int arriving = moves / distance < waiting ? moves / distance : waiting;
        home += arriving;
        moves -= arriving * distance;
    }
    return home;
}

/* Both walk home by steps until one is there or the moves are used up: 1, 0 or -1. `enemy`
 * marches right, too. */
static int race_winner(uint64_t own, uint64_t enemy, int plies_left)
{
    int own_moves = (plies_left + 1) / 2;
    int enemy_moves = plies_left / 2;
    int own_needs = columns_to_go(own);
    int enemy_needs = columns_to_go(enemy);
    if (own_needs <= own_moves && own_needs <= enemy_needs) {
        own_moves = own_needs;
        enemy_moves = own_needs - 1;
    } else if (enemy_needs <= enemy_moves) {
        own_moves = enemy_moves = enemy_needs;
    }
    int lead = home_after(own, own_moves) - home_after(enemy, enemy_moves);
    return (lead > 0) - (lead < 0);
}

/* The men beyond every enemy. */
static uint64_t passed_men(uint64_t men, uint64_t enemy)
{
    uint64_t columns = enemy | enemy >> 8;
    columns |= columns >> 16;
    columns = (columns | columns >> 32) & 0xff;
    unsigned last = columns ? 63 - (unsigned)__builtin_clzll(columns) : 0;
    uint64_t beyond = columns ? (0xffu << (last + 1)) & 0xff : 0xff;
    return men & beyond * COLUMN_0;
}

/* Men that an enemy beside them can hop over. */
static uint64_t attacked_men(uint64_t men, uint64_t enemy, uint64_t empty)
{
    uint64_t sideways = ((enemy & HOP_COLUMNS_0_TO_5) << 1 & (empty & HOP_COLUMNS_2_TO_7) >> 1) |
                        ((enemy & HOP_COLUMNS_2_TO_7) >> 1 & (empty & HOP_COLUMNS_0_TO_5) << 1);
    uint64_t upright = (enemy << 8 & empty >> 8) | (enemy >> 8 & empty << 8);
    return men & (sideways | upright);
}

static unsigned up_to(uint64_t men, int most)
{
    int count = bits_count(men);
    return (unsigned)(count < most ? count : most);
}

static unsigned time_of(int plies_left)
{
    static const int16_t ends[TIMES - 1] = {9, 19, 39, 69, 109, 179, 279};
    unsigned time = 0;
    while (time < TIMES - 1 && plies_left > ends[time]) {
        time++;
    }
    return time;
}

static unsigned race_of(uint64_t own, uint64_t enemy, uint64_t passed, int plies_left)
{
    return passed == own ? (unsigned)(2 + race_winner(own, hop_mirrored(enemy), plies_left)) : 0;
}

static int add_places(uint64_t men, unsigned table, uint16_t *out)
{
    int count = 0;
    while (men) {
        unsigned square = (unsigned)bits_pop(&men);
        out[count++] = (uint16_t)(table + (square < PLACES ? square : square ^ 56));
    }
    return count;
}

static unsigned phase_of(uint64_t men)
{
    return (unsigned)bits_count(men) * PHASES / (2 * HOP_MEN + 1);
}

static int add_facts(uint64_t own, uint64_t enemy, int plies_left, uint16_t *out)
{
    uint64_t empty = ~(own | enemy);
    unsigned men = (unsigned)bits_count(own);
    unsigned enemies = (unsigned)bits_count(enemy);
    unsigned phase = phase_of(own | enemy);
    int home = bits_count(own & HOP_BLACK_TARGET);
    int enemy_home = bits_count(enemy & HOP_WHITE_TARGET);
    unsigned lead = (unsigned)(clamp(home - enemy_home, MOST_LEAD) + MOST_LEAD);
    int further = columns_to_go(own) - columns_to_go(hop_mirrored(enemy));
    unsigned to_go = (unsigned)(clamp(further, MOST_TO_GO) + MOST_TO_GO);
    unsigned attacked = up_to(attacked_men(own, enemy, empty), MOST_ATTACKED);
    unsigned attacking = up_to(attacked_men(enemy, own, empty), MOST_ATTACKED);
    uint64_t leap = own & HOP_COLUMNS_0_TO_5 & own >> 1 & empty >> 2;
    uint64_t enemy_leap = enemy & HOP_COLUMNS_2_TO_7 & enemy << 1 & empty << 2;
    uint64_t passed = passed_men(own, enemy);
    uint64_t enemy_passed = passed_men(hop_mirrored(enemy), hop_mirrored(own));
    unsigned hold = 2u * (home > (int)enemies) + (enemy_home > (int)men);

    out[0] = (uint16_t)(MEN + men * COUNTS + enemies);
    out[1] = (uint16_t)(LEAD + time_of(plies_left) * LEADS + lead);
    out[2] = (uint16_t)(TO_GO + phase * TO_GO_STEPS + to_go);
    out[3] = (uint16_t)(ATTACKED + attacked * ATTACKED_STEPS + attacking);
    out[4] = (uint16_t)(LEAP + up_to(leap, MOST_ATTACKED) * ATTACKED_STEPS +
                        up_to(enemy_leap, MOST_ATTACKED));
    out[5] = (uint16_t)(PASSED + (unsigned)bits_count(passed) * COUNTS +
                        (unsigned)bits_count(enemy_passed));
    out[6] = (uint16_t)(RACE + race_of(own, enemy, passed, plies_left));
    out[7] = (uint16_t)(HOLD + hold);
    return 8;
}

static inline int find_terms(const struct hop_state *s, uint16_t *out)
{
    bool is_black = (s->plies & 1) == SIDE_BLACK;
    uint64_t own = is_black ? s->men[SIDE_BLACK] : hop_mirrored(s->men[SIDE_WHITE]);
    uint64_t enemy = is_black ? s->men[SIDE_WHITE] : hop_mirrored(s->men[SIDE_BLACK]);
    int count = add_windows(own, enemy, out);
    count += add_windows(__builtin_bswap64(own), __builtin_bswap64(enemy), out + count);
    unsigned table = PLACE + 2 * PLACES * phase_of(own | enemy);
    count += add_places(own, table, out + count);
    count += add_places(enemy, table + PLACES, out + count);
    return count + add_facts(own, enemy, HOP_PLY_LIMIT - (int)s->plies, out + count);
}

int hop_evaluate(const struct hop_state *s)
{
    uint16_t terms[HOP_TERMS];
    int count = find_terms(s, terms);
    int value = 0;
    for (int i = 0; i < count; i++) {
        value += weights[terms[i]];
    }
    return value / HOP_WEIGHT_ONE;
}

int hop_terms(const struct hop_state *s, uint16_t out[HOP_TERMS]) { return find_terms(s, out); }
