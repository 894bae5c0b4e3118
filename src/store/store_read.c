/* Reading a tournament back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "judge/annotation.h"
#include "judge/record.h"
#include "store/store_db.h"
#include "tournament/qualification.h"

enum { SQL_BYTES = 256 };

/* The caller of each_row, and the error of a row. */
struct row_context {
    void *owner;
    enum err err;
    struct note *why;
};

/* Returns false to stop, with the error if there is one. */
typedef bool row_visit(struct store *store, sqlite3_stmt *row, struct row_context *visit);

static bool refuse_damaged(const struct store *store, const struct note *what,
                           struct row_context *visit)
{
    note_set(visit->why, "%.120s is damaged: %.180s", store->path, what->text);
    visit->err = ERR_ENVIRONMENT;
    return false;
}

/* Takes the statement; NULL: it could not be prepared. */
static enum err each_row_of(struct store *store, sqlite3_stmt *statement, row_visit *visit_row,
                            void *owner, struct note *why)
{
    struct row_context visit = {.owner = owner, .why = why};
    bool has_row = false;
    enum err err = statement ? store_step(store, statement, &has_row, why) : ERR_ENVIRONMENT;
    while (!err && has_row && visit_row(store, statement, &visit)) {
        err = store_step(store, statement, &has_row, why);
    }
    sqlite3_finalize(statement);
    return err ? err : visit.err;
}

static enum err each_row(struct store *store, const char *sql, row_visit *visit_row, void *owner,
                         struct note *why)
{
    return each_row_of(store, store_prepare(store, why, sql, ""), visit_row, owner, why);
}

/* --- The tournament --- */

/* The columns that the load_… functions read. */
#define SELECT_PAIRING "SELECT pairing, round, first, second, checksum"
#define SELECT_GAME                                                                       \
    "SELECT game, attempt, status, black, white, result, black_score, white_score,"       \
    " reason, is_forfeit, plies, black_thinking_ms, white_thinking_ms, black_slowest_ms," \
    " white_slowest_ms, started_ms, ended_ms, checksum"
#define SELECT_FAULT_COUNT "SELECT game, attempt, team, kind, count(*)"

static bool load_pairing(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    struct pairing teams = {{sqlite3_column_int(row, 2), PAIRING_BYE}};
    struct note what;
    if (sqlite3_column_type(row, 3) != SQLITE_NULL) {
        teams.team[1] = sqlite3_column_int(row, 3);
    }
    int round = sqlite3_column_int(row, 1);
    if (sqlite3_column_int64(row, 0) != (int64_t)t->pairing_count) {
        note_set(&what, "pairing %zu is missing", t->pairing_count + 1);
        return refuse_damaged(store, &what, visit);
    }
    if (checksum_pairing((int)t->pairing_count, round, &teams) != sqlite3_column_int64(row, 4)) {
        note_set(&what, "pairing %zu is not what was written there", t->pairing_count + 1);
        return refuse_damaged(store, &what, visit);
    }
    enum err err = tournament_restore_pairing(t, round, &teams, &what);
    return err ? refuse_damaged(store, &what, visit) : true;
}

static bool load_withdrawal(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    int team = sqlite3_column_int(row, 0);
    struct note what;
    if (team < 0 || team >= t->roster->team_count) {
        note_set(&what, "a team that is not in the roster has withdrawn");
        return refuse_damaged(store, &what, visit);
    }
    tournament_restore_withdrawal(t, team, sqlite3_column_int(row, 1));
    return true;
}

static bool load_disqualification(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    int team = sqlite3_column_int(row, 0);
    struct note what;
    if (team < 0 || team >= t->roster->team_count) {
        note_set(&what, "a team that is not in the roster is disqualified");
        return refuse_damaged(store, &what, visit);
    }
    const char *what_was_done = store_text(row, 2);
    enum disqualified_games games = DISQUALIFIED_GAMES_BY_ROSTER;
    if (strcmp(what_was_done, STORE_DISQUALIFY_VOID) == 0) {
        games = DISQUALIFIED_GAMES_VOID;
    } else if (strcmp(what_was_done, STORE_DISQUALIFY_KEEP) == 0) {
        games = DISQUALIFIED_GAMES_KEEP;
    }
    tournament_restore_disqualification(t, team, games, store_text(row, 1));
    return true;
}

