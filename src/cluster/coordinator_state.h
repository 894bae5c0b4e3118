/* coordinator_state: what the parts of the coordinator share.
 *
 * Private to the files coordinator*.c. One lock guards all that changes; no thread holds it while
 * it waits for the server. A function says whether its caller holds the lock.
 *
 *     coordinator.c            opens and closes, serves the caller, maintains the server
 *     coordinator_workers.c    who may play, and what workers report about jobs
 *     coordinator_jobs.c       hands jobs out, again when they are lost, and removes them
 *     coordinator_results.c    fetches results, checks and compares them, and acknowledges them
 *
 * Threads: one fetches results and checks them, one (the maintenance) does everything else that
 * waits for the server. Requests of workers are answered on threads of the library.
 */
#ifndef CLUSTER_COORDINATOR_STATE_H
#define CLUSTER_COORDINATOR_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mailbox.h"
#include "cluster/cluster_subject.h"
#include "cluster/coordinator.h"
#include "cluster/handed_jobs.h"
#include "cluster/job_queue.h"
#include "cluster/machine_list.h"
#include "cluster/worker_list.h"

enum { COORDINATOR_RETRY_MS = 100 }; /* after a failure */

struct delivery; /* a result that the caller has not settled */

/* A job on the server that this coordinator has not handed out. */
struct pending_job {
    struct cluster_key key;
    char name[CLUSTER_NAME_BYTES];
};

/* Where the coordinator is with what an earlier run has left on the server. */
enum attach_state {
    ATTACH_READS,  /* which jobs it still has */
    ATTACH_DRAINS, /* results that wait */
    ATTACH_OFFERS, /* all is delivered, and the caller has not taken it */
    ATTACH_DONE,
};

struct coordinator {
    struct coordinator_options options;
    struct job_queue link;
    struct cluster_subjects names; /* of the link, as is the next */
    struct queue *queue;
    uint64_t conditions; /* of all jobs */
    uint64_t run;        /* a number of this coordinator's own */
    pthread_t fetcher;
    pthread_t maintainer;
    bool is_disk_full; /* when the maintenance looked last */
    int unanswered;    /* questions of the maintenance, in a row */

    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t wake;
    void *owner;
    void (*on_wake)(void *owner); /* NULL: detached */
    unsigned phase;               /* grows with each attach */
    enum attach_state attach;
    int64_t attached_ns;
    bool must_compare; /* soon: a job on the server is not wanted any more */
    bool is_stopping;
    bool is_over;  /* the tournament, when it stops */
    bool has_work; /* for the maintenance: since it looked last */
    struct handed_jobs jobs;
    struct worker_list workers;
    struct machine_list machines;
    struct mailbox events;       /* of struct coordinator_event, for the caller */
    struct pending_job *pending; /* that were read; of the fetching thread */
    size_t pending_count;
    struct delivery *deliveries;
    uint64_t last_delivery;
    struct coordinator_counts counts;
};

/* --- coordinator.c --- */

void coordinator_pause(int ms);
bool coordinator_is_stopping(struct coordinator *coordinator); /* takes the lock */

/* The caller of the next four holds the lock. False: too many events wait. */
bool coordinator_add_event(struct coordinator *coordinator, const struct coordinator_event *event);
__attribute__((format(printf, 2, 3))) void coordinator_remark(struct coordinator *coordinator,
                                                              const char *format, ...);
/* Not for more machines than are remembered. */
void coordinator_note_failure(struct coordinator *coordinator, const char *machine,
                              enum coordinator_failure failure);
void coordinator_wake_maintenance(struct coordinator *coordinator);

/* --- coordinator_workers.c --- */

MUST_USE enum err coordinator_workers_subscribe(struct coordinator *coordinator, struct note *why);

/* ERR_NEGATIVE: the machine may not play. Needs no lock. */
MUST_USE enum err coordinator_workers_refuse_quarantined(const struct coordinator *coordinator,
                                                         const char *machine, struct note *why);

/* The lock is held. */
void coordinator_workers_drop_silent(struct coordinator *coordinator);

/* --- coordinator_jobs.c; the lock is held in the first four --- */

/* It is not handed out any more, and forgotten: no worker gets it. */
void coordinator_jobs_remove(struct coordinator *coordinator, struct handed_job *job);
/* The same, and the caller plays it. False: not yet. */
bool coordinator_jobs_give_up(struct coordinator *coordinator, struct handed_job *job,
                              const char *why);
/* It must be played once more. True: it is given up, and forgotten. */
bool coordinator_jobs_count_failure(struct coordinator *coordinator, struct handed_job *job);
/* It is stored again, for another worker. */
void coordinator_jobs_hand_out_again(struct coordinator *coordinator, struct handed_job *job);

/* In the maintenance: stores what is not on the server yet; hands out again what the server has
 * lost, and removes from it what is not handed out. */
void coordinator_jobs_store(struct coordinator *coordinator);
void coordinator_jobs_compare(struct coordinator *coordinator);

/* Which jobs the server has, into `pending`. */
MUST_USE enum err coordinator_jobs_read(struct coordinator *coordinator);

/* --- coordinator_results.c --- */

/* The body of the thread that fetches results. */
void *coordinator_results_fetch(void *owner);

/* The lock is held in the next three. The server may forget a result: */
void coordinator_results_settle(struct coordinator *coordinator, uint64_t id);
/* Where there is no second machine any more, the first result counts. */
void coordinator_results_release_unverified(struct coordinator *coordinator);
/* Results that are here and stay on the server until they are settled. */
uint64_t coordinator_results_count(const struct coordinator *coordinator);

/* In the maintenance: acknowledges what is settled, and renews the leases of the rest. */
void coordinator_results_acknowledge(struct coordinator *coordinator);
void coordinator_results_renew(struct coordinator *coordinator);
/* What the caller has not settled stays on the server. */
void coordinator_results_return(struct coordinator *coordinator);

#endif
