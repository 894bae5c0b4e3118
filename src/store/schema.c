/* schema: the tables of a tournament's database, and how older ones become the present ones.
 *
 * The file schema/N.sql leads from version N - 1 to N. docs/tournaments.md describes the tables for
 * people.
 */
#include <stdio.h>

#include "base/embedded.h"
#include "store/store_db.h"

enum err schema_migrate(struct store *store, int64_t version, const char *copy, struct note *why)
{
    char pragmas[96];
    enum err err = ERR_NONE;
    while (!err && version++ < SCHEMA_VERSION) {
        char name[32];
        snprintf(name, sizeof name, "src/store/schema/%d.sql", (int)version);
        err = store_run(store, embedded_find(name)->bytes, why);
    }
    if (!err && copy) {
        err = store_audit_team(store, -1, "migrated", copy, why);
    }
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d;",
             SCHEMA_APPLICATION, SCHEMA_VERSION);
    err = err ? err : checksum_compute(store, why);
    return err ? err : store_run(store, pragmas, why);
}

static enum err refuse_stranger(struct store *store, struct note *why)
{
    int64_t tables = 0;
    enum err err = store_read_number(store, "SELECT count(*) FROM sqlite_schema", &tables, why);
    if (err) {
        return err;
    }
    if (tables) {
        note_set(why, "%.200s is not a tournament", store->path);
    } else {
        note_set(why,
                 "%.120s contains no tournament yet: its run ended before it began. Delete it, and "
                 "begin with 'plum tournament run ROSTER'",
                 store->path);
    }
    return ERR_INPUT;
}

enum err schema_read_version(struct store *store, int64_t *version, struct note *why)
{
    int64_t application = 0;
    enum err err = store_read_number(store, "PRAGMA application_id", &application, why);
    err = err ? err : store_read_number(store, "PRAGMA user_version", version, why);
    if (!err && application != SCHEMA_APPLICATION) {
        err = refuse_stranger(store, why);
    }
    if (!err && *version < 1) {
        err = note_fail(why, ERR_ENVIRONMENT,
                        "%.200s is damaged: there is no version %d of the tables", store->path,
                        (int)*version);
    }
    if (!err && *version > SCHEMA_VERSION) {
        err = note_fail(why, ERR_INPUT,
                        "%.200s was written by a newer plum (version %d of the tables, not %d)",
                        store->path, (int)*version, SCHEMA_VERSION);
    }
    return err;
}
