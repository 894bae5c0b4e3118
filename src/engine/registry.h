/* registry: finds the engine that belongs to a game. */
#ifndef ENGINE_REGISTRY_H
#define ENGINE_REGISTRY_H

#include <stddef.h>

#include "engine/entry.h"
#include "game/game.h"

/* The engine of this very game, compiled for the same processor level. Every game of the
 * game registry has one. */
const struct engine_entry *engine_registry_find(const struct game *game);

/* The most memory that any game's search wants for one thread. */
size_t engine_registry_worker_bytes(void);

#endif