/* Of each team the last decision counts. */
#define DISQUALIFY "'disqualify', '" STORE_DISQUALIFY_VOID "', '" STORE_DISQUALIFY_KEEP "'"
#define SELECT_DISQUALIFIED                                                        \
    "SELECT team, reason, what FROM audit WHERE what IN (" DISQUALIFY ") AND id =" \
    " (SELECT max(id) FROM audit AS later WHERE later.team = audit.team"           \
    " AND later.what IN (" DISQUALIFY ", 'reinstate'))"

/* The columns of SELECT_GAME, by team instead of by colour. False: not a game of `planned`. */
static bool read_game(const struct tournament_game *planned, sqlite3_stmt *row,
                      struct tournament_game *out)
{
    const int *team = planned->team;
    int black = store_player(row, 3) == team[0] ? 0 : 1;
    if (store_player(row, 3) != team[black] || store_player(row, 4) != team[1 - black]) {
        return false;
    }
    struct tournament_game game = {
        .phase = planned->phase,
        .number = planned->number,
        .attempt = sqlite3_column_int(row, 1),
        .team = {team[0], team[1]},
        .summary.outcome = store_outcome(store_text(row, 5)),
        .summary.score = {sqlite3_column_int(row, 6), sqlite3_column_int(row, 7)},
        .summary.is_forfeit = sqlite3_column_int(row, 9),
        .summary.plies = sqlite3_column_int(row, 10),
        .started_ms = sqlite3_column_int64(row, 15),
        .ended_ms = sqlite3_column_int64(row, 16),
    };
    game.summary.colour[black] = SIDE_BLACK;
    game.summary.colour[1 - black] = SIDE_WHITE;
    game.summary.thinking_ms[black] = sqlite3_column_int64(row, 11);
    game.summary.thinking_ms[1 - black] = sqlite3_column_int64(row, 12);
    game.summary.slowest_ms[black] = sqlite3_column_int64(row, 13);
    game.summary.slowest_ms[1 - black] = sqlite3_column_int64(row, 14);
    strncpy(game.summary.reason, store_text(row, 8), sizeof game.summary.reason - 1);
    *out = game;
    return true;
}

/* The game that a number in the database means; NULL: there is none. */
static struct tournament_game *find_game(const struct tournament *t, int stored)
{
    int number = 0;
    enum tournament_phase phase = store_phase(stored, &number);
    return tournament_find_game(t, phase, number);
}

static bool load_game(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    struct tournament_game game;
    struct note what;
    const char *status = store_text(row, 2);
    int stored = sqlite3_column_int(row, 0);
    bool is_set_aside = strcmp(status, "set aside") == 0;
    bool is_trial = strcmp(status, "qualification") == 0;
    const struct tournament_game *planned = find_game(t, stored);
    if (!planned || !read_game(planned, row, &game) ||
        (!is_set_aside && is_trial != (planned->phase == PHASE_QUALIFICATION))) {
        note_set(&what, "game %d is between teams that were not paired", stored + 1);
        return refuse_damaged(store, &what, visit);
    }
    if (checksum_game(&game, status) != sqlite3_column_int64(row, 17)) {
        note_set(&what, "the result of game %d is not what was written there", stored + 1);
        return refuse_damaged(store, &what, visit);
    }
    if (is_set_aside) {
        game = (struct tournament_game){
            .phase = game.phase, .number = game.number, .attempt = game.attempt + 1};
    } else {
        game.status = strcmp(status, "annulled") == 0 ? GAME_ANNULLED : GAME_PLAYED;
    }
    if (game.summary.is_forfeit && game.summary.outcome == OUTCOME_DRAW) { /* as 0.1 wrote it */
        game.summary.outcome = OUTCOME_BOTH_LOST;
    }
    enum err err = tournament_restore_game(t, &game, &what);
    return err ? refuse_damaged(store, &what, visit) : true;
}

