#include "cli/tournament_table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/paint.h"
#include "judge/record.h"
#include "judge/record_turns.h"
#include "report/caption.h"
#include "report/json_tournament.h"
#include "tournament/qualification.h"
#include "tournament/team_order.h"

enum { NAME_COLUMNS = 24, GAME_NAME_COLUMNS = 16, ID_COLUMNS = 12 };

/* Read well on black and on white. */
enum { PLAIN_INK = 0, GOOD_INK = 0x2e9e4f, BAD_INK = 0xd9483b };

static size_t columns_of(const char *text)
{
    size_t columns = 0;
    utf8_fit(text, SIZE_MAX, &columns);
    return columns;
}

/* Cut or filled up to that many columns. */
static void print_padded(FILE *out, const char *text, size_t columns)
{
    size_t used = 0;
    fwrite(text, 1, utf8_fit(text, columns, &used), out);
    fprintf(out, "%*s", (int)(columns - used), "");
}

/* The rows of the standings. The caller frees. */
static enum err make_rows(const struct tournament *t, struct ranking_row **out, struct note *why)
{
    struct ranking_row *rows = malloc((size_t)roster_entrant_count(t->roster) * sizeof *rows);
    enum err err = ERR_ENVIRONMENT;
    if (!rows) {
        note_set(why, "no memory for the standings");
        return err;
    }
    err = tournament_standings(t, rows, why);
    if (err) {
        free(rows);
    } else {
        *out = rows;
    }
    return err;
}

static size_t widest(const struct tournament *t, bool is_name, size_t most)
{
    size_t widest = is_name ? strlen("name") : strlen("team");
    for (int i = 0; i < roster_entrant_count(t->roster); i++) {
        const struct roster_team *team = &t->roster->teams[roster_entrant(t->roster, i)];
        size_t columns = columns_of(is_name ? team->name : team->id);
        widest = columns > widest ? columns : widest;
    }
    return widest < most ? widest : most;
}

/* --- Standings --- */

static void print_row(FILE *out, const struct tournament *t, const struct ranking_row *row,
                      size_t id_columns, size_t name_columns)
{
    const struct roster_team *team = &t->roster->teams[row->team];
    const int64_t *figures = row->figures;
    char direct[24] = "-";
    if (row->has_direct) {
        snprintf(direct, sizeof direct, "%lld", (long long)figures[RANKING_DIRECT]);
    }
    if (t->disqualifications[row->team].is_set) {
        fputs("  -  ", out);
    } else {
        fprintf(out, "%3d  ", row->place);
    }
    print_padded(out, team->id, id_columns);
    fputs("  ", out);
    print_padded(out, team->name, name_columns);
    fprintf(out, " %6lld %5lld %5d %5d %5d %6lld %8lld %8lld %6s %4lld\n",
            (long long)figures[RANKING_POINTS], (long long)figures[RANKING_WINS], row->drawn,
            row->lost, row->byes, (long long)figures[RANKING_DIFFERENTIAL],
            (long long)figures[RANKING_BUCHHOLZ], (long long)figures[RANKING_SONNEBORN], direct,
            (long long)figures[RANKING_LOT]);
}

/* A reference has games, but no place and no figures. */
static void print_reference(FILE *out, const struct tournament *t, const struct ranking_row *row,
                            size_t id_columns, size_t name_columns)
{
    const struct roster_team *team = &t->roster->teams[row->team];
    fputs("  -  ", out);
    print_padded(out, team->id, id_columns);
    fputs("  ", out);
    print_padded(out, team->name, name_columns);
    fprintf(out, " %6s %5d %5d %5d %5s  reference, not ranked\n", "-", row->won, row->drawn,
            row->lost, "-");
}

static bool is_busy(const struct tournament *t, int team)
{
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        if (game->status == GAME_PLAYED && (game->team[0] == team || game->team[1] == team)) {
            return true;
        }
    }
    return false;
}

/* "team 7 (Seven)"; the name is left out where it is the id, as in an anonymous table. */
static void print_team(FILE *out, const char *before, const struct roster_team *team)
{
    bool is_same = strcmp(team->id, team->name) == 0;
    fprintf(out, "%steam %s%s%s%s", before, team->id, is_same ? "" : " (",
            is_same ? "" : team->name, is_same ? "" : ")");
}

