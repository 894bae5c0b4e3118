#include "engine/level.h"

#include <assert.h>

static const struct level_words words[LEVEL_MAX] = {
    {"Newcomer", "Sees one move ahead and overlooks nearly every move"},
    {"Beginner", "Sees one move ahead and overlooks most moves, even captures"},
    {"Learner", "Sees one move ahead and overlooks half of the moves or more"},
    {"Casual", "Sees one move ahead and overlooks up to half of the moves"},
    {"Regular", "Sees two moves ahead and overlooks some answers"},
    {"Skilled", "Sees two moves ahead and seldom overlooks an answer"},
    {"Club player", "Sees three moves ahead"},
    {"Expert", "Sees about four moves ahead, or more"},
    {"Master", "Sees about seven moves ahead, or more"},
    {"Full engine", "Plays the best move it finds in the time it has"},
};

static const struct level_rules general[LEVEL_MAX] = {
    /* depth, nodes, overlooks, overlooks captures, noise, stops at depth */
    {1, 2000, 950, 950, 500, true}, /* 1 */
    {1, 2000, 780, 780, 200, true}, /* 2 */
    {1, 2000, 550, 550, 100, true}, /* 3 */
    {1, 2000, 300, 300, 50, false}, /* 4 */
    {2, 4000, 200, 200, 0, false},  /* 5 */
    {2, 4000, 60, 60, 0, false},    /* 6 */
    {3, 8000, 0, 0, 0, false},      /* 7 */
    {0, 2000, 0, 0, 0, false},      /* 8 */
    {0, 15000, 0, 0, 0, false},     /* 9 */
    {0},
};

const struct level_words *level_words(int level)
{
    assert(level >= 1 && level <= LEVEL_MAX);
    return &words[level - 1];
}

struct level_rules level_rules(const struct level_rules *table, int level)
{
    if (level < 1 || level >= LEVEL_MAX) {
        return (struct level_rules){0};
    }
    return (table ? table : general)[level - 1];
}
