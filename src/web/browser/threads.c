/* threads: a crew of one, for a place without threads. */
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

void threads_end(struct threads *threads) { (void)threads; }
