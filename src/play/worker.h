/* worker: plays jobs of a tournament, or of self-play, that another machine runs.
 *
 * It borrows one job for each of its slots, plays it, stores the result on the server, and only
 * then acknowledges the job. A worker that ends before loses nothing: the job is lent out
 * again. If this machine cannot play (disk, sandbox, a file that is not what its hash says), the
 * work is given back and the worker ends.
 */
#ifndef PLAY_WORKER_H
#define PLAY_WORKER_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/note.h"
#include "cluster/queue.h"

struct worker_options {
    struct queue_address address;
    const char *version; /* of plum, with the commit */
    enum cpu_level cpu;
    const char *name;        /* of this machine; NULL: that of the host */
    int concurrency;         /* games at once; 0: what the cores allow */
    int64_t idle_ns;         /* ends after so long without work; 0: never */
    const atomic_bool *stop; /* while it plays, SIGINT and SIGTERM also reach its own loop */
    void *owner;
    void (*on_remark)(void *owner, const char *sentence); /* on any thread */
};

/* ERR_NEGATIVE: it was refused. ERR_ENVIRONMENT: this machine cannot play. ERR_NONE: the tournament
 * is over, or there was no work for too long; *why then says which. */
MUST_USE enum err worker_run(const struct worker_options *options, struct note *why);

#endif
