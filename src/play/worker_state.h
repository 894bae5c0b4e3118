/* worker_state: what the parts of a worker share.
 *
 * Private to the files worker.c, worker_jobs.c, worker_results.c and worker_slots.c.
 *
 *     worker.c            connects, prepares this machine, starts and ends the threads
 *     worker_jobs.c       borrows jobs, fetches their programs, renews their leases
 *     worker_slots.c      plays them in the judge's thread, and shows running games
 *     worker_results.c    delivers results
 *
 * Threads: the judge's, which is the caller's; one fetches jobs and programs and sends signs of
 * life; one delivers results; one renews the leases, whatever the others wait for; one shows
 * running games to spectators. One lock guards the list of jobs; no thread holds it while it waits
 * for the network.
 */
#ifndef PLAY_WORKER_STATE_H
#define PLAY_WORKER_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "play/pool.h"
#include "play/worker.h"
#include "play/worker_board.h"
#include "play/worker_link.h"
#include "base/folder.h"
#include "cluster/cluster_codec.h"
#include "sandbox/sandbox_folder.h"

/* In the order in which they end. */
enum worker_thread {
    WORKER_FETCHER,
    WORKER_DELIVERER,
    WORKER_RENEWER,
    WORKER_SHOWER,
    WORKER_THREADS
};

enum work_state { WORK_FETCHED, WORK_READY, WORK_PLAYING, WORK_DONE };

struct worker;

/* A job that is borrowed. */
struct worker_work {
    struct worker_work *next;
    enum work_state state;
    struct queue_message message;
    struct cluster_job job;
    char date[CLOCK_DATE_BYTES]; /* of its records */
    struct player_spec specs[2];
    struct state start; /* if the job has one */
    struct cluster_result result;
    size_t log_capacity;
    size_t violation_capacity;
};

struct worker {
    const struct worker_options *options;
    struct worker_link link;
    uint64_t conditions;        /* hash of the terms */
    struct cluster_terms terms; /* date and lease may change: they are read under the lock */
    const struct game *game;
    struct folder_scratch scratch; /* the programs are below it */
    struct sandbox sandbox;
    struct sandbox_neighbours neighbours;
    struct pool *pool;

    pthread_mutex_t mutex;                /* of what follows */
    pthread_cond_t wakes[WORKER_THREADS]; /* each thread has its own: most changes are for one */
    bool is_shower_idle;                  /* no game runs that it knows of */
    struct worker_work *works;
    struct worker_board *boards; /* by slot */
    bool is_stopping;
    bool is_ended; /* no more games: threads end when they have nothing left */
    enum err err;
    struct note why;
    int64_t busy_ns; /* when there was work last */
};

/* --- worker.c --- */

/* No more jobs are played. The first reason counts. Takes the lock, as does the next. */
void worker_stop(struct worker *worker, enum err err, const char *why);
bool worker_is_stopping(struct worker *worker);
void worker_pause(int ms);

/* --- worker_jobs.c --- */

/* The bodies of two threads. */
void *worker_jobs_fetch(void *owner);
void *worker_jobs_renew(void *owner);

/* The first job in that state; NULL: there is none. The lock is held. */
struct worker_work *worker_jobs_find(struct worker *worker, enum work_state state);
void worker_jobs_set_state(struct worker *worker, struct worker_work *work, enum work_state state);
/* Removes and frees it. */
void worker_jobs_drop(struct worker *worker, struct worker_work *work);
/* For this machine's own reasons: it does not count against the job. */
void worker_jobs_give_back(struct worker *worker, struct worker_work *work, const char *why);

/* --- worker_results.c --- */

/* The body of a thread. */
void *worker_results_deliver(void *owner);

/* --- worker_slots.c --- */

/* Opens the judge's loop and the slots in it. */
MUST_USE enum err worker_slots_open(struct worker *worker, struct note *why);
void worker_slots_free(struct worker *worker);
/* The body of the thread that shows running games. */
void *worker_slots_show(void *owner);

#endif
