#include "cli/tournament_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/json_out.h"
#include "judge/record.h"

enum { NAME_COLUMNS = 24, ID_COLUMNS = 12 };

static size_t columns_of(const char *text)
{
    size_t columns = 0;
    for (size_t length; (length = utf8_printable(text)); text += length) {
        columns += utf8_columns(text);
    }
    return columns;
}

size_t tournament_table_cut(FILE *out, const char *text, size_t columns)
{
    size_t printed = 0;
    for (size_t length; (length = utf8_printable(text)); text += length) {
        size_t wide = utf8_columns(text);
        if (printed + wide > columns) {
            break;
        }
        printed += wide;
        fwrite(text, 1, length, out);
    }
    return printed;
}

/* Cut or filled up to so many columns. */
static void print_padded(FILE *out, const char *text, size_t columns)
{
    size_t printed = tournament_table_cut(out, text, columns);
    fprintf(out, "%*s", (int)(columns - printed), "");
}

size_t tournament_table_count(const struct tournament *t, enum tournament_status status)
{
    size_t count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        count += t->games[i].status == status;
    }
    return count;
}

int tournament_table_round(const struct tournament *t)
{
    for (size_t i = 0; i < t->game_count; i++) {
        if (t->games[i].status == GAME_PLANNED || t->games[i].status == GAME_TAKEN) {
            return t->games[i].round + 1;
        }
    }
    return t->rounds_paired;
}