static bool load_absence(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    int team = sqlite3_column_int(row, 0);
    (void)store;
    if (team >= 0 && team < t->roster->team_count) {
        tournament_set_absent(t, team, !sqlite3_column_int(row, 1));
    }
    return true;
}

static enum err load_absences(struct store *store, struct tournament *t, struct note *why)
{
    return each_row(store, "SELECT team, is_built FROM build", load_absence, t, why);
}

static bool load_fault_count(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    struct tournament_game *game = find_game(t, sqlite3_column_int(row, 0));
    enum fault kind = FAULT_LATE;
    (void)store;
    if (!game || !annotation_name_fault(store_text(row, 3), &kind)) {
        return true;
    }
    bool is_latest = sqlite3_column_int(row, 1) == game->attempt;
    for (int place = 0; is_latest && place < 2; place++) {
        if (game->team[place] == sqlite3_column_int(row, 2)) {
            game->summary.faults[place][kind] = sqlite3_column_int(row, 4);
        }
    }
    return true;
}

static bool load_turns(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    struct tournament_game *game = find_game(t, sqlite3_column_int(row, 0));
    (void)store;
    if (!game || sqlite3_column_int(row, 1) != game->attempt) {
        return true;
    }
    game_summary_count_turns(&game->summary, store_text(row, 2), t->roster->game);
    return true;
}

/* After the games that meet this condition, which begins with "game". The judge moves only for a
 * side that has made a fault: no other record is read. */
static enum err load_faults(struct store *store, struct tournament *t, const char *condition,
                            struct note *why)
{
    char sql[SQL_BYTES];
    snprintf(sql, sizeof sql, SELECT_FAULT_COUNT " FROM fault WHERE %s GROUP BY %s", condition,
             "game, attempt, team, kind");
    enum err err = each_row(store, sql, load_fault_count, t, why);
    snprintf(sql, sizeof sql,
             "SELECT game, attempt, text FROM (SELECT DISTINCT game, attempt FROM fault WHERE %s)"
             " JOIN game USING (game, attempt) JOIN record USING (record)",
             condition);
    return err ? err : each_row(store, sql, load_turns, t, why);
}

static bool refuse_event(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct note what;
    note_set(&what,
             "the event that game %d is over is missing or not what was written there; continue "
             "with a copy made by plum tournament backup",
             sqlite3_column_int(row, 0) + 1);
    return refuse_damaged(store, &what, visit);
}

/* A result and its event are written in one transaction, so there is never one without the other.
 */
static enum err check_events(struct store *store, struct note *why)
{
    return each_row(store,
                    "SELECT game, result || ' ' || black_score || '-' || white_score || ' ' ||"
                    " reason FROM game WHERE game >= 0"
                    " EXCEPT SELECT game, text FROM event WHERE kind = 'over' LIMIT 1",
                    refuse_event, NULL, why);
}

static bool load_last_fault(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    const struct tournament_game *game = find_game(t, sqlite3_column_int(row, 0));
    (void)store;
    if (game && game->status == GAME_PLAYED && game->attempt == sqlite3_column_int(row, 1)) {
        qualification_keep_fault(t, game->number, store_text(row, 2));
    }
    return true;
}

static bool note_qualification(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct tournament *t = visit->owner;
    (void)store;
    (void)row;
    t->is_qualification_begun = true;
    return false;
}

/* After the games of the tournament, which also qualify. */
static enum err load_qualification(struct store *store, struct tournament *t, struct note *why)
{
    enum err err =
        each_row(store, SELECT_GAME " FROM game WHERE game < 0 ORDER BY game DESC, attempt",
                 load_game, t, why);
    err = err ? err : load_faults(store, t, "game < 0", why);
    err = err ? err
              : each_row(store,
                         "SELECT game, attempt, why FROM fault WHERE game < 0 ORDER BY game DESC,"
                         " id",
                         load_last_fault, t, why);
    err = err ? err
              : each_row(store, "SELECT 1 FROM audit WHERE what = 'qualify' LIMIT 1",
                         note_qualification, t, why);
    qualification_settle(t);
    return err;
}

