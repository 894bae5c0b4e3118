/* job_queue: the two streams of a tournament, of jobs and of results, and the server that has them.
 *
 * For the coordinator. A server that Plum starts is started again whenever it ends.
 */
#ifndef CLUSTER_JOB_QUEUE_H
#define CLUSTER_JOB_QUEUE_H

#include <stdbool.h>

#include "base/note.h"
#include "cluster/cluster_subject.h"
#include "cluster/queue.h"
#include "cluster/queue_server.h"

/* A zeroed struct is closed. */
struct job_queue {
    struct queue_address address;
    bool has_server; /* Plum starts it: */
    struct queue_server server;
    int lease_ms; /* of jobs */
    struct cluster_subjects names;
    struct queue *queue;
};

struct job_queue job_queue_make(const struct queue_address *address, bool has_server,
                                const struct queue_server *server, int lease_ms);

/* Starts the server, connects, and makes the streams. Results that an earlier process had borrowed
 * can be fetched at once. Close it also after an error. */
MUST_USE enum err job_queue_open(struct job_queue *link, struct note *why);
void job_queue_close(struct job_queue *link);

/* Does nothing where they exist. */
MUST_USE enum err job_queue_make_streams(struct job_queue *link, struct note *why);
void job_queue_remove_streams(struct job_queue *link);

/* To be called now and then. True: the server has ended, as *why says; it is started again. */
bool job_queue_watch(struct job_queue *link, struct note *why);

#endif
