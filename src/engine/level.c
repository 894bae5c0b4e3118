#include "engine/level.h"

#include "base/hash.h"

enum { WEAKER_LEVELS = 9 };

static const struct {
    unsigned nodes;
    unsigned errors_percent;
} rows[WEAKER_LEVELS + 1] = {
    [1] = {50, 38},   [2] = {100, 32},  [3] = {250, 25},  [4] = {600, 19},   [5] = {1500, 14},
    [6] = {4000, 10}, [7] = {10000, 6}, [8] = {30000, 3}, [9] = {100000, 0},
};

static bool is_weaker(int level) { return level >= 1 && level <= WEAKER_LEVELS; }

uint64_t level_nodes(int level) { return is_weaker(level) ? rows[level].nodes : UINT64_MAX; }

bool level_errs(int level, uint64_t seed, uint64_t position_key)
{
    return is_weaker(level) && hash_pair(seed, position_key) % 100 < rows[level].errors_percent;
}