/* The rows of the standings. The caller frees. */
static enum err make_rows(const struct tournament *t, struct ranking_row **out, struct note *why)
{
    struct ranking_row *rows = malloc((size_t)t->roster->team_count * sizeof *rows);
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
    for (int i = 0; i < t->roster->team_count; i++) {
        const struct roster_team *team = &t->roster->teams[i];
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
    fprintf(out, "%3d  ", row->place);
    print_padded(out, team->id, id_columns);
    fputs("  ", out);
    print_padded(out, team->name, name_columns);
    fprintf(out, " %6lld %5lld %5d %5d %5d %6lld %8lld %8lld %6s %4lld\n",
            (long long)figures[RANKING_POINTS], (long long)figures[RANKING_WINS], row->drawn,
            row->lost, row->byes, (long long)figures[RANKING_DIFFERENTIAL],
            (long long)figures[RANKING_BUCHHOLZ], (long long)figures[RANKING_SONNEBORN], direct,
            (long long)figures[RANKING_LOT]);
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

/* Only who had a chance to finish a game can have missed it. */
static void print_unqualified(FILE *out, const struct tournament *t)
{
    bool qualified[ROSTER_MAX_TEAMS];
    const char *before = "\n";
    tournament_qualified(t, qualified);
    for (int i = 0; i < t->roster->team_count; i++) {
        if (!qualified[i] && is_busy(t, i)) {
            fprintf(out, "%steam %s (%s) has not finished a game\n", before, t->roster->teams[i].id,
                    t->roster->teams[i].name);
            before = "";
        }
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
    if (limit == TABLE_ALL) {
        print_unqualified(out, t);
    }
    free(rows);
    return ERR_NONE;
}

static json_t *figures_json(const struct ranking_row *row)
{
    json_t *figures = json_object();
    for (int i = 0; i < RANKING_FIGURES; i++) {
        bool is_known = i != RANKING_DIRECT || row->has_direct;
        json_t *value = is_known ? json_integer(row->figures[i]) : json_null();
        if (json_object_set_new(figures, ranking_figure_name((enum ranking_figure)i), value)) {
            json_decref(figures);
            return NULL;
        }
    }
    return figures;
}

json_t *tournament_table_standings_json(const struct tournament *t, const struct ranking_row *rows)
{
    bool qualified[ROSTER_MAX_TEAMS];
    json_t *list = json_array();
    tournament_qualified(t, qualified);
    for (int i = 0; list && i < t->roster->team_count; i++) {
        const struct ranking_row *row = &rows[i];
        const struct roster_team *team = &t->roster->teams[row->team];
        list = json_out_append(
            list,
            json_pack("{s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:o, s:s?, s:b}", "place",
                      row->place, "id", team->id, "name", team->name, "played", row->played, "won",
                      row->won, "drawn", row->drawn, "lost", row->lost, "byes", row->byes,
                      "figures", figures_json(row), "decided_by",
                      row->decided_by == RANKING_FIGURES ? NULL
                                                         : ranking_figure_name(row->decided_by),
                      "qualified", (int)qualified[row->team]));
    }
    return list;
}

/* --- Cross-table --- */

/* points[a * teams + b]: what a made against b, or -1 when they have not met. The caller frees. */
static int *cross_points(const struct tournament *t)
{
    size_t teams = (size_t)t->roster->team_count;
    int *points = malloc(teams * teams * sizeof *points);
    for (size_t i = 0; points && i < teams * teams; i++) {
        points[i] = -1;
    }
    for (size_t i = 0; points && i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        for (int place = 0; game->status == GAME_PLAYED && place < 2; place++) {
            bool is_black = game->colour[place] == SIDE_BLACK;
            int *made = &points[(size_t)game->team[place] * teams + (size_t)game->team[1 - place]];
            *made = *made < 0 ? 0 : *made;
            *made += game->outcome == OUTCOME_DRAW ? RANKING_DRAW_POINTS
                     : game->outcome == (is_black ? OUTCOME_BLACK : OUTCOME_WHITE)
                         ? RANKING_WIN_POINTS
                         : 0;
        }
    }
    return points;
}

static void print_cross_row(FILE *out, const struct tournament *t, const struct ranking_row *rows,
                            const int *points, int place)
{
    size_t teams = (size_t)t->roster->team_count;
    int team = rows[place].team;
    fprintf(out, "%3d  ", place + 1);
    print_padded(out, t->roster->teams[team].id, widest(t, false, ID_COLUMNS));
    fprintf(out, " %6lld ", (long long)rows[place].figures[RANKING_POINTS]);
    for (size_t i = 0; i < teams; i++) {
        int made = points[(size_t)team * teams + (size_t)rows[i].team];
        if ((int)i == place) {
            fputs("   x", out);
        } else if (made < 0) {
            fputs("   .", out);
        } else {
            fprintf(out, " %3d", made);
        }
    }
    fputc('\n', out);
}

enum err tournament_table_cross(FILE *out, const struct tournament *t, struct note *why)
{
    struct ranking_row *rows = NULL;
    enum err err = make_rows(t, &rows, why);
    int *points = err ? NULL : cross_points(t);
    if (!err && !points) {
        note_set(why, "no memory for a cross-table");
        err = ERR_ENVIRONMENT;
    }
    if (!err) {
        fputs("     ", out);
        print_padded(out, "team", widest(t, false, ID_COLUMNS));
        fputs(" points ", out);
        for (int i = 0; i < t->roster->team_count; i++) {
            fprintf(out, " %3d", i + 1);
        }
        fputc('\n', out);
        for (int i = 0; i < t->roster->team_count; i++) {
            print_cross_row(out, t, rows, points, i);
        }
    }
    free(points);
    free(rows);
    return err;
}

json_t *tournament_table_cross_json(const struct tournament *t, const struct ranking_row *rows)
{
    size_t teams = (size_t)t->roster->team_count;
    int *points = cross_points(t);
    json_t *list = points ? json_array() : NULL;
    for (size_t i = 0; list && i < teams; i++) {
        json_t *against = json_object();
        for (size_t j = 0; against && j < teams; j++) {
            int made = points[(size_t)rows[i].team * teams + (size_t)rows[j].team];
            if (made >= 0 && json_object_set_new(against, t->roster->teams[rows[j].team].id,
                                                 json_integer(made))) {
                json_decref(against);
                against = NULL;
            }
        }
        list =
            json_out_append(list, json_pack("{s:s, s:o}", "id", t->roster->teams[rows[i].team].id,
                                            "points_against", against));
    }
    free(points);
    return list;
}

enum err tournament_table_print_json(const struct tournament *t,
                                     json_t *(*make)(const struct tournament *,
                                                     const struct ranking_row *),
                                     struct note *why)
{
    struct ranking_row *rows = NULL;
    enum err err = make_rows(t, &rows, why);
    if (!err) {
        err = json_out_take(make(t, rows), why);
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

static bool has_result(const struct tournament_game *game)
{
    return game->status == GAME_PLAYED || game->status == GAME_ANNULLED;
}

static bool is_wanted(const struct tournament_game *game, int team)
{
    return team == TABLE_ALL || game->team[0] == team || game->team[1] == team;
}

/* Who was Black, or will be: 0 or 1. */
static int black_place(const struct tournament_game *game)
{
    return has_result(game) && game->colour[0] == SIDE_WHITE ? 1 : 0;
}

static void print_faults(FILE *out, const struct tournament *t, const struct tournament_game *game)
{
    for (int place = 0; place < 2; place++) {
        for (int kind = 0; kind < FAULT_KINDS; kind++) {
            int count = game->faults[place][kind];
            if (count) {
                fprintf(out, "  %s: %d %s", t->roster->teams[game->team[place]].id, count,
                        fault_name((enum fault)kind));
            }
        }
    }
}

void tournament_table_games(FILE *out, const struct tournament *t, int team)
{
    size_t columns = widest(t, false, ID_COLUMNS);
    fputs(" game round  ", out);
    print_padded(out, "black", columns > 5 ? columns : 5);
    fputs("  ", out);
    print_padded(out, "white", columns > 5 ? columns : 5);
    fputs("  result     score  plies  reason\n", out);
    for (size_t i = 0; i < t->game_count; i++) {
        const struct tournament_game *game = &t->games[i];
        int black = black_place(game);
        if (!is_wanted(game, team)) {
            continue;
        }
        fprintf(out, "%5d %5d  ", game->number + 1, game->round + 1);
        print_padded(out, t->roster->teams[game->team[black]].id, columns > 5 ? columns : 5);
        fputs("  ", out);
        print_padded(out, t->roster->teams[game->team[1 - black]].id, columns > 5 ? columns : 5);
        if (has_result(game)) {
            char score[32];
            snprintf(score, sizeof score, "%d-%d", game->score[0], game->score[1]);
            fprintf(out, "  %-7s %8s %6d  %s%s%s", record_result_word(game->outcome), score,
                    game->plies, game->reason, game->status == GAME_ANNULLED ? ", " : "",
                    status_word(game->status));
            print_faults(out, t, game);
            fputc('\n', out);
        } else {
            fprintf(out, "  %s\n", status_word(game->status));
        }
    }
}

static json_t *faults_json(const int faults[FAULT_KINDS])
{
    json_t *list = json_object();
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (json_object_set_new(list, fault_name((enum fault)kind), json_integer(faults[kind]))) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *game_json(const struct tournament *t, const struct tournament_game *game)
{
    int black = black_place(game);
    int white = 1 - black;
    json_t *item = json_pack(
        "{s:i, s:i, s:s, s:s, s:s}", "game", game->number + 1, "round", game->round + 1, "status",
        game->status == GAME_PLAYED ? "played" : status_word(game->status), "black",
        t->roster->teams[game->team[black]].id, "white", t->roster->teams[game->team[white]].id);
    json_t *result =
        has_result(game)
            ? json_pack("{s:s, s:[i, i], s:s, s:b, s:i, s:[I, I], s:[I, I], s:[o, o], s:I, s:I}",
                        "result", record_result_word(game->outcome), "score", game->score[0],
                        game->score[1], "reason", game->reason, "forfeit", (int)game->is_forfeit,
                        "plies", game->plies, "thinking_ms", (json_int_t)game->thinking_ms[black],
                        (json_int_t)game->thinking_ms[white], "slowest_ms",
                        (json_int_t)game->slowest_ms[black], (json_int_t)game->slowest_ms[white],
                        "faults", faults_json(game->faults[black]),
                        faults_json(game->faults[white]), "started_ms",
                        (json_int_t)game->started_ms, "ended_ms", (json_int_t)game->ended_ms)
            : json_object();
    bool is_good = item && result && json_object_update(item, result) == 0;
    json_decref(result);
    if (!is_good) {
        json_decref(item);
        return NULL;
    }
    return item;
}

json_t *tournament_table_games_json(const struct tournament *t, int team)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < t->game_count; i++) {
        if (is_wanted(&t->games[i], team)) {
            list = json_out_append(list, game_json(t, &t->games[i]));
        }
    }
    return list;
}

json_t *tournament_table_record_json(const struct tournament *t, int game, const char *record)
{
    json_t *item = game_json(t, &t->games[game]);
    if (item && json_object_set_new(item, "record", json_string(record))) {
        json_decref(item);
        return NULL;
    }
    return item;
}