/* One transaction, so that a tournament that is being played is seen at one moment. */
enum err store_load(struct store *store, struct tournament *t, struct note *why)
{
    enum err err = store_run(store, "BEGIN", why);
    if (err) {
        return err;
    }
    err = each_row(store, "SELECT team, rounds FROM withdrawal", load_withdrawal, t, why);
    err = err ? err
              : each_row(store, SELECT_PAIRING " FROM pairing ORDER BY pairing", load_pairing, t,
                         why);
    err = err ? err
              : each_row(store, SELECT_GAME " FROM game WHERE game >= 0 ORDER BY game, attempt",
                         load_game, t, why);
    err = err ? err : load_faults(store, t, "game >= 0", why);
    err = err ? err : load_qualification(store, t, why);
    err = err ? err : each_row(store, SELECT_DISQUALIFIED, load_disqualification, t, why);
    err = err ? err : load_absences(store, t, why);
    err = err ? err : checksum_verify(store, why);
    err = err ? err : check_events(store, why);
    sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return err;
}

static enum err load_new_pairings(struct store *store, struct tournament *t, struct note *why)
{
    return each_row_of(store,
                       store_prepare(store, why,
                                     SELECT_PAIRING
                                     " FROM pairing WHERE pairing >= ? ORDER BY pairing",
                                     "i", (int)t->pairing_count),
                       load_pairing, t, why);
}

/* A game that was just restored may be one of a disqualified team. */
static void disqualify_again(struct tournament *t)
{
    for (int i = 0; i < t->roster->team_count; i++) {
        if (t->disqualifications[i].is_set) {
            const struct disqualification own = t->disqualifications[i];
            tournament_restore_disqualification(
                t, i, own.keeps_games ? DISQUALIFIED_GAMES_KEEP : DISQUALIFIED_GAMES_VOID,
                own.reason.text);
        }
    }
}

enum err store_load_games(struct store *store, struct tournament *t, const int *games, size_t count,
                          struct note *why)
{
    enum err err = store_run(store, "BEGIN", why);
    if (err) {
        return err;
    }
    err = load_new_pairings(store, t, why);
    err = err ? err : load_absences(store, t, why);
    for (size_t i = 0; !err && i < count; i++) {
        char condition[32];
        err = each_row_of(store,
                          store_prepare(store, why,
                                        SELECT_GAME
                                        " FROM game WHERE game = ? ORDER BY attempt DESC LIMIT 1",
                                        "i", games[i]),
                          load_game, t, why);
        snprintf(condition, sizeof condition, "game = %d", games[i]);
        err = err ? err : load_faults(store, t, condition, why);
    }
    disqualify_again(t);
    sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return err;
}

enum err store_record(struct store *store, enum tournament_phase phase, int game, char **out,
                      struct note *why)
{
    bool has_row = false;
    int stored = store_number(phase, game);
    sqlite3_stmt *statement = store_prepare(store, why,
                                            "SELECT text, record.checksum = checksum_hash(text)"
                                            " FROM game LEFT JOIN record USING (record)"
                                            " WHERE game = ? ORDER BY attempt DESC LIMIT 1",
                                            "i", stored);
    enum err err = statement ? store_step(store, statement, &has_row, why) : ERR_ENVIRONMENT;
    if (!err && !has_row) {
        *out = NULL;
    } else if (!err && !sqlite3_column_int(statement, 1)) {
        err = note_fail(why, ERR_ENVIRONMENT,
                        "%.120s is damaged: the record of game %d is not what was written there",
                        store->path, stored + 1);
    } else if (!err && !(*out = strdup(store_text(statement, 0)))) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory for the record of a game");
    }
    sqlite3_finalize(statement);
    return err;
}

enum err store_players(struct store *store, int game, int teams[2], struct note *why)
{
    bool has_row = false;
    sqlite3_stmt *row = store_prepare(
        store, why, "SELECT black, white FROM game WHERE game = ? ORDER BY attempt DESC LIMIT 1",
        "i", game);
    enum err err = row ? store_step(store, row, &has_row, why) : ERR_ENVIRONMENT;
    if (!err && !has_row) {
        err = note_fail(why, ERR_NEGATIVE, "game %d was not played yet", game + 1);
    }
    for (int i = 0; !err && i < 2; i++) {
        teams[i] = store_player(row, i);
    }
    sqlite3_finalize(row);
    return err;
}

