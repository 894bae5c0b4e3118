/* What a teaching assistant decides. */
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "store/store_db.h"

/* With sudo, the user who called it: "root" would not name a person. */
static void name_user(char *out, size_t room)
{
    const char *asker = getenv("SUDO_USER");
    const struct passwd *user = getpwuid(getuid());
    if (asker && *asker) {
        utf8_clean(asker, out, room);
    } else if (user) {
        utf8_clean(user->pw_name, out, room);
    } else {
        snprintf(out, room, "user %u", (unsigned)getuid());
    }
}

enum err store_add_entry(struct store *store, int64_t now_ms, const char *what, int game, int team,
                         const char *reason, struct note *why)
{
    char who[64];
    name_user(who, sizeof who);
    return store_do(store, why,
                    "INSERT INTO audit (at_ms, who, what, game, team, reason)"
                    " VALUES (?, ?, ?, nullif(?, -1), nullif(?, -1), ?)",
                    "lttiit", now_ms, who, what, game, team, reason);
}

/* For spectators. */
static enum err add_event(struct store *store, int64_t now_ms, const char *kind, int game,
                          const char *text, struct note *why)
{
    return store_do(store, why,
                    "INSERT INTO event (at_ms, kind, game, text) VALUES (?, ?, nullif(?, -1), ?)",
                    "ltit", now_ms, kind, game, text);
}

/* Adds an event for spectators as well. */
static enum err add_public_entry(struct store *store, const char *what, int game, int team,
                                 const char *reason, struct note *why)
{
    int64_t now_ms = clock_unix_ms();
    enum err err = store_add_entry(store, now_ms, what, game, team, reason, why);
    return err ? err : add_event(store, now_ms, what, game, reason, why);
}

/* A game's latest attempt: what a checksum is made of, and its status. */
struct latest_attempt {
    struct tournament_game game;
    char status[16];
};

/* `game` as it is in the database. */
static enum err find_latest(struct store *store, int game, struct latest_attempt *out,
                            struct note *why)
{
    bool has_row = false;
    sqlite3_stmt *row = store_prepare(
        store, why,
        "SELECT attempt, status, black, white, result, black_score, white_score, reason,"
        " is_forfeit, plies FROM game WHERE game = ? ORDER BY attempt DESC LIMIT 1",
        "i", game);
    enum err err = row ? store_step(store, row, &has_row, why) : ERR_ENVIRONMENT;
    if (!err && !has_row) {
        err = note_fail(why, ERR_NEGATIVE, "game %d was not played yet", game + 1);
    }
    if (!err) {
        out->game = (struct tournament_game){
            .attempt = sqlite3_column_int(row, 0),
            .team = {store_player(row, 2), store_player(row, 3)},
            .summary.colour = {SIDE_BLACK, SIDE_WHITE},
            .summary.outcome = store_outcome(store_text(row, 4)),
            .summary.score = {sqlite3_column_int(row, 5), sqlite3_column_int(row, 6)},
            .summary.is_forfeit = sqlite3_column_int(row, 8),
            .summary.plies = sqlite3_column_int(row, 9),
        };
        out->game.phase = store_phase(game, &out->game.number);
        snprintf(out->game.summary.reason, sizeof out->game.summary.reason, "%s",
                 store_text(row, 7));
        snprintf(out->status, sizeof out->status, "%s", store_text(row, 1));
    }
    sqlite3_finalize(row);
    return err;
}

static enum err write_status(struct store *store, const struct latest_attempt *latest,
                             const char *status, struct note *why)
{
    return store_do(store, why,
                    "UPDATE game SET status = ?, checksum = ? WHERE game = ? AND attempt = ?",
                    "tlii", status, checksum_game(&latest->game, status),
                    store_number(latest->game.phase, latest->game.number), latest->game.attempt);
}

static enum err set_status(struct store *store, int game, const char *status, struct note *why)
{
    struct latest_attempt latest;
    enum err err = find_latest(store, game, &latest, why);
    if (err) {
        return err;
    }
    const char *objection = NULL;
    if (strcmp(latest.status, "set aside") == 0) {
        objection = "waits to be played again: plum tournament resume does it";
    } else if (strcmp(latest.status, status) == 0) {
        objection = strcmp(status, "annulled") == 0 ? "is annulled already" : "is not annulled";
    }
    if (objection) {
        return note_fail(why, ERR_NEGATIVE, "game %d %s", game + 1, objection);
    }
    return write_status(store, &latest, status, why);
}

/* All of them or none. */
static enum err change_games(struct store *store, const int *games, size_t count,
                             const char *status, const char *what, const char *reason,
                             struct note *why)
{
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    for (size_t i = 0; !err && i < count; i++) {
        err = set_status(store, games[i], status, why);
        err = err ? err : add_public_entry(store, what, games[i], -1, reason, why);
    }
    return store_end(store, err, why);
}

