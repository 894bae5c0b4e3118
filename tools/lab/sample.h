/* sample: a position from self-play and how its game ended. A file of samples is an array. */
#ifndef LAB_SAMPLE_H
#define LAB_SAMPLE_H

#include <stdint.h>

#include "game/game.h"

struct sample {
    struct state state;
    int32_t score;  /* of the search, for the side to move, in hundredths */
    int32_t points; /* of the side to move at the end: 0, 1 or 2 */
};

#endif