/* Teams that are disqualified, or that have played games and completed none. */
static void print_unqualified(FILE *out, const struct tournament *t)
{
    bool qualified[ROSTER_MAX_TEAMS];
    int order[ROSTER_MAX_TEAMS];
    const char *before = "\n";
    qualification_list(t, qualified);
    team_order_list(t->roster, order);
    for (int at = 0; at < t->roster->team_count; at++) {
        int i = order[at];
        const struct roster_team *team = &t->roster->teams[i];
        const struct disqualification *disqualification = &t->disqualifications[i];
        const char *moves = qualification_never_moved(t, i) ? ": it never moved itself" : "";
        if (disqualification->is_set) {
            print_team(out, before, team);
            fprintf(out, " is disqualified%s%s\n", disqualification->reason.text[0] ? ": " : "",
                    disqualification->reason.text);
        } else if (roster_refuses(t->roster, i)) {
            print_team(out, before, team);
            fputs(" was handed in late and does not play\n", out);
        } else if (t->qualifications[i].has_failed) {
            print_team(out, before, team);
            fprintf(out, " is not qualified%s\n", moves);
        } else if (!qualified[i] && is_busy(t, i)) {
            print_team(out, before, team);
            fprintf(out, " is not qualified: %s\n",
                    *moves ? moves + 2 : "it has completed no game");
        } else {
            continue;
        }
        before = "";
    }
}

void tournament_table_rules(FILE *out, const char *before, const struct roster *roster)
{
    char text[RANKING_RULES_BYTES];
    if (!ranking_rules_are_usual(&roster->ranking)) {
        ranking_rules_describe(&roster->ranking, text);
        fprintf(out, "%sranking: %s\n", before, text);
    }
}

void tournament_table_references(FILE *out, const struct roster *roster)
{
    for (int i = roster->team_count; i < roster_entrant_count(roster); i++) {
        fprintf(out, "reference opponent, not ranked: %s\n",
                roster->teams[roster_entrant(roster, i)].id);
    }
}

enum err tournament_table_standings(FILE *out, const struct tournament *t, int limit,
                                    struct note *why)
{
    struct ranking_row *rows = NULL;
    enum err err = make_rows(t, &rows, why);
    if (err) {
        return err;
    }
    size_t id_columns = widest(t, false, ID_COLUMNS);
    size_t name_columns = widest(t, true, NAME_COLUMNS);
    fputs("     ", out);
    print_padded(out, "team", id_columns);
    fputs("  ", out);
    print_padded(out, "name", name_columns);
    fprintf(out, " %6s %5s %5s %5s %5s %6s %8s %8s %6s %4s\n", "points", "won", "drawn", "lost",
            "byes", "diff", "buchholz", "s-berger", "direct", "lot");
    int shown = limit == TABLE_ALL || limit > t->roster->team_count ? t->roster->team_count : limit;
    for (int i = 0; i < shown; i++) {
        print_row(out, t, &rows[i], id_columns, name_columns);
    }
    for (int i = t->roster->team_count; i < roster_entrant_count(t->roster); i++) {
        print_reference(out, t, &rows[i], id_columns, name_columns);
    }
    if (limit == TABLE_ALL) {
        tournament_table_rules(out, "\n", t->roster);
        print_unqualified(out, t);
    }
    free(rows);
    return ERR_NONE;
}

/* --- The qualification --- */

static const char *result_for(const struct tournament_game *game, int team)
{
    int place = game->team[0] == team ? 0 : 1;
    enum outcome win = game->summary.colour[place] == SIDE_BLACK ? OUTCOME_BLACK : OUTCOME_WHITE;
    return game->status != GAME_PLAYED             ? "-"
           : game->summary.outcome == win          ? "won"
           : game->summary.outcome == OUTCOME_DRAW ? "drawn"
                                                   : "lost";
}

/* Without an ink in the terminal's own. */
static void print_painted(enum paint paint, uint32_t ink, const char *text, int columns)
{
    if (ink) {
        paint_ink(paint, ink);
    }
    printf("%-*s", columns, text);
    if (ink) {
        paint_reset(paint);
    }
}

static void print_result(enum paint paint, const char *result)
{
    uint32_t ink = strcmp(result, "won") == 0    ? GOOD_INK
                   : strcmp(result, "lost") == 0 ? BAD_INK
                                                 : PLAIN_INK;
    putchar(' ');
    print_painted(paint, ink, result, 5);
}

/* A game that was won need not have been played by the program. */
static void print_judged(const struct tournament *t, int team)
{
    struct note words;
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        const struct tournament_game *game = &t->qualifications[team].games[i];
        int place = game->team[0] == team ? 0 : 1;
        if (game->status == GAME_PLAYED && game->summary.turns[place].judged) {
            record_describe_turns(t->roster->game, &game->summary.turns[place], "its", &words);
            printf("; %s: %s", i ? "2nd" : "1st", words.text);
        }
    }
}

