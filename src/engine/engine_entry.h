/* engine_entry: what a game's folder offers to the engine, and the table of all of them.
 *
 * A folder's engine.c defines, once per processor level,
 *
 *     const struct engine_entry *const ENGINE_EXPORT(FOLDER)[] = {&an_entry, …, NULL};
 *
 * with one entry for each of its games, and the build finds it.
 */
#ifndef ENGINE_ENGINE_ENTRY_H
#define ENGINE_ENGINE_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "engine/search.h"
#include "game/game.h"

struct engine_entry {
    const char *game; /* its name */
    int variant;      /* handed back in search->variant and below */

    /* The variant for a search whose score is the exact end of the game, once it is exact: the
     * final difference in hundredths, or a win. */
    int solving_variant;
    uint64_t solving_nodes; /* what it cannot solve with this many is not worth the wait; 0: it
                               solves nothing */
    bool (*can_solve)(const struct state *state); /* NULL: it is worth trying */

    const struct level_rules *levels; /* LEVEL_MAX rows, level 1 first; NULL: the general ones */

    /* One thread's memory, zeroed before its first use. */
    size_t worker_bytes;

    /* Thread number `index` of a search: thread 0 searches and leaves its result in search->result,
     * with at least one move in the line; the others help. The game must not be over. */
    void (*search)(struct search *search, void *worker, int index);

    /* The position after a move of the search. */
    struct state (*play)(int variant, const struct state *state, uint32_t move);
};

/* The entry of this game, compiled for the same processor level. Every game of the game registry
 * has one. */
const struct engine_entry *engine_entry_find(const struct game *game);

/* The most memory that the search of any game needs for one thread. */
size_t engine_entry_worker_bytes(void);

#ifdef PLUM_CPU_SUFFIX
#define ENGINE_EXPORT(folder) CPU_VARIANT(folder##_engines)
#endif

#endif
