/* worker_link: what a worker says to the tournament that it plays for. */
#ifndef APP_WORKER_LINK_H
#define APP_WORKER_LINK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "cluster/cluster_subject.h"
#include "cluster/queue.h"

struct worker_link {
    struct queue *queue; /* NULL: not connected yet */
    struct cluster_subjects names;
    struct cluster_hello hello;
};

/* Who this worker is: the name of the machine and a random number. */
struct worker_link worker_link_make(const char *tournament, const char *version, int concurrency);

/* ERR_ENVIRONMENT: no answer. ERR_NEGATIVE: it is refused. */
MUST_USE enum err worker_link_hello(struct worker_link *link, struct cluster_welcome *out,
                                    struct note *why);

/* Whether the tournament still wants this job. Without an answer it does: the coordinator may be
 * away. */
bool worker_link_claim(struct worker_link *link, const struct cluster_key *key);

/* Without an answer. `key` NULL: it is not about a job. */
void worker_link_report(struct worker_link *link, enum cluster_report_kind kind,
                        const struct cluster_key *key, const char *why);

#endif
