#include "store/store_db.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"

/* A text, such as the roster of the tournament, is not a damaged database. */
static bool is_text(const char *path)
{
    char start[64];
    FILE *file = fopen(path, "re");
    size_t bytes = file ? fread(start, 1, sizeof start, file) : 0;
    if (file) {
        fclose(file);
    }
    return bytes && !memchr(start, '\0', bytes) && utf8_clean_prefix(start, bytes) > 0;
}

static void refuse_text(const struct store *store, struct note *why)
{
    char database[PATH_MAX];
    const char *dot = strrchr(store->path, '.');
    bool is_ini = dot && strcmp(dot, ".ini") == 0;
    snprintf(database, sizeof database, "%.*s.db",
             (int)(is_ini ? dot - store->path : (long)strlen(store->path)), store->path);
    bool has_database = access(database, F_OK) == 0;
    note_set(why, "%.120s is not a tournament database%s%.120s", store->path,
             has_database ? "; it is in "
             : is_ini     ? ": plum tournament run makes one from a roster"
                          : "",
             has_database ? database : "");
}

enum err store_fail(struct store *store, const char *doing, struct note *why)
{
    int code = sqlite3_errcode(store->db); /* without a connection: no memory */
    if (code == SQLITE_NOTADB && is_text(store->path)) {
        refuse_text(store, why);
    } else if (code == SQLITE_NOTADB || code == SQLITE_CORRUPT) {
        note_set(why, "%.200s is damaged (%s): continue with a copy made by plum tournament backup",
                 store->path, sqlite3_errmsg(store->db));
    } else if (code == SQLITE_BUSY) {
        note_set(why, "the database %.200s is locked by another process", store->path);
    } else {
        bool has_cause = code == SQLITE_IOERR || code == SQLITE_CANTOPEN;
        int cause = has_cause ? sqlite3_system_errno(store->db) : 0;
        note_set(why, "cannot %s %.200s: %s", doing, store->path,
                 cause ? strerror(cause) : sqlite3_errmsg(store->db));
    }
    return ERR_ENVIRONMENT;
}

enum err store_run(struct store *store, const char *sql, struct note *why)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? ERR_NONE
               : store_fail(store, "write", why);
}

enum err store_end(struct store *store, enum err err, struct note *why)
{
    if (err || (err = store_run(store, "COMMIT", why))) {
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return err;
}

static int bind_values(sqlite3_stmt *statement, const char *format, va_list values)
{
    int code = SQLITE_OK;
    for (int i = 1; *format && code == SQLITE_OK; format++, i++) {
        switch (*format) {
        case 'i':
            code = sqlite3_bind_int(statement, i, va_arg(values, int));
            break;
        case 'l':
            code = sqlite3_bind_int64(statement, i, va_arg(values, int64_t));
            break;
        case 't':
            code = sqlite3_bind_text(statement, i, va_arg(values, const char *), -1, SQLITE_STATIC);
            break;
        default:
            code = sqlite3_bind_null(statement, i);
        }
    }
    return code;
}

static sqlite3_stmt *prepare(struct store *store, struct note *why, const char *sql,
                             const char *format, va_list values)
{
    sqlite3_stmt *statement = NULL;
    enum err err = ERR_NONE;
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK ||
        bind_values(statement, format, values) != SQLITE_OK) {
        err = store_fail(store, "read", why);
    }
    if (err) {
        sqlite3_finalize(statement);
        return NULL;
    }
    return statement;
}

sqlite3_stmt *store_prepare(struct store *store, struct note *why, const char *sql,
                            const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = prepare(store, why, sql, format, values);
    va_end(values);
    return statement;
}

enum err store_do(struct store *store, struct note *why, const char *sql, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    sqlite3_stmt *statement = prepare(store, why, sql, format, values);
    va_end(values);
    if (!statement) {
        return ERR_ENVIRONMENT;
    }
    enum err err = ERR_NONE;
    if (sqlite3_step(statement) != SQLITE_DONE) {
        err = store_fail(store, "write", why);
    }
    sqlite3_finalize(statement);
    return err;
}

enum err store_do_again(struct store *store, sqlite3_stmt *statement, struct note *why,
                        const char *format, ...)
{
    va_list values;
    va_start(values, format);
    int code = bind_values(statement, format, values);
    va_end(values);
    if (code == SQLITE_OK) {
        code = sqlite3_step(statement);
    }
    enum err err = code == SQLITE_DONE ? ERR_NONE : store_fail(store, "write", why);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return err;
}

enum err store_step(struct store *store, sqlite3_stmt *statement, bool *has_row, struct note *why)
{
    int code = sqlite3_step(statement);
    *has_row = code == SQLITE_ROW;
    store->rows_read += *has_row;
    return code == SQLITE_ROW || code == SQLITE_DONE ? ERR_NONE : store_fail(store, "read", why);
}

enum err store_read_number(struct store *store, const char *sql, int64_t *out, struct note *why)
{
    bool has_row = false;
    sqlite3_stmt *statement = store_prepare(store, why, sql, "");
    enum err err = statement ? store_step(store, statement, &has_row, why) : ERR_ENVIRONMENT;
    if (!err) {
        *out = has_row ? sqlite3_column_int64(statement, 0) : 0;
    }
    sqlite3_finalize(statement);
    return err;
}

int64_t store_rows_read(const struct store *store) { return store->rows_read; }

const char *store_text(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

int store_player(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? TOURNAMENT_RANDOM
               : sqlite3_column_int(statement, column);
}

int store_number(enum tournament_phase phase, int number)
{
    return phase == PHASE_QUALIFICATION ? -1 - number : number;
}

enum tournament_phase store_phase(int stored, int *number)
{
    *number = stored < 0 ? -1 - stored : stored;
    return stored < 0 ? PHASE_QUALIFICATION : PHASE_ROUNDS;
}

enum outcome store_outcome(const char *result)
{
    return strcmp(result, "1-0") == 0   ? OUTCOME_BLACK
           : strcmp(result, "0-1") == 0 ? OUTCOME_WHITE
           : strcmp(result, "0-0") == 0 ? OUTCOME_BOTH_LOST
                                        : OUTCOME_DRAW;
}
