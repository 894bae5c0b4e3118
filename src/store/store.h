/* store: a tournament in a file, which survives crashes and power cuts.
 *
 * An SQLite database (WAL). docs/tournaments.md describes its tables. `PRAGMA user_version` is
 * their version; an older database is copied and brought up to date when it is opened. Any number
 * of processes may read while one runs the tournament; a second one to run or change it is refused.
 *
 * store/writer.h writes what is played. The functions here read, and write what a teaching
 * assistant decides; store/tournament_file.h loads a whole tournament.
 *
 * Long because each table of the database has its own reader.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"
#include "judge/game_event.h"
#include "sandbox/violation.h"
#include "tournament/tournament.h"

struct store;

enum store_use {
    STORE_READ,
    STORE_CHANGE,   /* exclusive: no other process may run or change it until it is closed */
    STORE_ANNOTATE, /* also while it runs: store_audit_team changes nothing that a runner uses */
};

/* Creates a database and opens it for change. `text` is the roster's, `name` that of its file in
 * `folder`, which is absolute. ERR_INPUT: the file exists. */
MUST_USE enum err store_create(const char *path, const struct roster *roster, const char *text,
                               const char *folder, const char *name, struct store **out,
                               struct note *why);

/* ERR_ENVIRONMENT: it is damaged, cannot be read, or (STORE_CHANGE) another process has locked it.
 * ERR_INPUT: there is no such file, or it is another kind of database. */
MUST_USE enum err store_open(const char *path, enum store_use use, struct store **out,
                             struct note *why);
void store_close(struct store *store); /* NULL is fine */

/* Closes it and deletes its files. For one that was just created. */
void store_remove(struct store *store);

/* Valid until the store is closed. */
const char *store_path(const struct store *store);
const char *store_roster(const struct store *store); /* its text, when it was last loaded */
const char *store_folder(const struct store *store); /* of the roster; if it is gone: its own */

/* Whether a process ran or changed the tournament when it was opened for reading; and right now. */
bool store_is_busy(const struct store *store);
bool store_is_busy_now(const struct store *store);

/* ERR_ENVIRONMENT: the database was deleted, replaced or cut short while it was open for change, so
 * that what was committed is no longer under its name. All of it is then saved in a new file, which
 * store_saved names. If another file was copied over it, nothing can be saved. */
MUST_USE enum err store_confirm(struct store *store, struct note *why);

/* The same after the last commit: what is in the files is read again. They must have `played` games
 * that count, with their records. */
MUST_USE enum err store_verify(struct store *store, size_t played, struct note *why);

/* Whether store_confirm or store_verify failed: to resume its file cannot help. */
bool store_is_lost(const struct store *store);
const char *store_saved(const struct store *store); /* NULL: nothing had to be saved */

/* A complete, checked copy, also while the tournament is written. `path` must not exist; it appears
 * when the copy is safely on the disk, or not at all. */
MUST_USE enum err store_backup(struct store *store, const char *path, struct note *why);

/* How long to wait for a process that has locked the database itself (10 s). Only a database that
 * was taken out of WAL mode can be locked against readers. */
void store_set_patience(struct store *store, int ms);

/* Reads the text of the roster again: a team may have entered since. */
MUST_USE enum err store_read_roster(struct store *store, struct note *why);

/* Puts pairings, withdrawals and every game's latest attempt into a tournament that was just
 * initialised from the store's roster. ERR_ENVIRONMENT: the data contradict each other, or another
 * program has changed them. */
MUST_USE enum err store_load(struct store *store, struct tournament *t, struct note *why);

/* Brings a loaded tournament up to date: the pairings that it lacks, and the latest attempts of
 * these games. It does not see what else was changed, nor whether other rows are damaged. After an
 * error the tournament must be loaded again. */
MUST_USE enum err store_load_games(struct store *store, struct tournament *t, const int *games,
                                   size_t count, struct note *why);

/* How many rows were read since it was opened: for tests of what a reader costs. */
int64_t store_rows_read(const struct store *store);

