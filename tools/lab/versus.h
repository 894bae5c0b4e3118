/* versus: one player of a duel: a build of the engine, or the sparring partner.
 *
 * A build is a shared object (build.sh makes it) that is loaded beside others, so that two
 * versions of the same sources can play each other in one process.
 */
#ifndef LAB_VERSUS_H
#define LAB_VERSUS_H

#include <stdint.h>

#include "engine/engine.h"
#include "game/game.h"

typedef void versus_search_fn(struct engine *, const struct game *, const struct state *,
                              const struct engine_limits *, const atomic_bool *, engine_depth_fn *,
                              void *, struct engine_report *);

struct versus {
    const struct game *game; /* as this build knows it */
    bool is_sparring;
    struct engine engine;
    struct engine_limits limits;
    versus_search_fn *search;
    void (*clear)(struct engine *);
};

/* `spec` is FILE.so or `sparring`, then any of ,nodes=N ,time=MS ,level=L ,threads=N ,hash=MB.
 * Exits with a sentence on stderr when it cannot be had. */
struct versus versus_load(const char *spec, const char *game);

/* A new game begins. */
void versus_clear(struct versus *versus, uint64_t seed);

struct engine_report versus_think(struct versus *versus, const struct state *state);

#endif
