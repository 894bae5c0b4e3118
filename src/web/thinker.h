/* thinker: a thread of its own for answers that take time.
 *
 * Jobs wait in a short queue. Visitors take turns, whatever the number of their jobs, and each may
 * have only a few waiting; who is refused lets the own browser think.
 */
#ifndef WEB_THINKER_H
#define WEB_THINKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "web/answer.h"

enum {
    THINKER_MAX_JOBS = 16,
    THINKER_MAX_JOBS_EACH = 4, /* of one visitor */
    THINKER_MAX_TIME_MS = 2000,
    THINKER_MAX_PLIES = 8000, /* of records; about a megabyte of an answer */
    THINKER_HASH_MB = 64,
};

struct thinker;

struct thinker_job {
    uint64_t visitor;
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

enum thinker_reply { THINKER_TAKEN, THINKER_IS_FULL, THINKER_SHARE_IS_FULL };

/* on_done is called, from the thinker's thread, exactly once if the job was taken, else never. */
MUST_USE enum thinker_reply thinker_add(struct thinker *thinker, struct thinker_job *job);

#endif
