/* threads: a pool of one, for a place without threads. */
#include "engine/thread_pool.h"

#include <stddef.h>

enum err thread_pool_start(int count, struct thread_pool **out, struct note *why)
{
    (void)count;
    (void)why;
    *out = NULL;
    return ERR_NONE;
}

void thread_pool_run(struct thread_pool *pool, thread_pool_work_fn *work, void *context)
{
    (void)pool;
    work(context, 0);
}

void thread_pool_sleep(struct thread_pool *pool, int index)
{
    (void)pool;
    (void)index;
}

void thread_pool_wake(struct thread_pool *pool, int index)
{
    (void)pool;
    (void)index;
}

void thread_pool_yield(void) {}

void thread_pool_end(struct thread_pool *pool) { (void)pool; }
