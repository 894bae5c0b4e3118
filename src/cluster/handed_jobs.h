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
    uint64_t number;    /* in the stream; 0: not stored yet */
    unsigned hand_outs; /* how many times it had to be stored again */
    int64_t stored_ns;
    uint64_t worker;                  /* that plays it; 0: none is known */
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
    size_t listed; /* where handed_jobs_list continues */
};

void handed_jobs_free(struct handed_jobs *jobs); /* it is empty then */

/* NULL: no memory. */
struct handed_job *handed_jobs_add(struct handed_jobs *jobs, const struct cluster_job *job);

/* NULL: there is none. */
struct handed_job *handed_jobs_find(const struct handed_jobs *jobs, const struct cluster_key *key);

/* Frees it. */
void handed_jobs_forget(struct handed_jobs *jobs, struct handed_job *job);

struct stored_job {
    struct cluster_key key;
    uint64_t number;
};

/* Some of those that were stored before `before_ns`; each is listed in its turn. Returns how many.
 */
size_t handed_jobs_list(struct handed_jobs *jobs, int64_t before_ns, struct stored_job *out,
                        size_t room);

#endif