/* The record of a game's latest attempt, as text; NULL if it has none. The caller frees. */
MUST_USE enum err store_record(struct store *store, enum tournament_phase phase, int game,
                               char **out, struct note *why);

/* The teams that had Black and White in a game's latest attempt. ERR_NEGATIVE: it has none. */
MUST_USE enum err store_players(struct store *store, int game, int teams[2], struct note *why);

/* Reads every record. ERR_ENVIRONMENT: one is missing or is not what was written. */
MUST_USE enum err store_check_records(struct store *store, struct note *why);

/* --- Other tables. Texts are valid during the call; a function returns false to stop. --- */

/* The player of a fault is not set: its team is known. */
typedef bool store_fault_visit(void *owner, int game, int team, const struct game_fault *fault);
/* Of the latest attempts, in order. Its texts are one line of plain text each. */
MUST_USE enum err store_each_fault(struct store *store, store_fault_visit *visit, void *owner,
                                   struct note *why);

/* What programs wrote to standard error, by pairing. */
struct store_log {
    enum tournament_phase phase;
    int team;
    int from_game; /* the first one that it is about */
    const char *text;
};
typedef bool store_log_visit(void *owner, const struct store_log *log);
MUST_USE enum err store_each_log(struct store *store, store_log_visit *visit, void *owner,
                                 struct note *why);

/* What a team's programs tried and the sandbox refused, by pairing. */
struct store_violation {
    int team;
    struct violation violation;
};
typedef bool store_violation_visit(void *owner, const struct store_violation *violation);
MUST_USE enum err store_each_violation(struct store *store, store_violation_visit *visit,
                                       void *owner, struct note *why);

/* How a team's source became a program. */
struct store_build {
    int team;
    bool is_built;
    const char *messages; /* of the compiler, or why it was not run */
};
typedef bool store_build_visit(void *owner, const struct store_build *build);
MUST_USE enum err store_each_build(struct store *store, store_build_visit *visit, void *owner,
                                   struct note *why);

/* What machines did. */
struct store_machine_counts {
    int64_t refused;  /* results that could not be true */
    int64_t returned; /* pairings that it gave back for its own reasons */
    int64_t lost;     /* pairings that it did not finish */
};
struct store_machine {
    const char *name; /* "": the one that runs the tournament */
    int64_t games;    /* that it finished and that were not set aside */
    int64_t set_aside;
    int64_t moves; /* in all of these, as are the next two */
    int64_t late;  /* faults of programs, by kind */
    int64_t crashed;
    struct store_machine_counts counts;
    const char *quarantine; /* the reason; NULL: it is not in quarantine */
};
typedef bool store_machine_visit(void *owner, const struct store_machine *machine);
MUST_USE enum err store_each_machine(struct store *store, store_machine_visit *visit, void *owner,
                                     struct note *why);

/* The audit log: each action with its user and time. */
struct store_audit_entry {
    int64_t at_ms; /* since 1970 */
    const char *who;
    const char *what; /* "created" (the reason is the name of the roster's file), "run", "stopped",
                         "finished", "annul", "restore", "replay", "withdraw", "rejoin",
                         "enter", "disqualify" (also one of those below), "reinstate",
                         "changed", "migrated", "qualify", "qualified", "qualify again",
                         "quarantine", "release" */
    int game;         /* or -1 */
    int team;         /* or -1 */
    const char *reason;
};
typedef bool store_audit_visit(void *owner, const struct store_audit_entry *entry);
MUST_USE enum err store_each_audit_entry(struct store *store, store_audit_visit *visit, void *owner,
                                         struct note *why);

/* What happened, in order, for spectators.
 *
 *     created, run, stopped, finished    of the whole tournament
 *     round      text: its number, from 0; its pairings are made
 *     start      text: the numbers of Black's and White's team, the position
 *     ply        text: as a line of a record; deleted when the game is over
 *     over       text: result, score, reason
 *     annul, restore, replay, withdraw, rejoin, enter, disqualify, reinstate, quarantine
 *                text: the reason
 *     qualify, qualified    before and after the games against random, which have no events
 */
