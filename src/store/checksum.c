/* checksum: a row that was added, changed or deleted by another program than plum is noticed.
 *
 * Each result and each pairing has a checksum in its row. Each table that decides something has a
 * running checksum in the table `table_checksum`: the sum of its rows' hashes. A connection that
 * writes updates it with triggers of its own, one addition a row; a reader adds up all rows. This
 * protects against accidents, not against a person who reads this.
 */

#include <stdio.h>

#include "base/hash.h"
#include "store/store_db.h"

enum { MOST_COLUMNS = 9, LIST_ROOM = 256, SQL_ROOM = 1024 };

/* Of `game` and `pairing` the rows' own checksums are added up, not what those cover: a hundred
 * thousand games must be read quickly. For the same reason `record` has a checksum in each row,
 * which is verified when the record is read. */
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
    {"machine", {"machine", "refused", "returned", "lost", "quarantine"}},
    {"audit", {"id", "at_ms", "who", "what", "game", "team", "reason"}},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

/* --- Results and pairings --- */

static uint64_t add_text(uint64_t hash, const char *text)
{
    for (; *text; text++) {
        hash = hash_pair(hash, (uint64_t)(unsigned char)*text);
    }
    return hash;
}

static uint64_t hash_numbers(const int64_t *numbers, size_t count)
{
    uint64_t hash = HASH_SEED;
    for (size_t i = 0; i < count; i++) {
        hash = hash_pair(hash, (uint64_t)numbers[i]);
    }
    return hash;
}

int64_t checksum_game(const struct tournament_game *game, const char *status)
{
    int black = game->summary.colour[0] == SIDE_BLACK ? 0 : 1;
    const int64_t numbers[] = {
        store_number(game->phase, game->number),
        game->attempt,
        game->team[black],
        game->team[1 - black],
        game->summary.outcome,
        game->summary.score[0],
        game->summary.score[1],
        game->summary.is_forfeit,
        game->summary.plies,
    };
    uint64_t hash = hash_numbers(numbers, sizeof numbers / sizeof numbers[0]);
    hash = add_text(hash, game->summary.reason);
    return (int64_t)add_text(hash, status);
}

int64_t checksum_pairing(int pairing, int round, const struct pairing *teams)
{
    const int64_t numbers[] = {pairing, round, teams->team[0], teams->team[1]};
    return (int64_t)hash_numbers(numbers, sizeof numbers / sizeof numbers[0]);
}

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

/* checksum_hash(value, …) */
static void hash_row(sqlite3_context *context, int count, sqlite3_value **values)
{
    sqlite3_result_int64(context, (int64_t)hash_values(count, values));
}

/* checksum_move(checksum, hash of a row that goes, hash of a row that comes) */
static void move_checksum(sqlite3_context *context, int count, sqlite3_value **values)
{
    (void)count;
    uint64_t checksum = (uint64_t)sqlite3_value_int64(values[0]);
    checksum -= (uint64_t)sqlite3_value_int64(values[1]);
    checksum += (uint64_t)sqlite3_value_int64(values[2]);
    sqlite3_result_int64(context, (int64_t)checksum);
}

/* checksum_sum(value, …) over rows */
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

enum err checksum_install(struct store *store, struct note *why)
{
    int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    sqlite3 *db = store->db;
    bool is_good = sqlite3_create_function(db, "checksum_hash", -1, flags, NULL, hash_row, NULL,
                                           NULL) == SQLITE_OK &&
                   sqlite3_create_function(db, "checksum_move", 3, flags, NULL, move_checksum, NULL,
                                           NULL) == SQLITE_OK &&
                   sqlite3_create_function(db, "checksum_sum", -1, flags, NULL, NULL, add_row,
                                           finish_sum) == SQLITE_OK;
    /* Now, because a transaction may not change it. */
    return is_good ? store_run(store, "PRAGMA temp_store = MEMORY", why)
                   : store_fail(store, "open", why);
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

enum err checksum_compute(struct store *store, struct note *why)
{
    enum err err = store_run(store, "DELETE FROM table_checksum", why);
    for (int i = 0; !err && i < TABLES; i++) {
        char sql[SQL_ROOM];
        char columns[LIST_ROOM];
        snprintf(sql, sizeof sql,
                 "INSERT INTO table_checksum SELECT '%s', checksum_sum(%s) FROM %s", tables[i].name,
                 list_columns(i, "", columns), tables[i].name);
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
            snprintf(taken, sizeof taken, "checksum_hash(%s)",
                     list_columns(table, "OLD.", columns));
        }
        if (kinds[i].adds) {
            snprintf(added, sizeof added, "checksum_hash(%s)",
                     list_columns(table, "NEW.", columns));
        }
        snprintf(sql, sizeof sql,
                 "CREATE TEMP TRIGGER track_%s_%s AFTER %s ON main.%s BEGIN"
                 " UPDATE table_checksum SET checksum = checksum_move(checksum, %s, %s) WHERE name "
                 "= '%s'; END",
                 tables[table].name, kinds[i].event, kinds[i].event, tables[table].name, taken,
                 added, tables[table].name);
        err = store_run(store, sql, why);
    }
    return err;
}

enum err checksum_track(struct store *store, struct note *why)
{
    enum err err = ERR_NONE;
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
             "SELECT 1 FROM table_checksum WHERE name = '%s' AND checksum = (SELECT "
             "checksum_sum(%s) FROM %s)",
             tables[table].name, list_columns(table, "", columns), tables[table].name);
    sqlite3_stmt *row = store_prepare(store, why, sql, "");
    enum err err = row ? store_step(store, row, &has_row, why) : ERR_ENVIRONMENT;
    sqlite3_finalize(row);
    if (!err && !has_row) {
        err = note_fail(why, ERR_ENVIRONMENT,
                        "%.120s is damaged: its table '%s' is not what plum wrote; continue with a "
                        "copy made by plum tournament backup",
                        store->path, tables[table].name);
    }
    return err;
}

enum err checksum_verify(struct store *store, struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < TABLES; i++) {
        err = check(store, i, why);
    }
    return err;
}
