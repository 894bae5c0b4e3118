/* worker_link: what a worker says to the tournament that it plays for. */
#ifndef PLAY_WORKER_LINK_H
#define PLAY_WORKER_LINK_H

#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "cluster/cluster_subject.h"
#include "cluster/queue.h"

struct worker_link {
    struct queue *queue; /* NULL: not connected yet */
    struct cluster_subjects names;
    struct cluster_hello hello;
    char ply[CLUSTER_SUBJECT_BYTES + QUEUE_SECRET_BYTES]; /* this worker's own subject */
};

/* Who this worker is: the name of the machine and a random number. `name` NULL: the host's. */
struct worker_link worker_link_make(const struct queue_address *address, const char *version,
                                    const char *name, int concurrency);

/* ERR_ENVIRONMENT: no answer. ERR_NEGATIVE: it is refused. */
MUST_USE enum err worker_link_hello(struct worker_link *link, struct cluster_welcome *out,
                                    struct note *why);

/* Is not answered, and may be lost. `key` NULL: it is not about a job. */
void worker_link_report(struct worker_link *link, enum cluster_report_kind kind,
                        const struct cluster_key *key, const char *why);

/* For spectators; may be lost. */
void worker_link_show(struct worker_link *link, struct cluster_plies *plies);

#endif
