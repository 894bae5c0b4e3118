/* engine_levels: the numbers of hop's levels.
 *
 * Chosen so that the steps between the levels are about even; tools/lab/ladder.c measures them
 * (docs/engine.md, "Levels").
 */
#ifndef GAMES_HOP_ENGINE_LEVELS_H
#define GAMES_HOP_ENGINE_LEVELS_H

#include "engine/level.h"

static const struct level_rules hop_levels[LEVEL_MAX] = {
    /* depth, nodes, overlooks, overlooks captures, noise, stops at depth */
    {1, 2000, 940, 940, 400, true}, /* 1 */
    {1, 2000, 800, 800, 200, true}, /* 2 */
    {1, 2000, 620, 620, 100, true}, /* 3 */
    {1, 2000, 420, 420, 60, true},  /* 4 */
    {2, 4000, 280, 280, 0, true},   /* 5 */
    {2, 4000, 120, 120, 0, false},  /* 6 */
    {3, 8000, 20, 20, 0, false},    /* 7 */
    {0, 2500, 0, 0, 0, false},      /* 8 */
    {0, 10000, 0, 0, 0, false},     /* 9 */
    {0},
};

#endif
