/* What a position of MeiChu is worth, by hand.
 *
 * Nearly every game ends with a flag taken or an army wiped out, so soldiers count most,
 * then how near they are to the enemy's flag, above all those that already look at it
 * along its row or column. Money is worth more than barriers: an own barrier is mostly
 * three coins that have not been collected yet.
 */
#include "games/meichu/eval.h"

#include <stdlib.h>

#include "games/meichu/board.h"

enum {
    SOLDIER = 100,
    COIN = 3,
    BARRIER = 7,
    NEARER = 4, /* each square nearer to the enemy's flag */
    TEMPO = 8,
    MAX_BLOCKERS = 3,
};

/* A soldier in the flag's row or column, by the number of pieces in between. */
static const int16_t aim[MAX_BLOCKERS + 1] = {30, 20, 10, 4};

static int between(unsigned line, int a, int b)
{
    int low = a < b ? a : b;
    int high = a < b ? b : a;
    unsigned inside = ((1u << high) - 1) & ~((2u << low) - 1);
    return __builtin_popcount(line & inside);
}

static int aim_value(const struct meichu_state *s, int soldier, int flag)
{
    int blockers = MAX_BLOCKERS + 1;
    if (meichu_row[soldier] == meichu_row[flag]) {
        blockers = between(s->occupied_rows[meichu_row[flag]], meichu_column[soldier],
                           meichu_column[flag]);
    } else if (meichu_column[soldier] == meichu_column[flag]) {
        blockers = between(s->occupied_columns[meichu_column[flag]], meichu_row[soldier],
                           meichu_row[flag]);
    }
    return blockers <= MAX_BLOCKERS ? aim[blockers] : 0;
}

static int army_value(const struct meichu_state *s, int side)
{
    int flag = s->flag[side ^ 1];
    int value = SOLDIER * s->soldier_count[side] + COIN * s->budget[side];
    for (int i = 0; i < s->soldier_count[side]; i++) {
        int soldier = s->soldiers[side][i];
        value += aim_value(s, soldier, flag) - NEARER * meichu_distance(soldier, flag);
    }
    return value;
}

int meichu_evaluate(const struct meichu_state *s)
{
    int side = s->to_move;
    int barriers[2];
    meichu_count_barriers(s, barriers);
    return army_value(s, side) - army_value(s, side ^ 1) +
           BARRIER * (barriers[side] - barriers[side ^ 1]) + TEMPO;
}