static void print_qualification(enum paint paint, const struct tournament *t, int team,
                                bool is_qualified)
{
    const struct qualification *own = &t->qualifications[team];
    int64_t slowest_ms = 0;
    struct note why = {""};
    for (int i = 0; i < QUALIFICATION_GAMES; i++) {
        int64_t ms = own->games[i].summary.slowest_ms[own->games[i].team[0] == team ? 0 : 1];
        slowest_ms = ms > slowest_ms ? ms : slowest_ms;
    }
    bool is_disqualified = t->disqualifications[team].is_set;
    if (own->has_failed && !is_disqualified) {
        qualification_explain(t, team, &why);
    }
    print_result(paint, result_for(&own->games[0], team));
    print_result(paint, result_for(&own->games[1], team));
    printf(" %8.2f s  ", (double)slowest_ms / 1000);
    if (is_qualified) {
        print_painted(paint, GOOD_INK, "yes", 0);
    } else if (is_disqualified || own->has_failed) {
        print_painted(paint, BAD_INK, is_disqualified ? "disqualified" : "no", 0);
        printf("%s%s", is_disqualified ? "" : ": ", why.text);
    } else {
        printf("not played");
    }
    if (!strstr(why.text, "the judge ")) { /* that is the reason itself */
        print_judged(t, team);
    }
    putchar('\n');
}

void tournament_table_qualification(const struct tournament *t)
{
    enum paint paint = paint_choose(NULL);
    bool is_qualified[ROSTER_MAX_TEAMS];
    size_t id_columns = widest(t, false, ID_COLUMNS);
    size_t name_columns = widest(t, true, NAME_COLUMNS);
    int qualified = qualification_list(t, is_qualified);
    int order[ROSTER_MAX_TEAMS];
    team_order_list(t->roster, order);
    print_padded(stdout, "team", id_columns);
    fputs("  ", stdout);
    print_padded(stdout, "name", name_columns);
    printf(" %-5s %-5s %10s  %s\n", "1st", "2nd", "slowest", "qualified");
    for (int at = 0; at < t->roster->team_count; at++) {
        int i = order[at];
        print_padded(stdout, t->roster->teams[i].id, id_columns);
        fputs("  ", stdout);
        print_padded(stdout, t->roster->teams[i].name, name_columns);
        print_qualification(paint, t, i, is_qualified[i]);
    }
    printf("%d of %d teams are qualified\n", qualified, t->roster->team_count);
}

void tournament_table_qualification_json(const struct tournament *t)
{
    struct json json = json_make(stdout, JSON_LINE);
    const struct json_tournament view = {t, NULL};
    json_begin_object(&json, NULL);
    json_tournament_plan(&json, t->roster);
    json_tournament_qualification(&json, "qualification", &view, true);
    json_end(&json);
    putchar('\n');
}

void tournament_table_failed(FILE *out, const struct tournament *t)
{
    int order[ROSTER_MAX_TEAMS];
    team_order_list(t->roster, order);
    for (int at = 0; at < t->roster->team_count; at++) {
        int i = order[at];
        struct note why;
        if (t->qualifications[i].has_failed) {
            qualification_explain(t, i, &why);
            print_team(out, "", &t->roster->teams[i]);
            fprintf(out, " is not qualified: %s\n", why.text);
        }
    }
}

/* --- Cross-table --- */

/* A team's place, "-" for a disqualified team, or "r1" for the first reference. */
static const char *write_cross_heading(const struct tournament *t, const struct ranking_row *rows,
                                       int index, char *out, size_t room)
{
    int teams = t->roster->team_count;
    if (index < teams && t->disqualifications[rows[index].team].is_set) {
        snprintf(out, room, "-");
    } else if (index < teams) {
        snprintf(out, room, "%d", rows[index].place);
    } else {
        snprintf(out, room, "r%d", index - teams + 1);
    }
    return out;
}

static void print_cross_row(FILE *out, const struct tournament *t, const struct ranking_row *rows,
                            const int *points, int place)
{
    size_t slots = (size_t)t->roster->slot_count;
    int team = rows[place].team;
    char heading[16];
    fprintf(out, "%3s  ", write_cross_heading(t, rows, place, heading, sizeof heading));
    print_padded(out, t->roster->teams[team].id, widest(t, false, ID_COLUMNS));
    if (roster_is_reference(t->roster, team)) {
        fprintf(out, " %6s ", "-");
    } else {
        fprintf(out, " %6lld ", (long long)rows[place].figures[RANKING_POINTS]);
    }
    for (int i = 0; i < roster_entrant_count(t->roster); i++) {
        int made = points[(size_t)team * slots + (size_t)rows[i].team];
        if (i == place) {
            fputs("   x", out);
        } else if (made < 0) {
            fputs("   .", out);
        } else {
            fprintf(out, " %3d", made);
        }
    }
    fputc('\n', out);
}

