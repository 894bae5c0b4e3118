/* perft: counting move sequences with several threads.
 *
 * The tree is cut into some hundred subtrees, which the threads take from a shared queue;
 * the game's own perft counts each of them.
 */
#ifndef APP_PERFT_H
#define APP_PERFT_H

#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "game/game.h"

enum { PERFT_MAX_DEPTH = 99, PERFT_MAX_THREADS = 256 };

/* Called about ten times a second while it counts. */
typedef void perft_progress_fn(void *context, double share_done, uint64_t counted);

/* Counts the sequences of `depth` plies, at least 1, that begin with each of the position's
 * `count` moves. `progress` may be NULL. Out of memory or threads: ERR_ENVIRONMENT. */
MUST_USE enum err perft_count(const struct game *game, const struct state *state,
                              const struct move *moves, size_t count, int depth, int threads,
                              perft_progress_fn *progress, void *context,
                              uint64_t counts[GAME_MAX_MOVES], struct note *why);

#endif
