/* bench: the engine's signature: how many nodes it needs for fixed searches.
 *
 * The number is the same on every machine and changes with every change of how the engine plays.
 */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include <stdint.h>

#include "base/note.h"
#include "engine/engine.h"

enum { BENCH_HASH_MB = 16 };

/* The nodes of all searches of one game. The engine has one thread and BENCH_HASH_MB. */
MUST_USE enum err bench_count(struct engine *engine, const struct game *game, uint64_t *nodes,
                              int64_t *time_ns, struct note *why);

/* The number in the game's line of a file of signatures. ERR_NEGATIVE: there is no such line. */
MUST_USE enum err bench_read_signature(const char *path, const char *game, int64_t *out,
                                       struct note *why);

#endif
