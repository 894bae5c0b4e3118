/* What a position of MeiChu is worth, from a handful of facts.
 *
 * Each fact is a difference between the armies. Nearly every game ends with a flag taken or
 * an army wiped out, so soldiers count most, then how near they are to the enemy's flag,
 * above all those that already look at it along its row or column. Money is worth more
 * than barriers, as long as there is little of it.
 */
#include "games/meichu/eval.h"

#include "games/meichu/board.h"

enum {
    SOLDIERS,
    LAST_SOLDIERS, /* an army of one or two is soon none */
    COINS,         /* up to PLENTY */
    MORE_COINS,
    BARRIERS,
    DISTANCE, /* to the enemy's flag, of all soldiers */
    NEAREST,  /* of the nearest one */
    SECOND_NEAREST,
    GUARDS,           /* soldiers near the own flag */
    REACH,            /* squares that soldiers can go to, money aside */
    COLUMNS_AWAY,     /* from the enemy's flag, of all soldiers */
    DOUBLED,          /* soldiers that share a line without a piece in between */
    AIMS,             /* soldiers in the flag's row or column, by pieces in between */
    MAX_BLOCKERS = 3, /* more of them are as good as none aiming */
    TO_MOVE = AIMS + MAX_BLOCKERS + 1,
    FACTS,

    PLENTY = 40,
    GUARD_DISTANCE = 3,
    FAR = 16,
};

static int between(unsigned line, int a, int b)
{
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    unsigned inside = ((1u << high) - 1) & ~((2u << low) - 1);
    return __builtin_popcount(line & inside);
}

/* Pieces between a soldier and a flag in its row or column; many if in neither. */
static int blockers(const struct meichu_state *s, int soldier, int flag)
{
    int row = meichu_row[flag];
    int column = meichu_column[flag];
    if (meichu_row[soldier] == row) {
        return between(s->occupied_rows[row], meichu_column[soldier], column);
    }
    if (meichu_column[soldier] == column) {
        return between(s->occupied_columns[column], meichu_row[soldier], row);
    }
    return MAX_BLOCKERS + 1;
}

static void add_army(const struct meichu_state *s, int side, int sign, int *facts)
{
    int flag = s->flag[side ^ 1];
    int count = s->soldier_count[side];
    int budget = s->budget[side];
    int nearest = FAR;
    int second = FAR;
    for (int i = 0; i < count; i++) {
        int soldier = s->soldiers[side][i];
        int distance = meichu_distance(soldier, flag);
        int in_between = blockers(s, soldier, flag);
        facts[DISTANCE] += sign * distance;
        facts[GUARDS] += sign * (meichu_distance(soldier, s->flag[side]) <= GUARD_DISTANCE);
        unsigned row = meichu_row[soldier];
        unsigned column = meichu_column[soldier];
        unsigned along_row = meichu_slide(s->occupied_rows[row], column);
        unsigned along_column = meichu_slide(s->occupied_columns[column], row);
        facts[REACH] += sign * (__builtin_popcount(along_row & ~s->solid_rows[side][row]) +
                                __builtin_popcount(along_column & ~s->solid_columns[side][column]));
        int columns = meichu_column[soldier] - meichu_column[flag];
        facts[COLUMNS_AWAY] += sign * (columns < 0 ? -columns : columns);
        facts[DOUBLED] +=
            sign * (__builtin_popcount(along_row & s->solid_rows[side][row]) +
                    __builtin_popcount(along_column & s->solid_columns[side][column]));
        if (in_between <= MAX_BLOCKERS) {
            facts[AIMS + in_between] += sign;
        }
        if (distance < nearest) {
            second = nearest;
            nearest = distance;
        } else if (distance < second) {
            second = distance;
        }
    }
    facts[SOLDIERS] += sign * count;
    facts[LAST_SOLDIERS] += sign * (count < 3 ? count - 3 : 0);
    facts[COINS] += sign * (budget < PLENTY ? budget : PLENTY);
    facts[MORE_COINS] += sign * (budget < PLENTY ? 0 : budget - PLENTY);
    facts[NEAREST] += sign * nearest;
    facts[SECOND_NEAREST] += sign * second;
}

static void find_facts(const struct meichu_state *s, int *facts)
{
    int side = s->to_move;
    int barriers[2];
    meichu_count_barriers(s, barriers);
    for (int i = 0; i < FACTS; i++) {
        facts[i] = 0;
    }
    facts[BARRIERS] = barriers[side] - barriers[side ^ 1];
    facts[TO_MOVE] = 1;
    add_army(s, side, 1, facts);
    add_army(s, side ^ 1, -1, facts);
}

static const int16_t weights[FACTS] = {
    100, 6, 9, 0, 8, -6, 1, 3, -6, 1, -5, 3, 56, -9, -4, -15, 18,
};

int meichu_evaluate(const struct meichu_state *s)
{
    int facts[FACTS];
    int value = 0;
    find_facts(s, facts);
    for (int i = 0; i < FACTS; i++) {
        value += weights[i] * facts[i];
    }
    return value;
}
