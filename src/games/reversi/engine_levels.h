/* engine_levels: the numbers of reversi's and othello's levels.
 *
 * Chosen so that the steps between the levels are about even; tools/lab/ladder.c measures them
 * (docs/engine.md, "Levels").
 */
#ifndef GAMES_REVERSI_ENGINE_LEVELS_H
#define GAMES_REVERSI_ENGINE_LEVELS_H

#include "engine/level.h"

static const struct level_rules reversi_levels[LEVEL_MAX] = {
    /* depth, nodes, overlooks, overlooks captures, noise, stops at depth */
    {1, 2000, 955, 955, 600, true}, /* 1 */
    {1, 2000, 760, 760, 200, true}, /* 2 */
    {1, 2000, 530, 530, 100, true}, /* 3 */
    {1, 2000, 300, 300, 50, false}, /* 4 */
    {2, 4000, 130, 130, 0, false},  /* 5 */
    {2, 4000, 40, 40, 0, false},    /* 6 */
    {3, 8000, 0, 0, 0, false},      /* 7 */
    {0, 2500, 0, 0, 0, false},      /* 8 */
    {0, 16000, 0, 0, 0, false},     /* 9 */
    {0},
};

static const struct level_rules othello_levels[LEVEL_MAX] = {
    /* depth, nodes, overlooks, overlooks captures, noise, stops at depth */
    {1, 2000, 945, 945, 500, true}, /* 1 */
    {1, 2000, 720, 720, 170, true}, /* 2 */
    {1, 2000, 480, 480, 80, true},  /* 3 */
    {1, 2000, 220, 220, 40, false}, /* 4 */
    {2, 4000, 140, 140, 0, false},  /* 5 */
    {2, 4000, 30, 30, 0, false},    /* 6 */
    {3, 8000, 0, 0, 0, false},      /* 7 */
    {0, 1500, 0, 0, 0, false},      /* 8 */
    {0, 12000, 0, 0, 0, false},     /* 9 */
    {0},
};

#endif