struct attempt_count {
    int64_t of_team[ROSTER_MAX_TEAMS];
};

static bool count_attempts(void *owner, const struct store_violation *row)
{
    struct attempt_count *count = owner;
    if (row->team >= 0 && row->team < ROSTER_MAX_TEAMS) {
        count->of_team[row->team] += row->violation.count;
    }
    return true;
}

enum err tournament_table_attempts(FILE *out, const char *before, struct store *store,
                                   const struct roster *roster, struct note *why)
{
    struct attempt_count count = {{0}};
    int order[ROSTER_MAX_TEAMS];
    team_order_list(roster, order);
    enum err err = store_each_violation(store, count_attempts, &count, why);
    for (int at = 0; at < roster->team_count && !err; at++) {
        int i = order[at];
        if (count.of_team[i] > 0) {
            print_team(out, before, &roster->teams[i]);
            fprintf(out, ": the sandbox refused %" PRId64 " attempt%s, see the report\n",
                    count.of_team[i], count.of_team[i] == 1 ? "" : "s");
            before = "";
        }
    }
    return err;
}

/* --- Machines --- */

struct machine_table {
    FILE *out; /* NULL: they are counted only */
    size_t columns;
    bool has_workers;
};

/* "3 (0.05 %)" */
static void write_rate(int64_t count, int64_t all, char out[32])
{
    if (count && all) {
        snprintf(out, 32, "%" PRId64 " (%.2f %%)", count, 100.0 * (double)count / (double)all);
    } else {
        snprintf(out, 32, "%" PRId64, count);
    }
}

static bool add_machine(void *owner, const struct store_machine *machine)
{
    struct machine_table *table = owner;
    const char *name = *machine->name ? machine->name : "(coordinator)";
    char late[32];
    char crashed[32];
    size_t columns = columns_of(name);
    if (!table->out) {
        table->columns = columns > table->columns ? columns : table->columns;
        table->has_workers |= *machine->name;
        return true;
    }
    write_rate(machine->late, machine->moves, late);
    write_rate(machine->crashed, machine->games + machine->set_aside, crashed);
    print_padded(table->out, name, table->columns);
    fprintf(table->out,
            " %7" PRId64 "  %-16s %-16s %9" PRId64 " %7" PRId64 " %10" PRId64 " %5" PRId64 "%s%s\n",
            machine->games, late, crashed, machine->set_aside, machine->counts.refused,
            machine->counts.returned, machine->counts.lost,
            machine->quarantine ? "  in quarantine: " : "",
            machine->quarantine ? machine->quarantine : "");
    return true;
}

enum err tournament_table_machines(FILE *out, const char *before, struct store *store,
                                   struct note *why)
{
    struct machine_table table = {.columns = strlen("machine")};
    enum err err = store_each_machine(store, add_machine, &table, why);
    if (err || !table.has_workers) {
        return err;
    }
    fputs(before, out);
    print_padded(out, "machine", table.columns);
    fprintf(out, " %7s  %-16s %-16s %9s %7s %10s %5s\n", "games", "late moves", "crashes",
            "set aside", "refused", "given back", "lost");
    table.out = out;
    return store_each_machine(store, add_machine, &table, why);
}

enum err tournament_table_cross(FILE *out, const struct tournament *t, struct note *why)
{
    struct ranking_row *rows = NULL;
    enum err err = make_rows(t, &rows, why);
    int *points = err ? NULL : json_tournament_cross_points(t);
    if (!err && !points) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory for a cross-table");
    }
    if (!err) {
        fputs("     ", out);
        print_padded(out, "team", widest(t, false, ID_COLUMNS));
        fputs(" points ", out);
        for (int i = 0; i < roster_entrant_count(t->roster); i++) {
            char heading[16];
            fprintf(out, " %3s", write_cross_heading(t, rows, i, heading, sizeof heading));
        }
        fputc('\n', out);
        for (int i = 0; i < roster_entrant_count(t->roster); i++) {
            print_cross_row(out, t, rows, points, i);
        }
    }
    free(points);
    free(rows);
    return err;
}

