/* threads: a thread pool that waits for work, so that a search starts no thread of its own.
 *
 * The search core knows nothing of it: it is given a function to run and an index. Where
 * there are no threads (a browser), a pool of one is the caller alone.
 */
#ifndef ENGINE_THREADS_H
#define ENGINE_THREADS_H

#include "base/err.h"
#include "base/note.h"

struct threads;

typedef void threads_work_fn(void *context, int index);

/* A pool of `count`, the caller included; *out is NULL for a pool of one. Refused:
 * ERR_ENVIRONMENT. */
MUST_USE enum err threads_start(int count, struct threads **out, struct note *why);

/* Runs work(context, 0) here and work(context, 1…) in the others; returns when all have
 * returned. */
void threads_run(struct threads *threads, threads_work_fn *work, void *context);

/* Inside `work`: sleeps until another thread wakes this one, which it may have done before; returns
 * now and then without that. */
void threads_sleep(struct threads *threads, int index);
void threads_wake(struct threads *threads, int index);

/* Lets another thread run. */
void threads_yield(void);

/* Accepts NULL. */
void threads_end(struct threads *threads);

#endif