enum err store_annul(struct store *store, const int *games, size_t count, const char *reason,
                     struct note *why)
{
    return change_games(store, games, count, "annulled", "annul", reason, why);
}

enum err store_restore(struct store *store, const int *games, size_t count, const char *reason,
                       struct note *why)
{
    return change_games(store, games, count, "played", "restore", reason, why);
}

enum err store_replay(struct store *store, const int *games, size_t count, const char *reason,
                      struct note *why)
{
    return change_games(store, games, count, "set aside", "replay", reason, why);
}

static enum err set_rounds(struct store *store, int team, int rounds, const char *what,
                           const char *reason, struct note *why)
{
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    err = store_do(store, why,
                   "INSERT INTO withdrawal VALUES (?, ?)"
                   " ON CONFLICT (team) DO UPDATE SET rounds = excluded.rounds",
                   "ii", team, rounds);
    err = err ? err : add_public_entry(store, what, -1, team, reason, why);
    return store_end(store, err, why);
}

enum err store_withdraw(struct store *store, int team, int rounds, const char *reason,
                        struct note *why)
{
    return set_rounds(store, team, rounds, "withdraw", reason, why);
}

enum err store_rejoin(struct store *store, int team, const char *reason, struct note *why)
{
    return set_rounds(store, team, ROSTER_MAX_ROUNDS, "rejoin", reason, why);
}

/* The file of the database is brought up to date at once: store_confirm of the next run knows it by
 * the page that has the roster. */
enum err store_enter(struct store *store, int team, const struct roster *roster, const char *text,
                     const char *reason, struct note *why)
{
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    err = store_do(store, why, "UPDATE tournament SET roster = ?", "t", text);
    err = err ? err
              : store_do(store, why, "INSERT INTO team VALUES (?, ?, ?)", "itt", team,
                         roster->teams[team].id, roster->teams[team].name);
    err = err ? err : add_public_entry(store, "enter", -1, team, reason, why);
    err = store_end(store, err, why);
    return err ? err : store_run(store, "PRAGMA wal_checkpoint(FULL)", why);
}

enum err store_disqualify(struct store *store, int team, enum disqualified_games games,
                          const char *reason, struct note *why)
{
    static const char *const entries[] = {[DISQUALIFIED_GAMES_BY_ROSTER] = "disqualify",
                                          [DISQUALIFIED_GAMES_VOID] = STORE_DISQUALIFY_VOID,
                                          [DISQUALIFIED_GAMES_KEEP] = STORE_DISQUALIFY_KEEP};
    int64_t now_ms = clock_unix_ms();
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    err = store_add_entry(store, now_ms, entries[games], -1, team, reason, why);
    err = err ? err : add_event(store, now_ms, "disqualify", -1, reason, why);
    return store_end(store, err, why);
}

enum err store_reinstate(struct store *store, int team, const char *reason, struct note *why)
{
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    err = add_public_entry(store, "reinstate", -1, team, reason, why);
    return store_end(store, err, why);
}

/* The games of a machine that count; those of the qualification, if no round is paired. The caller
 * frees, also after an error. */
static enum err list_games_of(struct store *store, const char *machine, int **out, size_t *count,
                              struct note *why)
{
    bool has_row = false;
    size_t capacity = 0;
    sqlite3_stmt *row = store_prepare(
        store, why,
        "SELECT game FROM game WHERE machine = ? AND (status = 'played' OR"
        " (status = 'qualification' AND NOT EXISTS (SELECT 1 FROM pairing))) AND attempt ="
        " (SELECT max(attempt) FROM game AS later WHERE later.game = game.game)",
        "t", machine);
    enum err err = row ? store_step(store, row, &has_row, why) : ERR_ENVIRONMENT;
    while (!err && has_row) {
        int *larger = array_reserve(*out, &capacity, *count + 1, sizeof *larger);
        if (!larger) {
            err = note_fail(why, ERR_ENVIRONMENT, "no memory for the games of a machine");
            break;
        }
        *out = larger;
        larger[(*count)++] = sqlite3_column_int(row, 0);
        err = store_step(store, row, &has_row, why);
    }
    sqlite3_finalize(row);
    return err;
}

static enum err set_aside_games_of(struct store *store, const char *machine, size_t *count,
                                   struct note *why)
{
    int *games = NULL;
    enum err err = list_games_of(store, machine, &games, count, why);
    for (size_t i = 0; !err && i < *count; i++) {
        struct latest_attempt latest;
        err = find_latest(store, games[i], &latest, why);
        err = err ? err : write_status(store, &latest, "set aside", why);
    }
    free(games);
    return err;
}