struct store_event {
    int64_t id; /* grows; some are missing */
    int64_t at_ms;
    const char *kind;
    int game; /* or -1 */
    const char *text;
};
typedef bool store_event_visit(void *owner, const struct store_event *event);
/* Those with an id above `after`, in order, at most `limit`. */
MUST_USE enum err store_each_event(struct store *store, int64_t after, int limit,
                                   store_event_visit *visit, void *owner, struct note *why);

/* --- What a teaching assistant decides; STORE_CHANGE. Each adds an audit entry. --- */

/* ERR_NEGATIVE: one of them was not played, or is annulled already; then none is annulled. */
MUST_USE enum err store_annul(struct store *store, const int *games, size_t count,
                              const char *reason, struct note *why);

/* They count again. ERR_NEGATIVE: one of them is not annulled; then none is restored. */
MUST_USE enum err store_restore(struct store *store, const int *games, size_t count,
                                const char *reason, struct note *why);

/* Sets the results aside; the games are played again. ERR_NEGATIVE: one of them was not played, or
 * waits for that already; then none is. */
MUST_USE enum err store_replay(struct store *store, const int *games, size_t count,
                               const char *reason, struct note *why);

/* The team plays only the first `rounds` rounds. */
MUST_USE enum err store_withdraw(struct store *store, int team, int rounds, const char *reason,
                                 struct note *why);

/* It plays all rounds, whatever was decided before or is in the roster. */
MUST_USE enum err store_rejoin(struct store *store, int team, const char *reason, struct note *why);

/* A team enters: `text` is the whole roster with it, in which it has this number. */
MUST_USE enum err store_enter(struct store *store, int team, const struct roster *roster,
                              const char *text, const char *reason, struct note *why);

/* The team leaves the ranking, or this is taken back; tournament/tournament.h. The audit log is
 * where it is stored, with what becomes of the games if that is not left to the roster: the last
 * entry about a team counts. */
#define STORE_DISQUALIFY_VOID "disqualify games = void"
#define STORE_DISQUALIFY_KEEP "disqualify games = keep"
MUST_USE enum err store_disqualify(struct store *store, int team, enum disqualified_games games,
                                   const char *reason, struct note *why);
MUST_USE enum err store_reinstate(struct store *store, int team, const char *reason,
                                  struct note *why);

/* A machine plays no more games, and those that it played are played again; or this is taken back:
 * then only the first. *games: how many are set aside. Games of the qualification are among them
 * until the first round is paired. */
MUST_USE enum err store_quarantine(struct store *store, const char *machine, bool is_taken_back,
                                   const char *reason, size_t *games, struct note *why);

/* Teams play their games of the qualification again, with programs that are built again. `roster`:
 * the text of the tournament's roster from now on, with the same teams; NULL: as it is. */
MUST_USE enum err store_qualify_again(struct store *store, const int *teams, int count,
                                      const char *roster, const char *reason, struct note *why);

/* Adds an audit entry of this user, and an event for spectators. */
MUST_USE enum err store_audit(struct store *store, const char *what, const char *reason,
                              struct note *why);
/* An audit entry about one team, which is confidential: without an event. */
MUST_USE enum err store_audit_team(struct store *store, int team, const char *what,
                                   const char *reason, struct note *why);
MUST_USE enum err store_save_build(struct store *store, const struct store_build *build,
                                   struct note *why);

/* Saves a hash of a file of a team's program. *has_changed: it had another one before, which also
 * adds an audit entry. */
MUST_USE enum err store_save_program_hash(struct store *store, int team, const char *file,
                                          int64_t hash, bool *has_changed, struct note *why);

/* Compares it with the saved hash. *is_same: there is one, and it is equal. */
MUST_USE enum err store_compare_program_hash(struct store *store, int team, const char *file,
                                             int64_t hash, bool *is_same, struct note *why);

#endif
