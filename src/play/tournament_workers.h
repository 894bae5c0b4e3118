/* tournament_workers: makes a tournament ready to be played by workers on other machines.
 *
 * Copies the programs into the folder of the queue, opens the coordinator, and writes a worker
 * file.
 */
#ifndef PLAY_TOURNAMENT_WORKERS_H
#define PLAY_TOURNAMENT_WORKERS_H

#include "play/entrants.h"
#include "play/tournament_source.h"
#include "base/note.h"
#include "cluster/coordinator.h"
#include "sandbox/sandbox.h"
#include "store/tournament_file.h"

enum {
    TOURNAMENT_WORKERS_PATH_BYTES = QUEUE_SERVER_PATH_BYTES,
    TOURNAMENT_WORKERS_MIN_LEASE_MS = 1000,
    TOURNAMENT_WORKERS_MAX_LEASE_MS = 3600000,
    TOURNAMENT_WORKERS_LEASE_MS = 30000, /* unless another is asked for */
    TOURNAMENT_WORKERS_MAX_FILES = 1000,
    TOURNAMENT_WORKERS_SLOWEST_PERCENT = 50, /* unless another share is asked for */
    TOURNAMENT_WORKERS_MAX_SLOWEST_PERCENT = 1000000,
};

/* What a user asks for. A zeroed struct: no workers. */
struct tournament_workers_wish {
    const char *address; /* "HOST:PORT" of a server that Plum starts; "": the usual; NULL: none */
    const char *url;     /* or of one that is there already; NULL: none */
    const char *version; /* of plum, with the commit */
    int lease_ms;
    int slowest_percent; /* slower workers are refused; 0: none is */
    int verify_percent;  /* see struct tournament_source_options */
};

/* A zeroed struct is none. */
struct tournament_workers {
    char folder[TOURNAMENT_WORKERS_PATH_BYTES];      /* of the queue; absolute */
    char blobs[TOURNAMENT_WORKERS_PATH_BYTES];       /* in it */
    char worker_file[TOURNAMENT_WORKERS_PATH_BYTES]; /* that was written */
    struct remote_program *programs;                 /* by team */
    struct cluster_quarantine *quarantines;
    size_t quarantine_count;
    size_t quarantine_capacity;
    struct coordinator *coordinator;
    char place[QUEUE_URL_BYTES]; /* "HOST:PORT" where workers connect */
    struct note address_change;  /* see queue_server_save_address */
    bool is_verifying;           /* two machines play some pairings */
};

/* Where the queue of a database and its worker file are. */
MUST_USE enum err tournament_workers_locate(struct tournament_workers *workers,
                                            const char *database, struct note *why);

/* After tournament_workers_locate: makes what the server needs, and fills in where it is. Also for
 * self-play and matches, as are the next three. */
MUST_USE enum err tournament_workers_prepare(const struct tournament_workers *workers,
                                             const struct tournament_workers_wish *wish,
                                             struct coordinator_options *options, struct note *why);

/* Opens the coordinator. When its server listens the address is kept, and the worker file is
 * written. */
MUST_USE enum err tournament_workers_start(struct tournament_workers *workers,
                                           const struct coordinator_options *options,
                                           struct note *why);

/* Puts the files of a program where workers fetch them. ERR_INPUT: it cannot be sent. */
MUST_USE enum err tournament_workers_pack(const struct tournament_workers *workers,
                                          const struct player_spec *spec, const char *python,
                                          const struct sandbox *sandbox, struct remote_program *out,
                                          struct note *why);

/* What to start on other machines, and where it connects. */
void tournament_workers_announce(const struct tournament_workers *workers, void *owner,
                                 void (*on_warning)(void *owner, const char *sentence));

/* After tournament_workers_locate; the current folder is that of the roster. `sandbox` NULL: no
 * player is a program. ERR_INPUT: a program cannot be sent. */
MUST_USE enum err tournament_workers_open(struct tournament_workers *workers,
                                          const struct tournament_workers_wish *wish,
                                          const struct tournament_file *file,
                                          const struct entrants *entrants,
                                          const struct sandbox *sandbox, enum cpu_level cpu,
                                          struct note *why);

/* What the workers did; nothing if the coordinator was not opened. Also for self-play. */
void tournament_workers_report(const struct tournament_workers *workers, void *owner,
                               void (*on_warning)(void *owner, const char *sentence));

void tournament_workers_close(struct tournament_workers *workers, bool is_over);

/* Writes `count` worker files NAME-1.worker … into a folder, which is made; each is a user of the
 * server that 'run --workers' starts, or has started. */
MUST_USE enum err tournament_workers_write_files(struct tournament_workers *workers,
                                                 const char *address, const char *folder, int count,
                                                 struct note *why);

#endif
