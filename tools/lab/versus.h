/* versus: one player of a duel: a build of the engine, or the sparring partner.
 *
 * A build is a shared object (build.sh makes it) that is loaded next to others, so that two
 * versions of the same sources can play each other in one process.
 */
#ifndef LAB_VERSUS_H
#define LAB_VERSUS_H

#include <stdint.h>

#include "engine/engine.h"
#include "game/game.h"

typedef void versus_search_fn(struct engine *, const struct engine_request *,
                              struct engine_report *);

/* engine_search of builds before 0.2.0. */
typedef void versus_old_search_fn(struct engine *, const struct game *, const struct state *,
                                  const struct engine_limits *, const atomic_bool *,
                                  engine_depth_fn *, void *, struct engine_report *);

struct versus {
    const struct game *game; /* as this build knows it */
    bool is_sparring;
    struct engine engine;
    struct engine_limits limits;
    versus_search_fn *search;
    versus_old_search_fn *old_search; /* one of the two is NULL */
    void (*clear)(struct engine *);
};

/* `spec` is FILE.so or `sparring`, then any of ,nodes=N ,time=MS ,level=L ,threads=N ,hash=MB.
 * Exits with a sentence on stderr when that fails. */
struct versus versus_load(const char *spec, const char *game);

/* A new game begins. */
void versus_clear(struct versus *versus, uint64_t seed);

/* What the engine of a build finds; not for the sparring partner. */
struct engine_report versus_search(struct versus *versus, const struct state *state,
                                   const struct engine_limits *limits);

/* What a player of either kind finds within its own limits. */
struct engine_report versus_think(struct versus *versus, const struct state *state);

#endif
