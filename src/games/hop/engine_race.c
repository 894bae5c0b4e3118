/* A race that is decided.
 *
 * The runner is the side that marches to the right, and all of the enemy's men are to the left of
 * its men. Let F be the column of the enemy's rightmost man. Without a capture F grows by at most
 * one in a turn: by a step, or by a hop over the man on F; there is no man further right to hop
 * over. A turn can capture a man on column F + 2 (a hop to F + 1, then over the man) and none
 * further right. So as long as the runner's last man is to the right of F + 2 whenever the enemy
 * is to move, the enemy can neither capture nor block the runner's men, nor use them for a hop:
 * each side plays alone.
 *
 * The runner's game is played here, always with the longest move, the last man first. For the
 * enemy's game, bounds are enough. In m turns the enemy brings home at most m men more. To bring
 * home all k men that are away, D columns in all, takes at least k turns and at least
 * D / (2k - 1): a man hops two columns for each man in its way, and these are also away, except for
 * one last hop over a man at home, which gains one. Men that leave home again to be hopped over
 * move at least twice, which makes k + 2 turns or more.
 *
 * The runner wins if all its men are home, more than the enemy can have there, before the enemy
 * can end the game in another way.
 */
#include "games/hop/engine_race.h"

#include <stdbool.h>

#include "base/bits.h"
#include "games/hop/board.h"

enum {
    COLUMNS = 8,
    SAFE = 3,                /* columns ahead of the enemy's foremost man */
    TARGET_COLUMN = 6,       /* the first one */
    ENEMY_TARGET_COLUMN = 1, /* the last one */
    NO_MAN = -HOP_PLY_LIMIT,
};

/* The runner's game and what is known of the enemy's, seen by the runner. */
struct patience {
    uint64_t own;
    uint64_t enemy; /* as they were at first */
    int foremost;   /* the enemy's, at most */
    int enemy_men;
    int enemy_home;  /* at most */
    int enemy_turns; /* so far */
    int enemy_needs; /* turns to end the game, at least */
};

static inline int column_of(int square) { return square & (COLUMNS - 1); }

static inline uint64_t columns_from(int first)
{
    return first <= 0         ? ~UINT64_C(0)
           : first >= COLUMNS ? 0
                              : UINT64_C(0x0101010101010101) * (0xffu << first & 0xff);
}

static int hindmost(uint64_t men)
{
    int column = 0;
    while (column < COLUMNS && !(men & ~columns_from(column + 1))) {
        column++;
    }
    return column;
}

static int turns_needed(uint64_t men)
{
    int away = 0;
    int distance = 0;
    while (men) {
        int beyond = column_of(bits_pop(&men)) - ENEMY_TARGET_COLUMN;
        away += beyond > 0;
        distance += beyond > 0 ? beyond : 0;
    }
    if (!away) {
        return 0;
    }
    int stride = 2 * away - 1;
    int turns = (distance + stride - 1) / stride;
    turns = turns > away ? turns : away;
    return turns < away + 2 ? turns : away + 2;
}

/* What a move is worth: columns on the way home, then columns, then how far back the man was. */
static inline int worth(int from, int to)
{
    int start = column_of(from);
    int end = column_of(to);
    int useful = (end < TARGET_COLUMN ? end : TARGET_COLUMN) -
                 (start < TARGET_COLUMN ? start : TARGET_COLUMN);
    return 256 * useful + 16 * (end - start) + COLUMNS - start;
}

/* Plays the longest move; false when no man can advance. */
static bool stride(struct patience *p)
{
    uint64_t room = ~(p->own | p->enemy) & columns_from(p->foremost + 1);
    int best = 0;
    uint64_t best_change = 0;
    for (uint64_t men = p->own; men;) {
        int from = bits_pop(&men);
        uint64_t man = bits_one(from);
        uint64_t steps[4];
        hop_steps(man, room, steps);
        uint64_t landings = steps[0] | hop_close(man, p->own ^ man, room | man);
        landings &= columns_from(column_of(from) + 1);
        while (landings) {
            int to = bits_pop(&landings);
            int value = worth(from, to);
            if (value > best) {
                best = value;
                best_change = man | bits_one(to);
            }
        }
    }
    p->own ^= best_change;
    return best > 0;
}

/* The enemy's turn. False when it might disturb the runner, or end the game without losing it. */
static bool survive(struct patience *p)
{
    if (hindmost(p->own) < p->foremost + SAFE) {
        return false;
    }
    p->foremost++;
    p->enemy_turns++;
    p->enemy_home += p->enemy_home < p->enemy_men;
    return p->enemy_turns < p->enemy_needs ||
           bits_count(p->own & columns_from(TARGET_COLUMN)) > p->enemy_men;
}

static int run(struct patience *p, bool is_to_move, int plies_left)
{
    int plies = 0;
    if (!is_to_move) {
        if (!survive(p)) {
            return 0;
        }
        plies++;
    }
    while (plies < plies_left && stride(p)) {
        plies++;
        if (hindmost(p->own) >= TARGET_COLUMN) {
            return bits_count(p->own) > p->enemy_home ? plies : 0;
        }
        if (!survive(p)) {
            return 0;
        }
        plies++;
    }
    return 0;
}

int hop_race(const struct hop_state *s, unsigned side)
{
    bool is_black = side == SIDE_BLACK;
    uint64_t own = is_black ? s->men[SIDE_BLACK] : hop_mirrored(s->men[SIDE_WHITE]);
    uint64_t enemy = is_black ? s->men[SIDE_WHITE] : hop_mirrored(s->men[SIDE_BLACK]);
    if (!own) {
        return 0;
    }
    int foremost = COLUMNS - 1;
    while (foremost >= 0 && !(enemy & columns_from(foremost))) {
        foremost--;
    }
    struct patience p = {
        .own = own,
        .enemy = enemy,
        .foremost = enemy ? foremost : NO_MAN,
        .enemy_men = bits_count(enemy),
        .enemy_home = bits_count(enemy & ~columns_from(ENEMY_TARGET_COLUMN + 1)),
        .enemy_needs = enemy ? turns_needed(enemy) : HOP_PLY_LIMIT,
    };
    return run(&p, (s->plies & 1) == side, HOP_PLY_LIMIT - (int)s->plies);
}
