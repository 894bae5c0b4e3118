/* coordinator: hands out jobs to workers and takes their results, for the machine that runs a
 * tournament.
 *
 * It has its own threads, so that nothing of it takes time from games on this machine. It knows
 * which jobs are handed out, but not what a tournament is: the caller decides which games are next
 * and stores results. A result is acknowledged when the caller has stored it; until then the server
 * keeps it.
 *
 * If the server loses a job (its disk, or a bug), the job is handed out again. A job that fails
 * five times (workers that end, impossible results, results that vanish), or whose result is too
 * large for the server, is given up: the caller plays it. A machine that takes many jobs and
 * finishes none is refused until the coordinator is opened again.
 */
#ifndef CLUSTER_COORDINATOR_H
#define CLUSTER_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "cluster/queue.h"
#include "cluster/queue_server.h"

enum { COORDINATOR_MAX_JOBS = 8192 };

struct coordinator_options {
    struct queue_address address;
    bool has_server;            /* Plum starts it: */
    struct queue_server server; /* its folder */
    const char *blobs;          /* the folder of the programs' files */
    enum cpu_level cpu;         /* for replaying */
    struct cluster_host needed; /* what a worker must be */
    struct cluster_terms terms;
    uint64_t stamp;             /* see struct cluster_key */
    struct cluster_speed speed; /* of this machine */
    int slowest_percent;        /* of it; slower workers are refused; 0: none is */
    const struct cluster_quarantine *quarantines;
    size_t quarantine_count;
};

enum coordinator_event_kind {
    COORDINATOR_PENDING,  /* the server still has a job of an earlier run: see coordinator_adopt */
    COORDINATOR_READY,    /* all that waited was delivered before: jobs can be handed out */
    COORDINATOR_RESULT,   /* see `result` */
    COORDINATOR_GIVEN_UP, /* the job `key` is not handed out any more: play it here */
    COORDINATOR_CHANGED,  /* there may be room for more jobs */
    COORDINATOR_PLIES,    /* of a running game: `plies` */
    COORDINATOR_FAILURE,  /* of `machine`, one of a bounded number: see `failure` */
    COORDINATOR_REMARK,   /* for a person: `remark` */
};

/* What a machine did wrong. */
enum coordinator_failure {
    COORDINATOR_REFUSED,  /* its result cannot be true */
    COORDINATOR_RETURNED, /* it gave a job back for its own reasons */
    COORDINATOR_LOST,     /* it did not finish a job */
};

struct coordinator_event {
    enum coordinator_event_kind kind;
    struct cluster_key key;
    char name[CLUSTER_NAME_BYTES]; /* of the job, if it is pending */
    struct cluster_result result;  /* owned by the caller */
    bool is_expected;  /* the job was handed out since the start, and the result is checked; else it
                          waited for the start, and nothing is known about it */
    uint64_t delivery; /* for coordinator_settle */
    struct cluster_plies *plies; /* owned by the caller */
    char machine[CLUSTER_WORD_BYTES];
    enum coordinator_failure failure;
    struct note remark;
};

/* What happened since coordinator_open. */
struct coordinator_counts {
    int workers; /* at work now */
    int slots;   /* their games at once */
    int jobs;    /* handed out */
    int64_t results;
    int64_t duplicates; /* results that were there already */
    int64_t refused;    /* results that cannot be true */
    int64_t unfinished; /* jobs whose worker did not finish them */
    int64_t repeats;    /* jobs that the server had lost */
    int64_t verified;   /* jobs that two machines played in the same way */
    int64_t differing;  /* jobs that they played in another way */
    int64_t unverified; /* jobs for which there was no second machine */
};

struct coordinator;

/* Starts the server, if it is Plum's own, and the threads. */
MUST_USE enum err coordinator_open(struct coordinator **out,
                                   const struct coordinator_options *options, struct note *why);

/* `is_over`: workers are notified that the tournament is over, and the streams are removed. NULL is
 * fine. */
void coordinator_close(struct coordinator *coordinator, bool is_over);

/* From now on `on_wake` is called, on any thread, when there are events. The first are results that
 * waited, then jobs that are still pending, then COORDINATOR_READY. */
void coordinator_attach(struct coordinator *coordinator, void *owner, void (*on_wake)(void *owner));
/* No call follows. Jobs that are handed out are forgotten, and so are events; the server keeps
 * these jobs and the results that were not settled. */
void coordinator_detach(struct coordinator *coordinator);

bool coordinator_next(struct coordinator *coordinator, struct coordinator_event *out);

/* How many more jobs can be handed out. */
int coordinator_room(struct coordinator *coordinator);

/* A job without stamp and conditions. `is_verified`: two machines play it, and the result is
 * delivered if they agree; else the job is given up. */
MUST_USE enum err coordinator_hand_out(struct coordinator *coordinator,
                                       const struct cluster_job *job, bool is_verified,
                                       struct note *why);

/* Before COORDINATOR_READY is taken: the pending job `name` is handed out already. False: it says
 * something else than this one, which has no stamp. A job that is not adopted is removed. */
bool coordinator_adopt(struct coordinator *coordinator, const struct cluster_job *job,
                       bool is_verified, const char *name);

/* Where no worker is known for a while: a job is forgotten, and the caller plays it. */
bool coordinator_take_back(struct coordinator *coordinator, struct tournament_work *out);

/* The result is stored, or not wanted (`is_duplicate`). */
void coordinator_settle(struct coordinator *coordinator, uint64_t delivery, bool is_duplicate);

/* Whether a result that waited can be that of this job, without its stamp. If it is one of the
 * same games and cannot be true, COORDINATOR_FAILURE follows. */
bool coordinator_is_true(struct coordinator *coordinator, const struct cluster_job *job,
                         struct cluster_result *result);

struct coordinator_counts coordinator_counts(struct coordinator *coordinator);

#endif
