/* ticker: a thread that calls a function from time to time while the caller works. */
#ifndef APP_TICKER_H
#define APP_TICKER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"

/* Returns the nanoseconds until the next call, at least 1. */
typedef int64_t ticker_fn(void *context);

struct ticker {
    ticker_fn *tick;
    void *context;
    sem_t is_over;
    pthread_t thread;
};

/* The first call comes at once, in the new thread. ERR_ENVIRONMENT: no thread; nothing to stop. */
MUST_USE enum err ticker_start(struct ticker *ticker, ticker_fn *tick, void *context,
                               struct note *why);

/* Returns when the last call has returned. */
void ticker_stop(struct ticker *ticker);

#endif
