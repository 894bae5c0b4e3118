/* engine_levels: the numbers of meichu's levels.
 *
 * Chosen so that the steps between the levels are about even; tools/lab/ladder.c measures them
 * (docs/engine.md, "Levels").
 */
#ifndef GAMES_MEICHU_ENGINE_LEVELS_H
#define GAMES_MEICHU_ENGINE_LEVELS_H

#include "engine/level.h"

static const struct level_rules meichu_levels[LEVEL_MAX] = {
    /* depth, nodes, overlooks, overlooks captures, noise, stops at depth */
    {1, 2000, 985, 985, 1200, true}, /* 1 */
    {1, 2000, 880, 880, 380, true},  /* 2 */
    {1, 2000, 740, 740, 200, true},  /* 3 */
    {1, 2000, 470, 470, 100, true},  /* 4 */
    {2, 4000, 230, 230, 0, false},   /* 5 */
    {2, 4000, 100, 100, 0, false},   /* 6 */
    {3, 8000, 20, 20, 0, false},     /* 7 */
    {0, 2000, 0, 0, 0, false},       /* 8 */
    {0, 10000, 0, 0, 0, false},      /* 9 */
    {0},
};

#endif
