/* engine_race: a race that is decided. Once the armies have passed each other, and the enemy cannot
 * come back in time, the winner can be proved without a search. */
#ifndef GAMES_HOP_ENGINE_RACE_H
#define GAMES_HOP_ENGINE_RACE_H

#include "base/cpu.h"
#include "games/hop/state.h"

#define hop_race CPU_VARIANT(hop_race)

/* In how many plies `side` surely wins; 0: that is not proved. The game must not be over. */
int hop_race(const struct hop_state *s, unsigned side);

/* Columns between the armies: positive once they have passed each other, and only then is a race
 * worth a proof. */
static inline int hop_race_gap(const struct hop_state *s)
{
    uint64_t columns[2];
    for (int side = 0; side < 2; side++) {
        uint64_t men = s->men[side];
        men |= men >> 32;
        men |= men >> 16;
        columns[side] = (men | men >> 8) & 0xff;
    }
    int black_last = columns[SIDE_BLACK] ? __builtin_ctzll(columns[SIDE_BLACK]) : 8;
    int white_last = columns[SIDE_WHITE] ? 63 - __builtin_clzll(columns[SIDE_WHITE]) : -1;
    return black_last - white_last;
}

#endif
