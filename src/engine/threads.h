/* threads: a crew that waits for work, so that a search starts no thread of its own.
 *
 * The search core knows nothing of it: it is given a function to run and an index. Where
 * there are no threads (a browser), a crew of one is the caller alone.
 */
#ifndef ENGINE_THREADS_H
#define ENGINE_THREADS_H

#include "base/err.h"
#include "base/note.h"

struct threads;

typedef void threads_work_fn(void *context, int index);

/* A crew of `count`, the caller included; *out is NULL for a crew of one. Refused:
 * ERR_ENVIRONMENT. */
MUST_USE enum err threads_start(int count, struct threads **out, struct note *why);

/* Runs work(context, 0) here and work(context, 1…) in the others; returns when all have
 * returned. */
void threads_run(struct threads *threads, threads_work_fn *work, void *context);

/* Accepts NULL. */
void threads_end(struct threads *threads);

#endif
