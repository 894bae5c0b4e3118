/* thinker: a thread of its own for answers that take thought.
 *
 * Jobs wait in a short queue, one after another: a full one refuses, and a page then lets the
 * visitor's own browser think.
 */
#ifndef WEB_THINKER_H
#define WEB_THINKER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "web/answer.h"

enum {
    THINKER_MAX_JOBS = 16,
    THINKER_MAX_TIME_MS = 2000,
    THINKER_HASH_MB = 64,
};

struct thinker;

struct thinker_job {
    const struct answer *answer;
    struct question question; /* its texts outlive the job */
    void (*on_done)(void *owner);
    void *owner;

    /* Set when it is done. */
    enum err err;
    struct note why;
    char *text; /* the owner frees; NULL after a refusal */
    size_t size;
};

MUST_USE enum err thinker_start(enum cpu_level cpu, struct thinker **out, struct note *why);

/* Refuses every job that is waiting, and all that come later. */
void thinker_stop(struct thinker *thinker);
void thinker_free(struct thinker *thinker); /* stopped, or NULL */

/* on_done is called, from the thinker's thread, exactly once; false: the queue is full, it is
 * not. */
MUST_USE bool thinker_add(struct thinker *thinker, struct thinker_job *job);

#endif
