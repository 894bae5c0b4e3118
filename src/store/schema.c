/* schema: the tables of a tournament's database, and how older ones become the present ones.
 *
 * docs/tournaments.md describes them for people.
 */
#include <stdio.h>

#include "store/store_db.h"

/* The columns of a game that no version has changed. */
#define GAME_FIGURES                               \
    "  black_score INTEGER NOT NULL,"              \
    "  white_score INTEGER NOT NULL,"              \
    "  reason TEXT NOT NULL,"                      \
    "  is_forfeit INTEGER NOT NULL,"               \
    "  plies INTEGER NOT NULL,"                    \
    "  black_thinking_ms INTEGER NOT NULL,"        \
    "  white_thinking_ms INTEGER NOT NULL,"        \
    "  black_slowest_ms INTEGER NOT NULL,"         \
    "  white_slowest_ms INTEGER NOT NULL,"         \
    "  started_ms INTEGER NOT NULL,"               \
    "  ended_ms INTEGER NOT NULL,"                 \
    "  record INTEGER NOT NULL REFERENCES record," \
    "  checksum INTEGER NOT NULL,"                 \
    "  PRIMARY KEY (game, attempt)) WITHOUT ROWID;"

/* The SQL that leads from version n to n + 1, by n. */
static const char *const steps[SCHEMA_VERSION] = {
    "CREATE TABLE tournament ("
    "  id INTEGER PRIMARY KEY CHECK (id = 1),"
    "  name TEXT NOT NULL,"
    "  game TEXT NOT NULL,"
    "  roster TEXT NOT NULL,"
    "  folder TEXT NOT NULL,"
    "  created_ms INTEGER NOT NULL);"

    "CREATE TABLE team ("
    "  team INTEGER PRIMARY KEY,"
    "  id TEXT NOT NULL UNIQUE,"
    "  name TEXT NOT NULL);"

    "CREATE TABLE withdrawal ("
    "  team INTEGER PRIMARY KEY REFERENCES team,"
    "  rounds INTEGER NOT NULL);"

    "CREATE TABLE pairing ("
    "  pairing INTEGER PRIMARY KEY,"
    "  round INTEGER NOT NULL,"
    "  first INTEGER NOT NULL REFERENCES team,"
    "  second INTEGER REFERENCES team,"
    "  checksum INTEGER NOT NULL);"

    /* A table of their own for the records, so that a query over many games reads few pages. */
    "CREATE TABLE record ("
    "  record INTEGER PRIMARY KEY,"
    "  text TEXT NOT NULL);"

    "CREATE TABLE game ("
    "  game INTEGER NOT NULL,"
    "  attempt INTEGER NOT NULL,"
    "  status TEXT NOT NULL CHECK (status IN ('played', 'annulled', 'set aside')),"
    "  black INTEGER NOT NULL REFERENCES team,"
    "  white INTEGER NOT NULL REFERENCES team,"
    "  result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2'))," GAME_FIGURES

    "CREATE TABLE fault ("
    "  id INTEGER PRIMARY KEY,"
    "  game INTEGER NOT NULL,"
    "  attempt INTEGER NOT NULL,"
    "  team INTEGER NOT NULL REFERENCES team,"
    "  ply INTEGER NOT NULL,"
    "  kind TEXT NOT NULL,"
    "  why TEXT NOT NULL,"
    "  position TEXT NOT NULL,"
    "  time_ms INTEGER);"

    "CREATE TABLE log ("
    "  id INTEGER PRIMARY KEY,"
    "  pairing INTEGER NOT NULL,"
    "  team INTEGER NOT NULL REFERENCES team,"
    "  from_game INTEGER NOT NULL,"
    "  text TEXT NOT NULL);"

    "CREATE TABLE build ("
    "  team INTEGER PRIMARY KEY REFERENCES team,"
    "  is_built INTEGER NOT NULL,"
    "  messages TEXT NOT NULL);"

    "CREATE TABLE audit ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  at_ms INTEGER NOT NULL,"
    "  who TEXT NOT NULL,"
    "  what TEXT NOT NULL,"
    "  game INTEGER,"
    "  team INTEGER REFERENCES team,"
    "  reason TEXT NOT NULL);"

    /* A program that follows a tournament asks for the ids after the last one seen. */
    "CREATE TABLE event ("
    "  id INTEGER PRIMARY KEY AUTOINCREMENT,"
    "  at_ms INTEGER NOT NULL,"
    "  kind TEXT NOT NULL,"
    "  game INTEGER,"
    "  text TEXT NOT NULL);"
    "CREATE INDEX event_plies ON event (game) WHERE kind = 'ply';",

    /* Checksums of the tables that decide something: store/checksum.c. */
    "CREATE TABLE seal ("
    "  name TEXT PRIMARY KEY,"
    "  checksum INTEGER NOT NULL) WITHOUT ROWID;"
    "ALTER TABLE record ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;"
    "UPDATE record SET checksum = checksum_hash(text);"

    "CREATE TABLE program ("
    "  team INTEGER NOT NULL REFERENCES team,"
    "  file TEXT NOT NULL,"
    "  hash INTEGER NOT NULL,"
    "  PRIMARY KEY (team, file)) WITHOUT ROWID;",

    /* What a team's programs tried and the sandbox refused, by pairing. */
    "CREATE TABLE violation ("
    "  id INTEGER PRIMARY KEY,"
    "  pairing INTEGER NOT NULL,"
    "  team INTEGER NOT NULL REFERENCES team,"
    "  from_game INTEGER NOT NULL,"
    "  kind TEXT NOT NULL,"
    "  what TEXT NOT NULL,"
    "  count INTEGER NOT NULL,"
    "  first_ms INTEGER NOT NULL);",

    /* A game that both lost has the result 0-0. */
    "ALTER TABLE game RENAME TO game_before;"
    "CREATE TABLE game ("
    "  game INTEGER NOT NULL,"
    "  attempt INTEGER NOT NULL,"
    "  status TEXT NOT NULL CHECK (status IN ('played', 'annulled', 'set aside')),"
    "  black INTEGER NOT NULL REFERENCES team,"
    "  white INTEGER NOT NULL REFERENCES team,"
    "  result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '0-0'))," GAME_FIGURES
    "INSERT INTO game SELECT * FROM game_before;"
    "DROP TABLE game_before;",

    "ALTER TABLE seal RENAME TO table_checksum;",

    /* Games of the qualification: random is not a team. */
    "ALTER TABLE game RENAME TO game_before;"
    "CREATE TABLE game ("
    "  game INTEGER NOT NULL,"
    "  attempt INTEGER NOT NULL,"
    "  status TEXT NOT NULL"
    "    CHECK (status IN ('played', 'annulled', 'set aside', 'qualification')),"
    "  black INTEGER REFERENCES team,"
    "  white INTEGER REFERENCES team,"
    "  result TEXT NOT NULL CHECK (result IN ('1-0', '0-1', '1/2-1/2', '0-0'))," GAME_FIGURES
    "INSERT INTO game SELECT * FROM game_before;"
    "DROP TABLE game_before;",

    /* Which machine played a game ('': the tournament's own), and what is known of machines. */
    "ALTER TABLE game ADD COLUMN machine TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE machine ("
    "  machine TEXT PRIMARY KEY,"
    "  refused INTEGER NOT NULL DEFAULT 0,"
    "  returned INTEGER NOT NULL DEFAULT 0,"
    "  lost INTEGER NOT NULL DEFAULT 0,"
    "  quarantine TEXT) WITHOUT ROWID;",
};

enum err schema_migrate(struct store *store, int64_t version, const char *copy, struct note *why)
{
    char pragmas[96];
    enum err err = ERR_NONE;
    for (; !err && version < SCHEMA_VERSION; version++) {
        err = store_run(store, steps[version], why);
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
