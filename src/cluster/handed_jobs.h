/* handed_jobs: the jobs that a coordinator has handed out and that have no result yet.
 *
 * The caller holds a lock where threads share it.
 */
#ifndef CLUSTER_HANDED_JOBS_H
#define CLUSTER_HANDED_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/cluster_codec.h"
#include "cluster/coordinator.h"

struct handed_job {
    struct cluster_job job;
    char name[CLUSTER_NAME_BYTES]; /* in the stream */
    bool is_stored;
    unsigned hand_outs; /* how many times it had to be stored again */
    int64_t stored_ns;
    uint64_t worker;                  /* that has begun it; 0: none is known */
    char machine[CLUSTER_WORD_BYTES]; /* of that worker */
    int failures;                     /* unfinished, impossible results, losses */
    bool is_verified;                 /* two machines must play it */
    struct coordinator_event *first;  /* the result of one of them; owned */
};

/* A zeroed struct is empty. */
struct handed_jobs {
    struct handed_job **list; /* owned, as are the jobs */
    size_t count;
    size_t capacity;
};

void handed_jobs_free(struct handed_jobs *jobs); /* it is empty then */

/* NULL: no memory. */
struct handed_job *handed_jobs_add(struct handed_jobs *jobs, const struct cluster_job *job);

/* NULL: there is none. */
struct handed_job *handed_jobs_find(const struct handed_jobs *jobs, const struct cluster_key *key);

/* Frees it. */
void handed_jobs_forget(struct handed_jobs *jobs, struct handed_job *job);

#endif