static bool refuse_record(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    struct note what;
    note_set(&what, "the record of game %d is not what was written there",
             sqlite3_column_int(row, 0) + 1);
    return refuse_damaged(store, &what, visit);
}

enum err store_check_records(struct store *store, struct note *why)
{
    return each_row(store,
                    "SELECT game FROM game LEFT JOIN record USING (record)"
                    " WHERE record.checksum IS NOT checksum_hash(text) LIMIT 1",
                    refuse_record, NULL, why);
}

/* --- Other tables --- */

/* The function that gets each row as a struct. */
struct row_listener {
    void *owner;
    union {
        store_fault_visit *fault;
        store_log_visit *log;
        store_violation_visit *violation;
        store_build_visit *build;
        store_machine_visit *machine;
        store_audit_visit *audit;
    } visit;
};

static int int_or(sqlite3_stmt *row, int column, int otherwise)
{
    return sqlite3_column_type(row, column) == SQLITE_NULL ? otherwise
                                                           : sqlite3_column_int(row, column);
}

static bool visit_fault(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    const struct row_listener *listener = visit->owner;
    struct game_fault fault = {
        .ply = sqlite3_column_int(row, 2),
        .time_ms = int_or(row, 6, -1),
    };
    (void)store;
    if (!annotation_name_fault(store_text(row, 3), &fault.kind)) {
        return true;
    }
    utf8_clean(store_text(row, 4), fault.why.text, sizeof fault.why.text);
    utf8_clean(store_text(row, 5), fault.position, sizeof fault.position);
    return listener->visit.fault(listener->owner, sqlite3_column_int(row, 0),
                                 sqlite3_column_int(row, 1), &fault);
}

enum err store_each_fault(struct store *store, store_fault_visit *visit, void *owner,
                          struct note *why)
{
    struct row_listener listener = {.owner = owner, .visit.fault = visit};
    return each_row(store,
                    "SELECT fault.game, team, ply, kind, why, position, time_ms"
                    " FROM fault JOIN game USING (game, attempt) WHERE status != 'set aside'"
                    " AND fault.game >= 0 ORDER BY fault.game, fault.id",
                    visit_fault, &listener, why);
}

static bool visit_log(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    const struct row_listener *listener = visit->owner;
    struct store_log log = {.team = sqlite3_column_int(row, 0), .text = store_text(row, 2)};
    (void)store;
    log.phase = store_phase(sqlite3_column_int(row, 1), &log.from_game);
    return listener->visit.log(listener->owner, &log);
}

enum err store_each_log(struct store *store, store_log_visit *visit, void *owner, struct note *why)
{
    struct row_listener listener = {.owner = owner, .visit.log = visit};
    return each_row(store, "SELECT team, from_game, text FROM log ORDER BY pairing, team, id",
                    visit_log, &listener, why);
}

static bool visit_violation(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    const struct row_listener *listener = visit->owner;
    struct store_violation found = {.team = sqlite3_column_int(row, 0),
                                    .violation = {.count = sqlite3_column_int64(row, 3),
                                                  .first_ms = sqlite3_column_int64(row, 4)}};
    (void)store;
    if (!violation_kind_read(store_text(row, 1), &found.violation.kind)) {
        return true;
    }
    utf8_clean(store_text(row, 2), found.violation.what, sizeof found.violation.what);
    return listener->visit.violation(listener->owner, &found);
}

enum err store_each_violation(struct store *store, store_violation_visit *visit, void *owner,
                              struct note *why)
{
    struct row_listener listener = {.owner = owner, .visit.violation = visit};
    return each_row(store,
                    "SELECT team, kind, what, count, first_ms FROM violation ORDER BY team, id",
                    visit_violation, &listener, why);
}

static bool visit_build(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    const struct row_listener *listener = visit->owner;
    struct store_build build = {sqlite3_column_int(row, 0), sqlite3_column_int(row, 1),
                                store_text(row, 2)};
    (void)store;
    return listener->visit.build(listener->owner, &build);
}

