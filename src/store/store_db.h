/* store_db: SQLite as the store's files use it. Nobody outside src/store includes this. */
#ifndef STORE_STORE_DB_H
#define STORE_STORE_DB_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "store/store.h"

struct store {
    sqlite3 *db;
    int lock_fd; /* -1: not locked */
    bool is_busy;
    char *path;      /* as the caller wrote it */
    char *lock_path; /* absolute */
    char *roster;
    char *folder;
};

/* Always ERR_ENVIRONMENT; the note tells what SQLite found. */
MUST_USE enum err store_fail(struct store *store, const char *doing, struct note *why);

/* One or more statements without values. */
MUST_USE enum err store_run(struct store *store, const char *sql, struct note *why);

/* Ends a transaction: commits it if `err` is none, else takes everything back. Returns what came of
 * it. */
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

/* One step. *has_row is false at the end. */
MUST_USE enum err store_step(struct store *store, sqlite3_stmt *statement, bool *has_row,
                             struct note *why);

/* A column's text; "" for null. */
const char *store_text(sqlite3_stmt *statement, int column);

/* Of a column `result`. */
enum outcome store_outcome(const char *result);

/* Over what a result or a pairing says, so that a change by anybody else is noticed. */
int64_t store_checksum(const struct tournament_game *game, const char *status);
int64_t store_pairing_checksum(int pairing, int round, const struct pairing *teams);

#endif
