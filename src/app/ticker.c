#include "app/ticker.h"

#include <stdbool.h>
#include <string.h>

#include "base/clock.h"

/* False when the ticker is stopped before. */
static bool passes(sem_t *is_over, int64_t ns)
{
    struct timespec until = clock_realtime_after(ns);
    return sem_timedwait(is_over, &until) != 0;
}

static void *run(void *argument)
{
    struct ticker *ticker = argument;
    while (passes(&ticker->is_over, ticker->tick(ticker->context))) {
    }
    return NULL;
}

enum err ticker_start(struct ticker *ticker, ticker_fn *tick, void *context, struct note *why)
{
    ticker->tick = tick;
    ticker->context = context;
    sem_init(&ticker->is_over, 0, 0);
    int error = pthread_create(&ticker->thread, NULL, run, ticker);
    if (error) {
        note_set(why, "cannot start a thread: %s", strerror(error));
        sem_destroy(&ticker->is_over);
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

void ticker_stop(struct ticker *ticker)
{
    sem_post(&ticker->is_over);
    pthread_join(ticker->thread, NULL);
    sem_destroy(&ticker->is_over);
}