enum err store_each_build(struct store *store, store_build_visit *visit, void *owner,
                          struct note *why)
{
    struct row_listener listener = {.owner = owner, .visit.build = visit};
    return each_row(store, "SELECT team, is_built, messages FROM build ORDER BY team", visit_build,
                    &listener, why);
}

static bool visit_machine(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    const struct row_listener *listener = visit->owner;
    struct store_machine machine = {
        .name = store_text(row, 0),
        .games = sqlite3_column_int64(row, 1),
        .set_aside = sqlite3_column_int64(row, 2),
        .moves = sqlite3_column_int64(row, 3),
        .late = sqlite3_column_int64(row, 4),
        .crashed = sqlite3_column_int64(row, 5),
        .counts = {sqlite3_column_int64(row, 6), sqlite3_column_int64(row, 7),
                   sqlite3_column_int64(row, 8)},
        .quarantine = sqlite3_column_type(row, 9) == SQLITE_NULL ? NULL : store_text(row, 9),
    };
    (void)store;
    return listener->visit.machine(listener->owner, &machine);
}

enum err store_each_machine(struct store *store, store_machine_visit *visit, void *owner,
                            struct note *why)
{
    struct row_listener listener = {.owner = owner, .visit.machine = visit};
    return each_row(
        store,
        "WITH name AS (SELECT machine FROM game UNION SELECT machine FROM machine),"
        " played AS (SELECT machine, sum(status <> 'set aside') AS games,"
        "  sum(status = 'set aside') AS set_aside, sum(plies) AS moves FROM game"
        "  GROUP BY machine),"
        " failed AS (SELECT machine, sum(kind = 'late') AS late, sum(kind = 'crashed') AS crashed"
        "  FROM fault JOIN game USING (game, attempt) GROUP BY machine)"
        "SELECT machine, ifnull(games, 0), ifnull(set_aside, 0), ifnull(moves, 0),"
        " ifnull(late, 0), ifnull(crashed, 0), ifnull(refused, 0), ifnull(returned, 0),"
        " ifnull(lost, 0), quarantine"
        " FROM name LEFT JOIN played USING (machine) LEFT JOIN failed USING (machine)"
        " LEFT JOIN machine USING (machine) ORDER BY machine",
        visit_machine, &listener, why);
}

static bool visit_audit(struct store *store, sqlite3_stmt *row, struct row_context *visit)
{
    const struct row_listener *listener = visit->owner;
    struct store_audit_entry entry = {
        .at_ms = sqlite3_column_int64(row, 0),
        .who = store_text(row, 1),
        .what = store_text(row, 2),
        .game = int_or(row, 3, -1),
        .team = int_or(row, 4, -1),
        .reason = store_text(row, 5),
    };
    (void)store;
    return listener->visit.audit(listener->owner, &entry);
}

enum err store_each_audit_entry(struct store *store, store_audit_visit *visit, void *owner,
                                struct note *why)
{
    struct row_listener listener = {.owner = owner, .visit.audit = visit};
    return each_row(store, "SELECT at_ms, who, what, game, team, reason FROM audit ORDER BY id",
                    visit_audit, &listener, why);
}

enum err store_each_event(struct store *store, int64_t after, int limit, store_event_visit *visit,
                          void *owner, struct note *why)
{
    sqlite3_stmt *row = store_prepare(
        store, why,
        "SELECT id, at_ms, kind, game, text FROM event WHERE id > ? ORDER BY id LIMIT ?", "li",
        after, limit);
    bool has_row = row != NULL;
    enum err err = row ? ERR_NONE : ERR_ENVIRONMENT;
    while (has_row && !(err = store_step(store, row, &has_row, why)) && has_row) {
        struct store_event event = {
            .id = sqlite3_column_int64(row, 0),
            .at_ms = sqlite3_column_int64(row, 1),
            .kind = store_text(row, 2),
            .game = int_or(row, 3, -1),
            .text = store_text(row, 4),
        };
        has_row = visit(owner, &event);
    }
    sqlite3_finalize(row);
    return err;
}
