/* thread_pool: threads that wait for work, so that a search starts no thread of its own.
 *
 * The search core knows nothing of it: it is given a function to run and an index. Where
 * there are no threads (a browser), a pool of one is the caller alone.
 */
#ifndef ENGINE_THREAD_POOL_H
#define ENGINE_THREAD_POOL_H

#include "base/note.h"

struct thread_pool;

typedef void thread_pool_work_fn(void *context, int index);

/* A pool of `count`, the caller included; *out is NULL for a pool of one. Refused:
 * ERR_ENVIRONMENT. */
MUST_USE enum err thread_pool_start(int count, struct thread_pool **out, struct note *why);

/* Runs work(context, 0) here and work(context, 1…) in the others; returns when all have
 * returned. */
void thread_pool_run(struct thread_pool *pool, thread_pool_work_fn *work, void *context);

/* Inside `work`: sleeps until another thread wakes this one, which it may have done before; returns
 * now and then without that. */
void thread_pool_sleep(struct thread_pool *pool, int index);
void thread_pool_wake(struct thread_pool *pool, int index);

/* Lets another thread run. */
void thread_pool_yield(void);

/* Accepts NULL. */
void thread_pool_end(struct thread_pool *pool);

#endif
