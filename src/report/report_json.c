#include "report/report_json.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "judge/record.h"

struct view {
    const struct book *book;
    bool is_public;
};

/* jansson's setters take a NULL value as a failure, so each step passes the last one on. */
static json_t *with(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *append(json_t *list, json_t *item)
{
    if (json_array_append_new(list, item)) {
        json_decref(list);
        return NULL;
    }
    return list;
}

json_t *report_json_text(const char *text)
{
    size_t length = strlen(text);
    char *clean = malloc(length + 1);
    if (!clean) {
        return NULL;
    }
    for (size_t at = 0; at < length;) {
        size_t taken = text[at] == '\n' || text[at] == '\t' ? 1 : utf8_printable(text + at);
        memcpy(clean + at, taken ? text + at : "?", taken ? taken : 1);
        at += taken ? taken : 1;
    }
    clean[length] = '\0';
    json_t *value = json_string(clean);
    free(clean);
    return value;
}

static const char *id_of(const struct view *view, int team)
{
    const struct book_team *entry = &view->book->teams[team];
    return view->is_public ? entry->label : entry->entry->id;
}

static double rounded(double value) { return (double)(int64_t)(value + (value < 0 ? -0.5 : 0.5)); }

/* --- Teams. --- */

static json_t *faults_json(const int64_t faults[FAULT_KINDS])
{
    json_t *object = json_object();
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        object = with(object, fault_name((enum fault)kind), json_integer(faults[kind]));
    }
    return object;
}

static json_t *figures_json(const struct ranking_row *row)
{
    json_t *object = json_object();
    for (int f = 0; f < RANKING_FIGURES; f++) {
        bool is_known = f != RANKING_DIRECT || row->has_direct;
        object = with(object, ranking_figure_name((enum ranking_figure)f),
                      is_known ? json_integer(row->figures[f]) : json_null());
    }
    return object;
}

static json_t *rating_json(const struct view *view, int place)
{
    const struct book *book = view->book;
    int team = book->rows[place].team;
    const struct rating *rating = &book->teams[team].rating;
    json_t *stronger = json_null();
    if (!rating->games) {
        return json_null();
    }
    if (place + 1 < book->roster.team_count) {
        double share = rating_superiority(&book->ratings, team, book->rows[place + 1].team);
        stronger = json_real(rounded(share * 1000) / 1000);
    }
    return json_pack("{s:I, s:I, s:o}", "elo", (json_int_t)rounded(rating->elo), "error",
                     (json_int_t)rounded(rating->error), "stronger_than_next", stronger);
}

static json_t *team_json(const struct view *view, int place)
{
    const struct ranking_row *row = &view->book->rows[place];
    const struct book_team *team = &view->book->teams[row->team];
    int withdrawn = view->book->tournament.withdrawn_after[row->team];
    json_t *object =
        json_pack("{s:i, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:I, s:I}", "place", row->place, "id",
                  id_of(view, row->team), "name", team->label, "played", row->played, "won",
                  row->won, "drawn", row->drawn, "lost", row->lost, "byes", row->byes, "scored",
                  (json_int_t)row->scored, "conceded", (json_int_t)row->conceded);
    object = with(object, "figures", figures_json(row));
    object = with(object, "decided_by",
                  row->decided_by == RANKING_FIGURES
                      ? json_null()
                      : json_string(ranking_figure_name(row->decided_by)));
    object = with(object, "rating", rating_json(view, place));
    object = with(object, "qualified", json_boolean(team->is_qualified));
    object = with(object, "withdrawn_after", withdrawn < 0 ? json_null() : json_integer(withdrawn));
    bool shows_number = team->entry->has_id_team && !view->is_public;
    object =
        with(object, "id_team", shows_number ? json_integer(team->entry->id_team) : json_null());
    object = with(object, "faults", faults_json(team->faults));
    object = with(object, "thinking_ms", json_integer(team->thinking_ms));
    object = with(object, "slowest_ms", json_integer(team->slowest_ms));
    return with(object, "slowest_game",
                team->slowest_game < 0 ? json_null() : json_integer(team->slowest_game + 1));
}

/* --- Games. --- */

static const char *status_name(enum tournament_status status)
{
    static const char *const names[] = {"planned", "running", "played", "annulled", "cancelled"};
    return names[status];
}

static json_t *time_json(int64_t ms)
{
    char text[32] = "";
    if (ms > 0) {
        clock_write(ms, "%Y-%m-%dT%H:%M:%SZ", text, sizeof text);
    }
    return *text ? json_string(text) : json_null();
}

static int fault_count(const struct tournament_game *game, int place)
{
    int count = 0;
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        count += game->faults[place][kind];
    }
    return count;
}

