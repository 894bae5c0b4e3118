#include "store/seal.h"

#include <stdio.h>

#include "base/hash.h"
#include "store/store_db.h"

enum { MOST_COLUMNS = 9, LIST_ROOM = 256, SQL_ROOM = 1024 };

/* Rows of `game` and `pairing` have checksums of their own, which are sealed in place of what they
 * cover: a hundred thousand games must be read quickly. For the same reason `record` has a checksum
 * in each row, which is looked at when the record is read. */
static const struct {
    const char *name;
    const char *columns[MOST_COLUMNS + 1];
} tables[] = {
    {"tournament", {"name", "game", "roster", "folder", "created_ms"}},
    {"team", {"team", "id", "name"}},
    {"withdrawal", {"team", "rounds"}},
    {"pairing", {"pairing", "checksum"}},
    {"game", {"game", "attempt", "record", "checksum"}},
    {"fault", {"id", "game", "attempt", "team", "ply", "kind", "why", "position", "time_ms"}},
    {"build", {"team", "is_built", "messages"}},
    {"program", {"team", "file", "hash"}},
    {"audit", {"id", "at_ms", "who", "what", "game", "team", "reason"}},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

/* --- Functions for SQL --- */

static uint64_t hash_value(uint64_t hash, sqlite3_value *value)
{
    int type = sqlite3_value_type(value);
    hash = hash_pair(hash, (uint64_t)type);
    if (type == SQLITE_INTEGER) {
        return hash_pair(hash, (uint64_t)sqlite3_value_int64(value));
    }
    if (type == SQLITE_NULL) {
        return hash;
    }
    const void *bytes = sqlite3_value_blob(value);
    return hash_bytes(hash, bytes, (size_t)sqlite3_value_bytes(value));
}

static uint64_t hash_values(int count, sqlite3_value **values)
{
    uint64_t hash = HASH_SEED;
    for (int i = 0; i < count; i++) {
        hash = hash_value(hash, values[i]);
    }
    return hash;
}

/* seal_hash(value, …) */
static void seal_hash(sqlite3_context *context, int count, sqlite3_value **values)
{
    sqlite3_result_int64(context, (int64_t)hash_values(count, values));
}

/* seal_move(checksum, hash of a row that goes, hash of a row that comes) */
static void seal_move(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    uint64_t checksum = (uint64_t)sqlite3_value_int64(values[0]);
    checksum -= (uint64_t)sqlite3_value_int64(values[1]);
    checksum += (uint64_t)sqlite3_value_int64(values[2]);
    sqlite3_result_int64(context, (int64_t)checksum);
}

/* seal_sum(value, …) over rows */
static void add_row(sqlite3_context *context, int count, sqlite3_value **values)
{
    uint64_t *sum = sqlite3_aggregate_context(context, sizeof *sum);
    if (sum) {
        *sum += hash_values(count, values);
    } else {
        sqlite3_result_error_nomem(context);
    }
}

static void finish_sum(sqlite3_context *context)
{
    const uint64_t *sum = sqlite3_aggregate_context(context, 0);
    sqlite3_result_int64(context, sum ? (int64_t)*sum : 0);
}

enum err seal_install(struct store *store, struct note *why)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    sqlite3 *db = store->db;
    bool is_good = sqlite3_create_function(db, "seal_hash", -1, flags, NULL, seal_hash, NULL,
                                           NULL) == SQLITE_OK &&
                   sqlite3_create_function(db, "seal_move", 3, flags, NULL, seal_move, NULL,
                                           NULL) == SQLITE_OK &&
                   sqlite3_create_function(db, "seal_sum", -1, flags, NULL, NULL, add_row,
                                           finish_sum) == SQLITE_OK;
    return is_good ? ERR_NONE : store_fail(store, "open", why);
}

/* --- Tables --- */

/* "NEW.a, NEW.b" */
static const char *list_columns(int table, const char *prefix, char out[LIST_ROOM])
{
    size_t used = 0;
    for (int i = 0; tables[table].columns[i]; i++) {
        used += (size_t)snprintf(out + used, LIST_ROOM - used, "%s%s%s", i ? ", " : "", prefix,
                                 tables[table].columns[i]);
    }
    return out;
}

enum err seal_begin(struct store *store, struct note *why)
{
    enum err err = store_run(store, "DELETE FROM seal", why);
    for (int i = 0; !err && i < TABLES; i++) {
        char sql[SQL_ROOM];
        char columns[LIST_ROOM];
        snprintf(sql, sizeof sql, "INSERT INTO seal SELECT '%s', seal_sum(%s) FROM %s",
                 tables[i].name, list_columns(i, "", columns), tables[i].name);
        err = store_run(store, sql, why);
    }
    return err;
}

static enum err watch(struct store *store, int table, struct note *why)
{
    static const struct {
        const char *event;
        bool takes;
        bool adds;
    } kinds[] = {{"INSERT", false, true}, {"UPDATE", true, true}, {"DELETE", true, false}};
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < 3; i++) {
        char sql[SQL_ROOM];
        char columns[LIST_ROOM];
        char taken[LIST_ROOM + 16] = "0";
        char added[LIST_ROOM + 16] = "0";
        if (kinds[i].takes) {
            snprintf(taken, sizeof taken, "seal_hash(%s)", list_columns(table, "OLD.", columns));
        }
        if (kinds[i].adds) {
            snprintf(added, sizeof added, "seal_hash(%s)", list_columns(table, "NEW.", columns));
        }
        snprintf(sql, sizeof sql,
                 "CREATE TEMP TRIGGER seal_%s_%s AFTER %s ON main.%s BEGIN"
                 " UPDATE seal SET checksum = seal_move(checksum, %s, %s) WHERE name = '%s'; END",
                 tables[table].name, kinds[i].event, kinds[i].event, tables[table].name, taken,
                 added, tables[table].name);
        err = store_run(store, sql, why);
    }
    return err;
}

enum err seal_watch(struct store *store, struct note *why)
{
    enum err err = store_run(store, "PRAGMA temp_store = MEMORY", why);
    for (int i = 0; !err && i < TABLES; i++) {
        err = watch(store, i, why);
    }
    return err;
}

static enum err check(struct store *store, int table, struct note *why)
{
    char sql[SQL_ROOM];
    char columns[LIST_ROOM];
    bool has_row = false;
    snprintf(sql, sizeof sql,
             "SELECT 1 FROM seal WHERE name = '%s' AND checksum = (SELECT seal_sum(%s) FROM %s)",
             tables[table].name, list_columns(table, "", columns), tables[table].name);
    sqlite3_stmt *row = store_prepare(store, why, sql, "");
    enum err err = row ? store_step(store, row, &has_row, why) : ERR_ENVIRONMENT;
    sqlite3_finalize(row);
    if (!err && !has_row) {
        note_set(why,
                 "%.120s is damaged: its table '%s' is not what plum wrote; continue with a "
                 "copy made by plum tournament backup",
                 store->path, tables[table].name);
        err = ERR_ENVIRONMENT;
    }
    return err;
}

enum err seal_check(struct store *store, struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < TABLES; i++) {
        err = check(store, i, why);
    }
    return err;
}
