/* threads: a pool of one, for a place without threads. */
#include "engine/threads.h"

#include <stddef.h>

enum err threads_start(int count, struct threads **out, struct note *why)
{
    (void)count;
    (void)why;
    *out = NULL;
    return ERR_NONE;
}

void threads_run(struct threads *threads, threads_work_fn *work, void *context)
{
    (void)threads;
    work(context, 0);
}

void threads_sleep(struct threads *threads, int index)
{
    (void)threads;
    (void)index;
}

void threads_wake(struct threads *threads, int index)
{
    (void)threads;
    (void)index;
}

void threads_yield(void) {}

void threads_end(struct threads *threads) { (void)threads; }
