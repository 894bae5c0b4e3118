/* level: how the weaker opponents search.
 *
 * A level makes errors as people do. It looks a few plies ahead, it overlooks some moves, its own
 * and the answers, captures more or less often than quiet moves, and a move seems to it a little
 * better or worse than it is. It always plays a win within its depth that it does not overlook. All
 * of this is decided by a hash of seed and position: the same level, seed and position give the
 * same move on every machine, fast or slow, and in a browser.
 *
 * What a level is called and what to expect of it is here, for all games; its numbers are a table
 * in the game's folder (engine_entry), because games differ in what a look ahead is worth.
 * tools/lab/ladder.c measures the steps between the levels.
 */
#ifndef ENGINE_LEVEL_H
#define ENGINE_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

enum {
    LEVEL_MAX = 10,
    LEVEL_ALL = 1000, /* thousandths: every one */
};

/* A zeroed struct: as well as it can. */
struct level_rules {
    int depth;              /* plies it looks ahead; 0: as many as the nodes allow */
    unsigned nodes;         /* a move; 0: no limit */
    int overlooks;          /* thousandths of the quiet moves */
    int overlooks_captures; /* thousandths of the moves that change the balance */
    int noise;              /* hundredths by which a move may seem better or worse than it is */
    bool stops_at_depth;    /* does not follow captures beyond its depth */
};

/* How a level is described to a person. */
struct level_words {
    const char *name;     /* "Beginner" */
    const char *sentence; /* "Sees one move ahead …", without a full stop */
};

/* For levels 1 … LEVEL_MAX. */
const struct level_words *level_words(int level);

/* The rules of a level, from a game's table of LEVEL_MAX rows, level 1 first; NULL: those for a
 * game without one. No rules for level LEVEL_MAX, and for 0. */
struct level_rules level_rules(const struct level_rules *table, int level);

/* Whether there are any rules. */
static inline bool level_is_weaker(const struct level_rules *rules)
{
    return rules->depth || rules->nodes || rules->overlooks || rules->overlooks_captures ||
           rules->noise;
}

/* Whether a move was missed, or its worth misjudged, so that no result is certain. */
static inline bool level_errs(const struct level_rules *rules)
{
    return rules->overlooks || rules->overlooks_captures || rules->noise;
}

/* Of LEVEL_ALL, how visible a move is in a position: it is seen if the chance to be overlooked is
 * not above it. */
static inline int level_visibility(uint64_t salt, uint64_t position_key, uint32_t move)
{
    return (int)(hash_pair(hash_pair(salt, position_key), move) % LEVEL_ALL);
}

static inline bool level_sees(const struct level_rules *rules, uint64_t salt, uint64_t position_key,
                              uint32_t move, bool is_capture)
{
    int chance = is_capture ? rules->overlooks_captures : rules->overlooks;
    return chance <= 0 || level_visibility(salt, position_key, move) >= chance;
}

/* How much better a move seems than it is, -noise … noise, small errors more often. */
static inline int level_noise(const struct level_rules *rules, uint64_t salt, uint32_t move)
{
    uint64_t width = 2 * (uint64_t)rules->noise + 1;
    uint64_t random = hash_word(hash_pair(move, salt));
    return (int)((random >> 32) % width + (random & UINT32_MAX) % width) / 2 - rules->noise;
}

#endif
