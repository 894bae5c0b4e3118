/* store_db: SQLite as the files of src/store use it, and what they share. For src/store only. */
#ifndef STORE_STORE_DB_H
#define STORE_STORE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/note.h"
#include "store/store.h"

/* The database itself and the two files that WAL mode keeps next to it. */
enum { STORE_FILES = 3 };

/* Which file had a name at some moment. A zeroed struct: there was none. */
struct store_identity {
    dev_t device;
    ino_t inode;
    off_t bytes;
};

struct store {
    sqlite3 *db;
    int64_t rows_read;
    int lock_fd; /* -1: not locked */
    bool is_busy;
    char *path;      /* as the caller wrote it */
    char *whole;     /* the same, absolute and without links: the current folder may change */
    char *lock_path; /* absolute */
    bool is_lost;    /* what is under its name is not what was committed */
    char *saved;     /* where store_confirm has saved the tournament; or NULL */
    char *roster;
    char *folder;
    struct store_identity files[STORE_FILES]; /* of one that is open for change */
    uint64_t head; /* a hash of the page that the tournament's row is in, which never changes */
};

/* Always ERR_ENVIRONMENT; the note has the message of SQLite. */
MUST_USE enum err store_fail(struct store *store, const char *doing, struct note *why);

/* One or more statements without values. */
MUST_USE enum err store_run(struct store *store, const char *sql, struct note *why);

/* Ends a transaction: commits it without an `err`, else rolls it back. Returns `err`, or that of
 * the commit. */
MUST_USE enum err store_end(struct store *store, enum err err, struct note *why);

/* NULL: it failed. `format` has a letter for each value that is bound, in order: i an int, l an
 * int64_t, t a text (NULL is a null), n a null without a value. Texts must outlive it. */
sqlite3_stmt *store_prepare(struct store *store, struct note *why, const char *sql,
                            const char *format, ...);

/* Runs a statement that gives no rows, with values as above, and forgets it. */
MUST_USE enum err store_do(struct store *store, struct note *why, const char *sql,
                           const char *format, ...);

/* Binds values to a statement that is kept, runs it and makes it ready for the next time. */
MUST_USE enum err store_do_again(struct store *store, sqlite3_stmt *statement, struct note *why,
                                 const char *format, ...);

/* The first column of the first row; 0 without a row. */
MUST_USE enum err store_read_number(struct store *store, const char *sql, int64_t *out,
                                    struct note *why);

/* One step. *has_row is false at the end. */
MUST_USE enum err store_step(struct store *store, sqlite3_stmt *statement, bool *has_row,
                             struct note *why);

/* A column's text; "" for null. */
const char *store_text(sqlite3_stmt *statement, int column);

/* Of a column `result`. */
enum outcome store_outcome(const char *result);

/* A column `black` or `white`: null is TOURNAMENT_RANDOM. */
int store_player(sqlite3_stmt *statement, int column);

/* Games of the qualification and the pairings that they belong to have negative numbers in the
 * database, and nowhere else. */
int store_number(enum tournament_phase phase, int number);
/* The way back; `stored` is a column. */
enum tournament_phase store_phase(int stored, int *number);

/* An entry of this user in the audit log. Game and team may be -1: none. */
MUST_USE enum err store_add_entry(struct store *store, int64_t now_ms, const char *what, int game,
                                  int team, const char *reason, struct note *why);

/* Remembers which files are open, for store_confirm. */
void store_remember_files(struct store *store);

/* ERR_ENVIRONMENT: the file is shorter than its own first page says. Before the first statement:
 * SQLite takes an empty file for a new database and deletes what belongs to the old one. */
MUST_USE enum err store_check_length(struct store *store, struct note *why);

/* A checked copy next to the database, whose name gets `ending`, and a number if that is taken.
 * *out is its name; the caller frees. */
MUST_USE enum err store_copy_aside(struct store *store, const char *ending, char **out,
                                   struct note *why);

/* --- schema.c: the tables, and how older ones become the present ones --- */

enum { SCHEMA_APPLICATION = 0x506c756d }; /* "Plum": PRAGMA application_id */
enum { SCHEMA_VERSION = 7 };              /* PRAGMA user_version */

/* ERR_INPUT: it is not a tournament of ours, or of a newer version. */
MUST_USE enum err schema_read_version(struct store *store, int64_t *version, struct note *why);

/* Within a transaction. An empty database has version 0. `copy` is the name of a copy of what it
 * was before, for the audit log; NULL for a new database. */
MUST_USE enum err schema_migrate(struct store *store, int64_t version, const char *copy,
                                 struct note *why);

/* --- checksum.c: a row that was not written by plum is noticed --- */

/* Of a result or a pairing; stored in its row. */
int64_t checksum_game(const struct tournament_game *game, const char *status);
int64_t checksum_pairing(int pairing, int round, const struct pairing *teams);

/* Adds the SQL functions that the rest, and the schema, use to a connection. */
MUST_USE enum err checksum_install(struct store *store, struct note *why);

/* Computes the checksums of all tables as they are now. */
MUST_USE enum err checksum_compute(struct store *store, struct note *why);

/* From now on what this connection writes updates the checksums. */
MUST_USE enum err checksum_track(struct store *store, struct note *why);

/* ERR_ENVIRONMENT: a table is not what plum wrote. */
MUST_USE enum err checksum_verify(struct store *store, struct note *why);

#endif
