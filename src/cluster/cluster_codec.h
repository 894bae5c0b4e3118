/* cluster_codec: the messages between the machine that runs a tournament and its workers.
 *
 * Pure: bytes in memory, no socket and no file. Every message begins with the number of the format
 * and its kind. Integers are little-endian, texts have their length before them. What is read was
 * sent by another machine: every count and length has a maximum, enumerations are checked, texts
 * are UTF-8. Whether a result is true is another question: cluster/result_check.h.
 *
 * Long because it has the structure of each message.
 */
#ifndef CLUSTER_CLUSTER_CODEC_H
#define CLUSTER_CLUSTER_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/note.h"
#include "judge/judge.h"
#include "judge/record.h"
#include "sandbox/violation.h"
#include "tournament/finished_game.h"
#include "tournament/roster.h"
#include "tournament/tournament.h"

enum {
    CLUSTER_FORMAT = 4,
    CLUSTER_MAX_BYTES = 64 << 20, /* of a message */
    CLUSTER_WORD_BYTES = 64,      /* versions and names of machines, with the final NUL */
    CLUSTER_MAX_CONCURRENCY = 1000,
    CLUSTER_MAX_OPENING_PLIES = 100,
    CLUSTER_MAX_FAULTS = 4096, /* of a game */
    CLUSTER_MAX_AGAIN = 100,   /* likewise: begun again on one machine */
    CLUSTER_MAX_LOGS = 4 * ROSTER_MAX_GAMES_PER_PAIRING,
    CLUSTER_MAX_VIOLATIONS = CLUSTER_MAX_LOGS * VIOLATION_MAX,
    CLUSTER_MAX_TEXT_BYTES = 1 << 20,  /* a record or a log */
    CLUSTER_HASH_BYTES = 2 * 32 + 1,   /* SHA-256 in hexadecimal digits, with the final NUL */
    CLUSTER_MAX_FILES = 4096,          /* of a program */
    CLUSTER_MAX_FILE_BYTES = 64 << 20, /* each */
    CLUSTER_MAX_PATH_BYTES = 1024,
};

#define CLUSTER_MAX_SPEED (INT64_C(1) << 40)

/* Bytes that a function here allocated; the caller frees `data`. */
struct cluster_bytes {
    uint8_t *data;
    size_t count;
};

/* What a machine is, and what a tournament needs. */
struct cluster_host {
    char version[CLUSTER_WORD_BYTES]; /* of plum, with the commit */
    char libc[CLUSTER_WORD_BYTES];
    char python[CLUSTER_WORD_BYTES]; /* what `python3 --version` prints; "": there is none */
    bool has_namespaces;             /* its sandbox */
};

/* Nodes a second of a fixed search; 0: not measured. */
struct cluster_speed {
    int64_t processor; /* of processor time: how fast the machine is */
    int64_t wall;      /* of wall time: less if it is busy with other things */
};

/* A worker's first message, repeated every few seconds. Answered by a welcome or a refusal. */
struct cluster_hello {
    char machine[CLUSTER_WORD_BYTES];
    uint64_t worker; /* a random number: one process */
    int concurrency;
    struct cluster_host host;
    bool is_ready; /* it has a welcome already: `host` and `speed` are filled in */
    struct cluster_speed speed;
};

/* A machine that may not play. */
struct cluster_quarantine {
    char machine[CLUSTER_WORD_BYTES];
    struct note why;
};

/* What all jobs of a tournament, or of a self-play run, have in common. They travel in the welcome;
 * a job has their hash. */
struct cluster_terms {
    char game[CLUSTER_WORD_BYTES]; /* its name: that of the rules is NULL where they were read */
    char event[ROSTER_NAME_BYTES];
    char date[CLOCK_DATE_BYTES];
    struct pairing_rules rules;
    bool has_programs; /* a sandbox is needed */
    bool has_tcp;
    int lease_ms; /* a worker that is silent for longer loses its work */
};

struct cluster_player {
    bool can_play;
    char name[ROSTER_NAME_BYTES];
    struct note absence;              /* if it cannot play */
    char spec[PLAYER_TEXT_BYTES];     /* paths are seen from the folder of all programs */
    char program[CLUSTER_HASH_BYTES]; /* of its list of files; "": it needs none */
};

/* Which games a job or a result is about. */
struct cluster_key {
    uint64_t stamp; /* of the database: another one may have the same name */
    struct tournament_work work;
    int attempts[ROSTER_MAX_GAMES_PER_PAIRING]; /* of the games from … to - 1 */
};

struct cluster_job {
    struct cluster_key key;
    uint64_t conditions; /* under which it is played, see cluster_conditions */
    uint64_t seed;
    char round[16];                  /* "": the number of a game stands for itself */
    char start[GAME_POSITION_BYTES]; /* where its games begin; "": as the terms say */
    char avoid[CLUSTER_WORD_BYTES];  /* another machine than this one plays it; "": any */
    struct cluster_player players[2];
};

