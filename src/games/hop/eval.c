/* What a position of hop is worth, by hand.
 *
 * Men count, men at home count more, and every column on the way home counts: that is the
 * whole evaluation while the armies are in contact. Once they have passed each other
 * nothing can be captured any more and a race is on; who wins it can be counted.
 */
#include "games/hop/eval.h"

#include <stdbool.h>

#include "base/bits.h"
#include "games/hop/board.h"

enum {
    MAN = 120,
    HOME = 50,
    COLUMN = 10, /* each column nearer to the target */
    TEMPO = 5,
    RACE_WON = 900,
    COLUMNS_TO_GO = 6, /* from the first column to the target */
};

#define COLUMN_0 UINT64_C(0x0101010101010101)

/* The board as Black sees it: White's columns are reversed. */
static uint64_t mirrored(uint64_t men)
{
    men = (men >> 1 & UINT64_C(0x5555555555555555)) | (men & UINT64_C(0x5555555555555555)) << 1;
    men = (men >> 2 & UINT64_C(0x3333333333333333)) | (men & UINT64_C(0x3333333333333333)) << 2;
    return (men >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (men & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
}

/* How many columns all men together have to go; men face right. */
static int columns_to_go(uint64_t men)
{
    int sum = 0;
    uint64_t behind = 0;
    for (int column = 0; column < COLUMNS_TO_GO; column++) {
        behind |= COLUMN_0 << column;
        sum += bits_count(men & behind);
    }
    return sum;
}

static int army_value(uint64_t men)
{
    return MAN * bits_count(men) + HOME * bits_count(men & HOP_BLACK_TARGET) -
           COLUMN * columns_to_go(men);
}

/* Men at home after `moves` steps, when the nearest go first. */
static int home_after(uint64_t men, int moves)
{
    int home = bits_count(men & HOP_BLACK_TARGET);
    for (int distance = 1; distance <= COLUMNS_TO_GO; distance++) {
        int waiting = bits_count(men & COLUMN_0 << (COLUMNS_TO_GO - distance));
        int arriving = moves / distance < waiting ? moves / distance : waiting;
        home += arriving;
        moves -= arriving * distance;
    }
    return home;
}

/* Whether the armies, both facing right, have passed each other. */
static bool have_passed(uint64_t own, uint64_t enemy)
{
    uint64_t met = mirrored(enemy);
    for (int column = 0; column < 7; column++) {
        uint64_t here = COLUMN_0 << column;
        if (own & here) {
            uint64_t right = ~UINT64_C(0) / 255 * ((UINT64_C(0xff) << column) & 0xff);
            return !(met & right);
        }
    }
    return false;
}

/* Both walk home by steps; whoever is all home first, or the move limit, ends it. */
static int race_value(uint64_t own, uint64_t enemy, int plies_left)
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
    return lead > 0 ? RACE_WON : lead < 0 ? -RACE_WON : 0;
}

int hop_evaluate(const struct hop_state *s)
{
    int side = (int)(s->plies & 1);
    uint64_t own = side == SIDE_BLACK ? s->men[SIDE_BLACK] : mirrored(s->men[SIDE_WHITE]);
    uint64_t enemy = side == SIDE_BLACK ? mirrored(s->men[SIDE_WHITE]) : s->men[SIDE_BLACK];
    int value = army_value(own) - army_value(enemy) + TEMPO;
    if (have_passed(own, enemy)) {
        value += race_value(own, enemy, HOP_PLY_LIMIT - (int)s->plies);
    }
    return value;
}
