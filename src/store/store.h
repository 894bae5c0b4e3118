/* store: a tournament in a file, safe against whatever may happen to the machine.
 *
 * An SQLite database (WAL). docs/tournaments.md describes its tables; `PRAGMA user_version` is
 * their version; older ones are copied and brought up to date when they are opened. Any number of
 * processes may read while one runs the tournament; a second one to run or change it is refused.
 *
 * What is played is written by store/writer.h. Everything here is for reading, and for what a
 * teaching assistant decides.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "game/game.h"
#include "tournament/tournament.h"

struct store;

enum store_use {
    STORE_READ,
    STORE_CHANGE, /* alone: nobody else may run or change it until it is closed */
    STORE_NOTE,   /* also while it runs: store_note_team changes nothing that a runner knows */
};

/* Makes a database that is not there yet, open for change. `text` is the roster's, `name` that of
 * its file in `folder`, which is absolute. ERR_INPUT: there is a tournament already. */
MUST_USE enum err store_create(const char *path, const struct roster *roster, const char *text,
                               const char *folder, const char *name, struct store **out,
                               struct note *why);

/* ERR_ENVIRONMENT: it is damaged, cannot be read, or (STORE_CHANGE) somebody else has it.
 * ERR_INPUT: there is no such file, or it is some other database. */
MUST_USE enum err store_open(const char *path, enum store_use use, struct store **out,
                             struct note *why);
void store_close(struct store *store); /* NULL is fine */

/* Closes it and takes its files away. For one that was just made. */
void store_remove(struct store *store);

/* Valid until the store is closed. */
const char *store_path(const struct store *store);
const char *store_roster(const struct store *store); /* its text, as it was */
const char *store_folder(const struct store *store); /* of the roster; if it is gone: its own */

/* Whether a process ran or changed the tournament when it was opened for reading; and right now. */
bool store_is_busy(const struct store *store);
bool store_is_busy_now(const struct store *store);

/* How long to wait for somebody who has locked the database itself, 10 s unless told; only one that
 * was taken out of WAL mode can be locked against readers. */
void store_set_patience(struct store *store, int ms);

/* Puts pairings, withdrawals and every game's latest attempt into a tournament that was just
 * initialised from the store's roster. ERR_ENVIRONMENT: what is stored contradicts itself; a
 * result that was changed by anybody but plum is found, too. */
MUST_USE enum err store_load(struct store *store, struct tournament *t, struct note *why);

/* The record of a game's latest attempt, or of an earlier one, as text; NULL if it has none. The
 * caller frees. */
enum { STORE_LATEST = -1 };
MUST_USE enum err store_record(struct store *store, int game, int attempt, char **out,
                               struct note *why);

/* Reads every record. ERR_ENVIRONMENT: one is missing or is not what was written. */
MUST_USE enum err store_check_records(struct store *store, struct note *why);

/* --- What else is kept. Texts are valid during the call; a function returns false to stop. --- */

struct store_fault {
    int game;
    int attempt;
    int team;
    int ply; /* played before */
    enum fault kind;
    const char *why;
    const char *position;
    int64_t time_ms; /* of thinking until then; -1: it was not its turn */
};
typedef bool store_fault_visit(void *owner, const struct store_fault *fault);
/* Of the latest attempts, in order. */
MUST_USE enum err store_each_fault(struct store *store, store_fault_visit *visit, void *owner,
                                   struct note *why);

/* What programs wrote to standard error, by pairing. Its games before `from_game` had another. */
struct store_log {
    int pairing;
    int team;
    int from_game; /* number */
    const char *text;
};
typedef bool store_log_visit(void *owner, const struct store_log *log);
MUST_USE enum err store_each_log(struct store *store, store_log_visit *visit, void *owner,
                                 struct note *why);

/* How a team's source became a program. */
struct store_build {
    int team;
    bool is_built;
    const char *messages; /* of the compiler, or why it was not asked */
};
typedef bool store_build_visit(void *owner, const struct store_build *build);
MUST_USE enum err store_each_build(struct store *store, store_build_visit *visit, void *owner,
                                   struct note *why);

/* Who did what when. */
struct store_deed {
    int64_t at_ms; /* since 1970 */
    const char *who;
    const char *what; /* "created" (the reason is the name of the roster's file), "run", "stopped",
                         "finished", "annul", "replay", "withdraw", "changed", "migrated" */
    int game;         /* or -1 */
    int team;         /* or -1 */
    const char *reason;
};
typedef bool store_deed_visit(void *owner, const struct store_deed *deed);
MUST_USE enum err store_each_deed(struct store *store, store_deed_visit *visit, void *owner,
                                  struct note *why);

/* --- What a teaching assistant decides; STORE_CHANGE. Each leaves a deed. --- */

/* ERR_NEGATIVE: it was not played, or is annulled already. */
MUST_USE enum err store_annul(struct store *store, int game, const char *reason, struct note *why);

/* Sets the result aside; the game is played again. ERR_NEGATIVE: it was not played. */
MUST_USE enum err store_replay(struct store *store, int game, const char *reason, struct note *why);

/* The team plays `rounds` rounds and no more. */
MUST_USE enum err store_withdraw(struct store *store, int team, int rounds, const char *reason,
                                 struct note *why);

/* Adds a deed of this user. */
MUST_USE enum err store_note_deed(struct store *store, const char *what, const char *reason,
                                  struct note *why);
/* A deed that concerns one team and is nobody else's business: spectators hear nothing of it. */
MUST_USE enum err store_note_team(struct store *store, int team, const char *what,
                                  const char *reason, struct note *why);
MUST_USE enum err store_note_build(struct store *store, const struct store_build *build,
                                   struct note *why);

/* Remembers what a file of a team's program is. Whether it was something else before; then that is
 * a deed, too. */
MUST_USE enum err store_note_program(struct store *store, int team, const char *file, int64_t hash,
                                     bool *has_changed, struct note *why);

#endif