/* What came of it; pairs are Black's and White's. */
static json_t *with_result(json_t *object, const struct tournament_game *game)
{
    int black = game->colour[0] == SIDE_BLACK ? 0 : 1;
    int white = 1 - black;
    object = with(object, "result", json_string(record_result_word(game->outcome)));
    object = with(object, "score", json_pack("[i, i]", game->score[0], game->score[1]));
    object = with(object, "reason", json_string(game->reason));
    object = with(object, "forfeit", json_boolean(game->is_forfeit));
    object = with(object, "plies", json_integer(game->plies));
    object = with(object, "faults",
                  json_pack("[i, i]", fault_count(game, black), fault_count(game, white)));
    object = with(object, "thinking_ms",
                  json_pack("[I, I]", (json_int_t)game->thinking_ms[black],
                            (json_int_t)game->thinking_ms[white]));
    object = with(object, "slowest_ms",
                  json_pack("[I, I]", (json_int_t)game->slowest_ms[black],
                            (json_int_t)game->slowest_ms[white]));
    return with(object, "ended", time_json(game->ended_ms));
}

static json_t *game_json(const struct view *view, const struct tournament_game *game)
{
    bool has_result = game->status == GAME_PLAYED || game->status == GAME_ANNULLED;
    int black = has_result ? book_player(game, SIDE_BLACK) : game->team[0];
    int white = has_result ? book_player(game, SIDE_WHITE) : game->team[1];
    json_t *object = json_pack("{s:i, s:i, s:s, s:s, s:s}", "number", game->number + 1, "round",
                               game->round + 1, "status", status_name(game->status), "black",
                               id_of(view, black), "white", id_of(view, white));
    return has_result ? with_result(object, game) : object;
}

static json_t *fault_json(const struct view *view, const struct book_fault *fault)
{
    json_t *object =
        json_pack("{s:i, s:i, s:s, s:s}", "game", fault->game + 1, "ply", fault->ply + 1, "team",
                  id_of(view, fault->team), "kind", fault_name(fault->kind));
    object =
        with(object, "time_ms", fault->time_ms < 0 ? json_null() : json_integer(fault->time_ms));
    /* The sentence quotes what the program said, and that may be anything. */
    return view->is_public ? object : with(object, "why", report_json_text(fault->why));
}

static bool is_bye(const struct ranking_game *game) { return game->team[1] == RANKING_NOBODY; }

static bool is_same_bye(const struct ranking_game *a, const struct ranking_game *b)
{
    return is_bye(a) && is_bye(b) && a->team[0] == b->team[0] && a->round == b->round;
}

/* Those of the pairings and those of cancelled games; all of a team's in a round are one. */
static json_t *byes_json(const struct view *view)
{
    struct ranking_game *games = NULL;
    size_t count = 0;
    json_t *list = json_array();
    if (tournament_counted(&view->book->tournament, &games, &count, NULL)) {
        json_decref(list);
        return NULL;
    }
    for (size_t i = 0; i < count; i++) {
        int same = 0;
        if (!is_bye(&games[i]) || (i > 0 && is_same_bye(&games[i - 1], &games[i]))) {
            continue;
        }
        while (i + (size_t)same < count && is_same_bye(&games[i], &games[i + (size_t)same])) {
            same++;
        }
        list = append(list, json_pack("{s:i, s:s, s:i}", "round", games[i].round + 1, "team",
                                      id_of(view, games[i].team[0]), "games", same));
    }
    free(games);
    return list;
}

json_t *report_json(const struct book *book, bool is_public)
{
    const struct view view = {book, is_public};
    const struct roster *roster = &book->roster;
    const struct tournament *t = &book->tournament;
    json_t *teams = json_array();
    json_t *games = json_array();
    json_t *faults = json_array();
    for (int i = 0; i < roster->team_count; i++) {
        teams = append(teams, team_json(&view, i));
    }
    for (size_t i = 0; i < t->game_count; i++) {
        games = append(games, game_json(&view, &t->games[i]));
    }
    for (size_t i = 0; i < book->fault_count; i++) {
        faults = append(faults, fault_json(&view, &book->faults[i]));
    }
    json_t *report =
        json_pack("{s:s, s:s, s:s, s:i, s:i, s:b, s:I}", "name", roster->name, "game",
                  roster->game->name, "format", roster_format_name(roster->format), "rounds",
                  roster->rounds, "games_per_pairing", roster->games_per_pairing, "finished",
                  tournament_is_over(t), "games_total", (json_int_t)tournament_total_games(roster));
    report = with(report, "teams", teams);
    report = with(report, "games", games);
    report = with(report, "byes", byes_json(&view));
    return with(report, "faults", faults);
}
