/* search_worker: a thread of its own for endpoints that take time.
 *
 * Jobs wait in a short mailbox, and are not taken in order: clients take turns, however many jobs
 * each has, and each may have only a few waiting. A page whose job is refused searches in its own
 * browser.
 */
#ifndef WEB_SEARCH_WORKER_H
#define WEB_SEARCH_WORKER_H

#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/note.h"
#include "web/api.h"

enum {
    SEARCH_WORKER_MAX_JOBS = 16,
    SEARCH_WORKER_MAX_JOBS_EACH = 4, /* of one client */
    SEARCH_WORKER_MAX_TIME_MS = 2000,
    SEARCH_WORKER_MAX_PLIES = 8000, /* of records; about a megabyte of JSON */
    SEARCH_WORKER_HASH_MB = 64,
};

struct search_worker;

struct search_worker_job {
    uint64_t client;
    const struct api_endpoint *endpoint;
    struct api_query query; /* its texts outlive the job */
    void (*on_done)(void *owner);
    void *owner;

    /* Set when it is done. */
    enum err err;
    struct note why;
    char *text; /* the owner frees; NULL after an error */
    size_t size;
};

MUST_USE enum err search_worker_start(enum cpu_level cpu, struct search_worker **out,
                                      struct note *why);

/* Refuses every job that is waiting, and all that come later. */
void search_worker_stop(struct search_worker *worker);
void search_worker_free(struct search_worker *worker); /* stopped, or NULL */

enum search_worker_reply {
    SEARCH_WORKER_TAKEN,
    SEARCH_WORKER_IS_FULL,
    SEARCH_WORKER_SHARE_IS_FULL
};

/* on_done is called, in the worker's thread, exactly once if the job was taken, else never. */
MUST_USE enum search_worker_reply search_worker_add(struct search_worker *worker,
                                                    struct search_worker_job *job);

#endif