struct cluster_log {
    int player;
    char *text; /* owned */
};

struct cluster_violation {
    int player;
    struct violation violation;
};

/* A zeroed struct is empty. */
struct cluster_result {
    struct cluster_key key;
    char machine[CLUSTER_WORD_BYTES];
    char sandbox[CLUSTER_WORD_BYTES]; /* the level; "": no program played */
    struct finished_game *games;      /* to - from of them; owned */
    struct cluster_log *logs;         /* owned */
    size_t log_count;
    struct cluster_violation *violations; /* owned */
    size_t violation_count;
};

/* What a worker does. Nothing is answered. */
enum cluster_report_kind {
    CLUSTER_BEGUN,     /* it plays this job */
    CLUSTER_RETURNED,  /* it cannot, for its own reasons */
    CLUSTER_TOO_LARGE, /* it has played it, and no message can contain the result */
    CLUSTER_LEAVING,   /* it ends; `why` is "" if all is well */
    CLUSTER_REPORT_KINDS,
};

struct cluster_report {
    enum cluster_report_kind kind;
    char machine[CLUSTER_WORD_BYTES];
    uint64_t worker;
    struct cluster_key key;
    struct note why;
};

/* The latest plies of a running game, for spectators. They may be lost, and count for nothing. */
enum { CLUSTER_MAX_PLIES = 32 }; /* in a message */
struct cluster_ply {
    char move[GAME_MOVE_BYTES];
    bool has_time;
    int64_t time_ns;
    bool has_fault;
    enum fault fault;
};
struct cluster_plies {
    uint64_t worker;
    struct cluster_key key;
    int index;                       /* of the game in its pairing */
    int black;                       /* the player, as the pairing lists them */
    char start[GAME_POSITION_BYTES]; /* if it is the first message of a game; else "" */
    int first;                       /* plies before these */
    int count;
    struct cluster_ply plies[CLUSTER_MAX_PLIES];
};

/* The answer to a hello. */
struct cluster_welcome {
    bool is_refused;
    struct note why; /* then */
    uint64_t conditions;
    struct cluster_terms terms;
};

/* The files of a program. A zeroed struct is empty. */
struct cluster_file {
    char path[CLUSTER_MAX_PATH_BYTES]; /* inside its folder; no "..", not absolute */
    char hash[CLUSTER_HASH_BYTES];
    int64_t bytes;
    bool is_executable;
};
struct cluster_files {
    struct cluster_file *list; /* owned */
    size_t count;
};

void cluster_result_free(struct cluster_result *result);
void cluster_files_free(struct cluster_files *files);

/* A name for all that a job says, but for the machine to avoid. */
enum { CLUSTER_NAME_BYTES = 2 * 8 + 1 };
void cluster_job_name(const struct cluster_job *job, char out[CLUSTER_NAME_BYTES]);

bool cluster_key_equal(const struct cluster_key *one, const struct cluster_key *other);

/* A hash of the terms, but for date and lease, and of the version of plum. */
uint64_t cluster_conditions(const struct cluster_terms *terms, const char *version);

/* Whether a text is a hash: 64 digits and small letters a to f. */
bool cluster_is_hash(const char *text);

/* Writing: ERR_ENVIRONMENT without memory. Reading: ERR_INPUT if it is malformed; *out is untouched
 * then. */
MUST_USE enum err cluster_write_hello(const struct cluster_hello *hello, struct cluster_bytes *out);
MUST_USE enum err cluster_read_hello(const void *data, size_t count, struct cluster_hello *out,
                                     struct note *why);
MUST_USE enum err cluster_write_welcome(const struct cluster_welcome *welcome,
                                        struct cluster_bytes *out);
MUST_USE enum err cluster_read_welcome(const void *data, size_t count, struct cluster_welcome *out,
                                       struct note *why);
MUST_USE enum err cluster_write_job(const struct cluster_job *job, struct cluster_bytes *out);
MUST_USE enum err cluster_read_job(const void *data, size_t count, struct cluster_job *out,
                                   struct note *why);
MUST_USE enum err cluster_write_result(const struct cluster_result *result,
                                       struct cluster_bytes *out);
MUST_USE enum err cluster_read_result(const void *data, size_t count, struct cluster_result *out,
                                      struct note *why);
MUST_USE enum err cluster_write_report(const struct cluster_report *report,
                                       struct cluster_bytes *out);
MUST_USE enum err cluster_read_report(const void *data, size_t count, struct cluster_report *out,
                                      struct note *why);
MUST_USE enum err cluster_write_plies(const struct cluster_plies *plies, struct cluster_bytes *out);
MUST_USE enum err cluster_read_plies(const void *data, size_t count, struct cluster_plies *out,
                                     struct note *why);
MUST_USE enum err cluster_write_files(const struct cluster_files *files, struct cluster_bytes *out);
MUST_USE enum err cluster_read_files(const void *data, size_t count, struct cluster_files *out,
                                     struct note *why);

#endif