enum err tournament_table_json(const struct tournament *t, bool is_crosstable, struct note *why)
{
    struct ranking_row *rows = NULL;
    struct json json = json_make(stdout, JSON_LINE);
    enum err err = make_rows(t, &rows, why);
    if (!err && is_crosstable) {
        err = json_tournament_crosstable(&json, t, rows, why);
    } else if (!err) {
        json_tournament_standings(&json, NULL, &(struct json_tournament){.tournament = t}, rows);
    }
    if (!err) {
        putchar('\n');
    }
    free(rows);
    return err;
}

/* --- Games --- */

static const char *status_word(enum tournament_status status)
{
    static const char *const words[] = {"planned", "running", "", "annulled", "cancelled"};
    return words[status];
}

/* Two teams may have the same name, so the id is first; names that are the ids are left out. */
struct game_columns {
    size_t id;
    size_t name; /* 0: no name is shown */
};

static struct game_columns game_columns_of(const struct tournament *t)
{
    struct game_columns columns = {widest(t, false, ID_COLUMNS), 0};
    for (int i = 0; i < roster_entrant_count(t->roster); i++) {
        const struct roster_team *team = &t->roster->teams[roster_entrant(t->roster, i)];
        if (strcmp(team->id, team->name) != 0) {
            columns.name = widest(t, true, GAME_NAME_COLUMNS);
        }
    }
    return columns;
}

static void print_player(FILE *out, const struct game_columns *columns, const char *id,
                         const char *name)
{
    print_padded(out, id, columns->id);
    fputs("  ", out);
    if (columns->name) {
        print_padded(out, strcmp(id, name) == 0 ? "" : name, columns->name);
        fputs("  ", out);
    }
}

static bool is_wanted(const struct tournament_game *game, int team)
{
    return team == TABLE_ALL || game->team[0] == team || game->team[1] == team;
}

static void print_faults(FILE *out, const struct tournament *t, const struct tournament_game *game)
{
    struct note words;
    for (int place = 0; place < 2; place++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            int count = game->summary.faults[place][kind];
            if (count) {
                fprintf(out, "  %s: %d %s", t->roster->teams[game->team[place]].id, count,
                        fault_name((enum fault)kind));
            }
        }
        if (game->summary.turns[place].judged) {
            record_describe_turns(t->roster->game, &game->summary.turns[place], "its", &words);
            fprintf(out, "  %s: %s", t->roster->teams[game->team[place]].id, words.text);
        }
    }
}

void tournament_table_games(FILE *out, const struct tournament *t, int team)
{
    struct game_columns columns = game_columns_of(t);
    columns.id = columns.id > strlen("black") ? columns.id : strlen("black");
    fputs(" game round  ", out);
    print_player(out, &columns, "black", "name");
    print_player(out, &columns, "white", "name");
    fputs("result     score  plies  reason\n", out);
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        int black = json_tournament_black(game);
        if (!is_wanted(game, team)) {
            continue;
        }
        const struct roster_team *first = &t->roster->teams[game->team[black]];
        const struct roster_team *second = &t->roster->teams[game->team[1 - black]];
        fprintf(out, "%5d %5d  ", game->number + 1, game->round + 1);
        print_player(out, &columns, first->id, first->name);
        print_player(out, &columns, second->id, second->name);
        if (json_tournament_has_result(game)) {
            char score[32];
            char ending[CAPTION_BYTES];
            caption_ending(t->roster->game, game->summary.outcome, game->summary.reason, ending);
            snprintf(score, sizeof score, "%d-%d", game->summary.score[0], game->summary.score[1]);
            fprintf(out, "%-7s %8s %6d  %s%s%s", record_result_word(game->summary.outcome), score,
                    game->summary.plies, ending, game->status == GAME_ANNULLED ? ", " : "",
                    status_word(game->status));
            print_faults(out, t, game);
            fputc('\n', out);
        } else {
            fprintf(out, "%s\n", status_word(game->status));
        }
    }
}

void tournament_table_games_json(const struct tournament *t, int team)
{
    const struct json_tournament view = {.tournament = t};
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_array(&json, NULL);
    for (size_t i = 0; i < t->game_count; i++) {
        if (is_wanted(&t->games[i], team)) {
            json_begin_object(&json, NULL);
            json_tournament_game(&json, &view, &t->games[i], NULL);
            json_end(&json);
        }
    }
    json_end(&json);
    putchar('\n');
}

void tournament_table_record_json(const struct tournament *t, int game, const char *record)
{
    const struct json_tournament view = {.tournament = t};
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_tournament_game(&json, &view, &t->games[game], NULL);
    json_string(&json, "record", record);
    json_end(&json);
    putchar('\n');
}