enum err store_quarantine(struct store *store, const char *machine, bool is_taken_back,
                          const char *reason, size_t *games, struct note *why)
{
    struct note entry;
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    *games = 0;
    err = store_do(store, why,
                   "INSERT INTO machine (machine, quarantine) VALUES (?, ?)"
                   " ON CONFLICT (machine) DO UPDATE SET quarantine = excluded.quarantine",
                   "tt", machine, is_taken_back ? NULL : reason);
    if (!err && !is_taken_back) {
        err = set_aside_games_of(store, machine, games, why);
    }
    if (!err && is_taken_back) {
        note_set(&entry, "%s: %s", machine, reason);
        err = store_add_entry(store, clock_unix_ms(), "release", -1, -1, entry.text, why);
    } else if (!err) {
        note_set(&entry, "%s, %zu game%s set aside: %s", machine, *games, *games == 1 ? "" : "s",
                 reason);
        err = add_public_entry(store, "quarantine", -1, -1, entry.text, why);
    }
    return store_end(store, err, why);
}

static enum err set_aside(struct store *store, int team, struct note *why)
{
    enum err err = ERR_NONE;
    for (int i = 0; !err && i < QUALIFICATION_GAMES; i++) {
        struct latest_attempt latest;
        struct note none;
        int game = team * QUALIFICATION_GAMES + i;
        err = find_latest(store, store_number(PHASE_QUALIFICATION, game), &latest, &none);
        if (err == ERR_NEGATIVE) {
            err = ERR_NONE;
        } else if (err) {
            *why = none;
        } else {
            err = write_status(store, &latest, "set aside", why);
        }
    }
    return err;
}

enum err store_qualify_again(struct store *store, const int *teams, int count, const char *roster,
                             const char *reason, struct note *why)
{
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    err = roster ? store_do(store, why, "UPDATE tournament SET roster = ?", "t", roster) : ERR_NONE;
    for (int i = 0; !err && i < count; i++) {
        int team = teams[i];
        err = set_aside(store, team, why);
        err = err ? err : store_do(store, why, "DELETE FROM build WHERE team = ?", "i", team);
        err = err ? err
                  : store_add_entry(store, clock_unix_ms(), "qualify again", -1, team, reason, why);
    }
    return store_end(store, err, why);
}

enum err store_audit(struct store *store, const char *what, const char *reason, struct note *why)
{
    return add_public_entry(store, what, -1, -1, reason, why);
}

enum err store_audit_team(struct store *store, int team, const char *what, const char *reason,
                          struct note *why)
{
    return store_add_entry(store, clock_unix_ms(), what, -1, team, reason, why);
}

enum err store_save_build(struct store *store, const struct store_build *build, struct note *why)
{
    return store_do(store, why,
                    "INSERT INTO build VALUES (?, ?, ?) ON CONFLICT (team) DO UPDATE"
                    " SET is_built = excluded.is_built, messages = excluded.messages",
                    "iit", build->team, (int)build->is_built, build->messages);
}

/* Either is false if there is no saved hash. */
static enum err compare_program(struct store *store, int team, const char *file, int64_t hash,
                                bool *has_changed, bool *is_same, struct note *why)
{
    bool has_row = false;
    sqlite3_stmt *row = store_prepare(
        store, why, "SELECT hash FROM program WHERE team = ? AND file = ?", "it", team, file);
    enum err err = row ? store_step(store, row, &has_row, why) : ERR_ENVIRONMENT;
    *has_changed = !err && has_row && sqlite3_column_int64(row, 0) != hash;
    *is_same = !err && has_row && !*has_changed;
    sqlite3_finalize(row);
    return err;
}

enum err store_save_program_hash(struct store *store, int team, const char *file, int64_t hash,
                                 bool *has_changed, struct note *why)
{
    bool is_new = false;
    bool is_same = false;
    enum err err = store_run(store, "BEGIN IMMEDIATE", why);
    if (err) {
        return err;
    }
    err = compare_program(store, team, file, hash, &is_new, &is_same, why);
    err = err ? err
              : store_do(store, why,
                         "INSERT INTO program VALUES (?, ?, ?)"
                         " ON CONFLICT (team, file) DO UPDATE SET hash = excluded.hash",
                         "itl", team, file, hash);
    if (!err && is_new) {
        err = add_public_entry(store, "changed", -1, team, file, why);
    }
    err = store_end(store, err, why);
    if (!err) {
        *has_changed = is_new;
    }
    return err;
}

enum err store_compare_program_hash(struct store *store, int team, const char *file, int64_t hash,
                                    bool *is_same, struct note *why)
{
    bool has_changed = false;
    return compare_program(store, team, file, hash, &has_changed, is_same, why);
}
