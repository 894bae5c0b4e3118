/* What a position of hop is worth, from a handful of facts.
 *
 * Each fact is a difference between the armies, both seen as marching to the right: men by
 * column, men on the edge rows, where nobody hops over them, men that touch a comrade, men
 * that no enemy stands in front of any more. Once the armies have passed each other nothing
 * can be captured and a race is on; who wins it can be counted. Who leads in men at home
 * wins if nothing happens any more, and that counts more the fewer moves are left. A fact's
 * weight depends on how many men there are: weights stand for every six men and are
 * interpolated in between.
 */
#include "games/hop/eval.h"

#include <stdbool.h>

#include "base/bits.h"
#include "games/hop/board.h"

enum {
    COLUMNS = 8, /* the first facts: men in each column */
    EDGE_ROWS = COLUMNS,
    ROW_PAIRS,
    COLUMN_PAIRS,
    PASSED,
    LEADS,      /* in men at home */
    LEADS_LATE, /* the same near the move limit */
    HOLDS,      /* more men at home than the enemy has at all */
    RACE,
    ATTACKED, /* the mover's men that can be hopped over right away */
    DIAGONAL_PAIRS,
    TO_MOVE,
    FACTS,

    PHASE_MEN = 6,
    PHASES = 4,
    FIRST_TARGET_COLUMN = 6,
    LATE_PLIES = 100,
};

#define COLUMN_0 UINT64_C(0x0101010101010101)
#define EDGES UINT64_C(0xff000000000000ff)

/* The board with its columns reversed. */
static uint64_t mirrored(uint64_t men)
{
    men = (men >> 1 & UINT64_C(0x5555555555555555)) | (men & UINT64_C(0x5555555555555555)) << 1;
    men = (men >> 2 & UINT64_C(0x3333333333333333)) | (men & UINT64_C(0x3333333333333333)) << 2;
    return (men >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (men & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
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

/* Both walk home by steps until one is there or the moves are used up: 1, 0 or -1. */
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

/* Men in front of whom, or beside whom, no enemy stands; `enemy` marches left here. */
static uint64_t passed_men(uint64_t men, uint64_t enemy)
{
    uint64_t reached = 0;
    for (int column = 7; column >= 0; column--) {
        uint64_t here = COLUMN_0 << column;
        if (enemy & here) {
            break;
        }
        reached |= here;
    }
    return men & reached;
}

static uint64_t attacked_men(uint64_t men, uint64_t enemy)
{
    uint64_t empty = ~(men | enemy);
    uint64_t sideways = ((enemy & HOP_COLUMNS_0_TO_5) << 1 & (empty & HOP_COLUMNS_2_TO_7) >> 1) |
                        ((enemy & HOP_COLUMNS_2_TO_7) >> 1 & (empty & HOP_COLUMNS_0_TO_5) << 1);
    uint64_t upright = (enemy << 8 & empty >> 8) | (enemy >> 8 & empty << 8);
    return men & (sideways | upright);
}

static int army_fact(int fact, uint64_t men, uint64_t enemy)
{
    switch (fact) {
    case EDGE_ROWS:
        return bits_count(men & EDGES);
    case ROW_PAIRS:
        return bits_count(men & HOP_NOT_LAST_COLUMN & men >> 1);
    case COLUMN_PAIRS:
        return bits_count(men & men >> 8);
    case DIAGONAL_PAIRS:
        return bits_count(men & HOP_NOT_LAST_COLUMN & men >> 9) +
               bits_count(men & HOP_NOT_FIRST_COLUMN & men >> 7);
    case PASSED:
        return bits_count(passed_men(men, mirrored(enemy)));
    case HOLDS:
        return bits_count(men & HOP_BLACK_TARGET) > bits_count(enemy);
    default:
        return bits_count(men & COLUMN_0 << fact);
    }
}

static void find_facts(uint64_t own, uint64_t enemy, int plies_left, int *facts)
{
    for (int i = 0; i < FACTS; i++) {
        facts[i] = army_fact(i, own, enemy) - army_fact(i, enemy, own);
    }
    int lead = bits_count(own & HOP_BLACK_TARGET) - bits_count(enemy & HOP_BLACK_TARGET);
    int late = plies_left < LATE_PLIES ? LATE_PLIES - plies_left : 0;
    facts[LEADS] = (lead > 0) - (lead < 0);
    facts[LEADS_LATE] = facts[LEADS] * late / 4;
    facts[RACE] = 0;
    if (passed_men(own, mirrored(enemy)) == own) {
        facts[RACE] = race_winner(own, enemy, plies_left);
    }
    facts[ATTACKED] = bits_count(attacked_men(own, mirrored(enemy)));
    facts[TO_MOVE] = 1;
}

static const int16_t weights[PHASES][FACTS] = {
    {-4, -9, -1, 4, 16, 18, 23, 6, 19, 11, 5, 31, 18, 8, 11, 7, 1, 14, 8},
    {-77, 1, 14, 73, 99, 97, 109, 98, -11, -9, -47, -63, 223, -2, 50, 63, 4, -26, 3},
    {-81, -53, -15, 11, 53, 103, 131, 177, 4, 27, 12, -33, 82, 5, 50, 73, 3, 14, 25},
    {-21, 10, 50, 61, 99, 141, 183, 174, 22, 21, 18, 20, -33, 7, 56, 144, -32, 13, 19},
};

static int weigh(const int *facts, int men)
{
    int phase = men / PHASE_MEN;
    int more = men % PHASE_MEN;
    const int16_t *low = weights[phase];
    const int16_t *high = weights[phase + 1 < PHASES ? phase + 1 : phase];
    int sum = 0;
    for (int i = 0; i < FACTS; i++) {
        sum += facts[i] * (low[i] * (PHASE_MEN - more) + high[i] * more);
    }
    return sum / PHASE_MEN;
}

int hop_evaluate(const struct hop_state *s)
{
    int side = (int)(s->plies & 1);
    uint64_t black = s->men[SIDE_BLACK];
    uint64_t white = mirrored(s->men[SIDE_WHITE]);
    uint64_t own = side == SIDE_BLACK ? black : white;
    uint64_t enemy = side == SIDE_BLACK ? white : black;
    int facts[FACTS];
    find_facts(own, enemy, HOP_PLY_LIMIT - (int)s->plies, facts);
    return weigh(facts, bits_count(black | s->men[SIDE_WHITE]));
}
