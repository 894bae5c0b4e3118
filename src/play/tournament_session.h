/* tournament_session: what `plum tournament qualify`, `run` and `resume` do.
 *
 * A roster becomes a database; the players are read, built and tried; what is left of the
 * qualification and the tournament is played; start and end become entries of the audit log. It
 * does not know the command line or the terminal: the caller prints.
 */
#ifndef PLAY_TOURNAMENT_SESSION_H
#define PLAY_TOURNAMENT_SESSION_H

#include <stdatomic.h>

#include "play/entrants.h"
#include "play/estimate.h"
#include "play/tournament_workers.h"
#include "base/cpu.h"
#include "base/note.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_folder.h"
#include "store/tournament_file.h"

enum { TOURNAMENT_SESSION_MAX_CONCURRENCY = 1000, TOURNAMENT_SESSION_PATH_BYTES = 4096 };

struct tournament_session {
    struct tournament_file *file; /* open for change */
    enum cpu_level cpu;
    const atomic_bool *stop; /* ends the preparation, with ERR_INTERRUPTED */
    int concurrency; /* games at once; 0: as the roster says, else what the cores allow; with
                        workers: none */
    struct tournament_workers_wish wish;
    void *owner;
    /* Before the games of the qualification, if any are left. */
    void (*on_qualification)(void *owner, const struct estimate *estimate);
    /* A few times a second. */
    void (*on_tick)(void *owner, const struct tournament *t);
    void (*on_warning)(void *owner, const char *sentence); /* about this machine */
    void (*on_remark)(void *owner, const char *sentence);  /* about programs; may repeat */

    /* Made by tournament_session_prepare. */
    struct entrants entrants;
    struct sandbox sandbox;
    struct sandbox_neighbours neighbours;
    struct tournament_workers workers;
    bool is_probed; /* the sandbox was needed for compilers */
};

/* Creates the database of a roster; `database` NULL: the roster's name, with .db for .ini. Close
 * the file also after an error. ERR_INPUT with problems: of the roster, or files that are missing.
 */
MUST_USE enum err tournament_session_create(struct tournament_file *file, const char *roster,
                                            const char *database, enum cpu_level cpu,
                                            struct roster_problems *problems, struct note *why);

/* The same, but a database in which only a qualification was played is opened for change, and the
 * tournament continues with it. *is_new: it was created. ERR_INPUT: it is another roster's. */
MUST_USE enum err tournament_session_begin(struct tournament_file *file, const char *roster,
                                           const char *database, enum cpu_level cpu, bool *is_new,
                                           struct roster_problems *problems, struct note *why);

/* The same for a file that is a roster or a database, which is opened whatever was played. */
MUST_USE enum err tournament_session_enter(struct tournament_file *file, const char *path,
                                           const char *database, enum cpu_level cpu, bool *is_new,
                                           struct roster_problems *problems, struct note *why);

/* The path of the database of a roster, which need not exist; or `path` itself if it is one. */
void tournament_session_name_database(const char *path, const char *database,
                                      char out[TOURNAMENT_SESSION_PATH_BYTES]);

/* The database of a roster (`database` NULL: with the usual name), or `path` itself if it is a
 * database; "" if there is none. Returns whether `path` is not a database. */
bool tournament_session_find(const char *path, const char *database,
                             char out[TOURNAMENT_SESSION_PATH_BYTES]);

/* All that can fail before the first game. The current folder becomes that of the roster.
 * ERR_INPUT with problems: files that are missing. */
MUST_USE enum err tournament_session_prepare(struct tournament_session *session,
                                             struct roster_problems *problems, struct note *why);

/* Plays the games of the qualification that are due; none if all are played. */
MUST_USE enum err tournament_session_qualify(struct tournament_session *session, struct note *why);

/* Plays what is left, first the qualification, if the tournament has one. ERR_INTERRUPTED: Ctrl-C;
 * finished games are in the database. */
MUST_USE enum err tournament_session_play(struct tournament_session *session, struct note *why);

void tournament_session_free(struct tournament_session *session);

/* Games at once: the roster's, else as many as leave each agent a core and one to the judge. */
int tournament_session_concurrency(const struct roster *roster);

#endif
