/* registry: the games there are, as the build found them under src/games. */
#ifndef GAME_REGISTRY_H
#define GAME_REGISTRY_H

#include <stddef.h>

#include "base/cpu.h"
#include "game/game.h"

/* Game number `index`, in the order of the folders' names; NULL after the last.
 * `level` must not be better than cpu_best(). */
const struct game *registry_at(enum cpu_level level, size_t index);

/* By exact name; unknown: NULL, and `why` lists the names there are. */
const struct game *registry_find(enum cpu_level level, const char *name, struct note *why);

#endif
