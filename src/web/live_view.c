#include "web/live_view.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "report/json_tournament.h"
#include "store/pseudonym.h"
#include "store/tournament_file.h"

/* --- What is running. --- */

static void free_game(struct live_view_game *game)
{
    for (size_t i = 0; i < game->ply_count; i++) {
        free(game->plies[i]);
    }
    free(game->plies);
    free(game->start);
}

static void clear(struct live_view *view)
{
    for (size_t i = 0; i < view->running_count; i++) {
        free_game(&view->running[i]);
    }
    view->running_count = 0;
}

static struct live_view_game *find(const struct live_view *view, int game)
{
    for (size_t i = 0; i < view->running_count; i++) {
        if (view->running[i].game == game) {
            return &view->running[i];
        }
    }
    return NULL;
}

static void end_game(struct live_view *view, int number)
{
    struct live_view_game *game = find(view, number);
    if (game) {
        free_game(game);
        *game = view->running[--view->running_count];
    }
}

static void begin_game(struct live_view *view, const struct store_event *event)
{
    end_game(view, event->game);
    struct live_view_game *more =
        realloc(view->running, (view->running_count + 1) * sizeof *view->running);
    if (!more) {
        return;
    }
    view->running = more;
    char *start = strdup(event->text);
    if (start) {
        more[view->running_count++] =
            (struct live_view_game){.game = event->game, .start = start, .at_ms = event->at_ms};
    }
}

static void add_ply(struct live_view *view, const struct store_event *event)
{
    struct live_view_game *game = find(view, event->game);
    char **more = game ? realloc(game->plies, (game->ply_count + 1) * sizeof *more) : NULL;
    if (!more) {
        return;
    }
    game->plies = more;
    char *text = strdup(event->text);
    if (text) {
        more[game->ply_count++] = text;
        game->at_ms = event->at_ms;
    }
}

static bool is_one_of(const char *kind, const char *const *kinds)
{
    while (*kinds && strcmp(*kinds, kind) != 0) {
        kinds++;
    }
    return *kinds;
}

/* Where memory ends, everything is read again. */
static void note_finished(struct live_view *view, int game)
{
    int *list = array_reserve(view->finished, &view->finished_capacity, view->finished_count + 1,
                              sizeof *list);
    view->is_loaded = view->is_loaded && list;
    if (list) {
        view->finished = list;
        list[view->finished_count++] = game;
    }
}

void live_view_add(struct live_view *view, const struct store_event *event)
{
    static const char *const endings[] = {"created", "run", "stopped", "finished", NULL};
    static const char *const decisions[] = {"annul",     "restore",    "replay",    "withdraw",
                                            "rejoin",    "disqualify", "reinstate", "enter",
                                            "qualified", "quarantine", NULL};
    view->event = event->id;
    if (strcmp(event->kind, "start") == 0) {
        begin_game(view, event);
    } else if (strcmp(event->kind, "ply") == 0) {
        add_ply(view, event);
    } else if (strcmp(event->kind, "over") == 0) {
        end_game(view, event->game);
        note_finished(view, event->game);
    } else if (is_one_of(event->kind, endings)) {
        clear(view);
    } else if (is_one_of(event->kind, decisions)) {
        view->is_loaded = false;
    }
}

/* --- What was played. --- */

static void unload(struct live_view *view)
{
    tournament_free(&view->tournament);
    roster_free(&view->roster);
    view->tournament = (struct tournament){0};
    view->roster = (struct roster){0};
    view->is_loaded = false;
}

/* Other threads may read what is there already. */
static void order_teams(struct live_view *view, const char *text, const struct roster *roster)
{
    int order[ROSTER_MAX_TEAMS];
    int known = atomic_load(&view->order_count);
    pseudonym_order(text, roster, order);
    for (int i = known; i < roster->team_count; i++) {
        view->order[i] = order[i];
    }
    if (roster->team_count > known) {
        atomic_store(&view->order_count, roster->team_count);
    }
}

enum err live_view_refresh(struct live_view *view, struct store *store, enum cpu_level cpu,
                           struct note *why)
{
    enum err err = ERR_NONE;
    if (view->is_loaded) {
        err = store_load_games(store, &view->tournament, view->finished, view->finished_count, why);
    }
    if (!view->is_loaded || err) {
        unload(view);
        err = tournament_file_load(store, cpu, &view->roster, &view->tournament, why);
        if (!err && view->is_anonymous) {
            order_teams(view, store_roster(store), &view->roster);
            err = pseudonym_apply(store_roster(store), &view->roster, &view->tournament, why);
        }
        view->is_loaded = !err;
    }
    if (!err) {
        view->finished_count = 0;
    }
    return err;
}

enum err live_view_anonymise(struct live_view *view, struct store *store, enum cpu_level cpu,
                             struct note *why)
{
    struct roster roster = {0};
    struct tournament t = {0};
    enum err err = tournament_file_load(store, cpu, &roster, &t, why);
    if (!err) {
        view->is_anonymous = true;
        view->order = calloc(ROSTER_MAX_TEAMS, sizeof *view->order);
        err = view->order ? ERR_NONE
                          : note_fail(why, ERR_ENVIRONMENT, "no memory for the pseudonyms");
    }
    if (!err) {
        order_teams(view, store_roster(store), &roster);
    }
    tournament_free(&t);
    roster_free(&roster);
    return err;
}

/* The place of the team that the text begins with in the list of teams, and the text after it; -1:
 * it begins with no team. */
static int read_place(const struct live_view *view, const char *text, char **rest)
{
    long team = strtol(text, rest, 10);
    if (team >= ROSTER_MAX_TEAMS - ROSTER_MAX_REFERENCES && team < ROSTER_MAX_TEAMS &&
        team >= view->order_count) {
        return (int)team; /* a reference is not anonymous */
    }
    return *rest > text && team >= 0 && team < view->order_count ? view->order[team] : -1;
}

void live_view_write_text(const struct live_view *view, const char *kind, const char *text,
                          char *out, size_t room)
{
    static const char *const harmless[] = {"round", "ply", "over", NULL};
    if (!view->is_anonymous || is_one_of(kind, harmless)) {
        snprintf(out, room, "%s", text);
        return;
    }
    *out = '\0';
    if (strcmp(kind, "start") == 0) {
        char *rest = NULL;
        int black = read_place(view, text, &rest);
        int white = read_place(view, rest, &rest);
        if (black >= 0 && white >= 0) {
            snprintf(out, room, "%d %d%s", black, white, rest);
        }
    }
}

void live_view_free(struct live_view *view)
{
    free(view->order);
    unload(view);
    clear(view);
    free(view->running);
    free(view->finished);
    *view = (struct live_view){0};
}

/* --- As JSON. --- */

void live_view_write_now(const struct live_view *view, struct json *json)
{
    json_integer(json, "running_games", (int64_t)view->running_count);
    json_integer(json, "event", view->event);
}

void live_view_write_running(const struct live_view *view, struct json *json)
{
    json_begin_array(json, "running");
    for (size_t i = 0; i < view->running_count; i++) {
        const struct live_view_game *game = &view->running[i];
        char start[LIVE_VIEW_TEXT_BYTES];
        json_begin_object(json, NULL);
        json_integer(json, "game", game->game + 1);
        json_integer(json, "at_ms", game->at_ms);
        live_view_write_text(view, "start", game->start, start, sizeof start);
        json_string(json, "start", start);
        json_begin_array(json, "plies");
        for (size_t k = 0; k < game->ply_count; k++) {
            json_string(json, NULL, game->plies[k]);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void write_team(struct json *json, const struct roster_team *team)
{
    json_begin_object(json, NULL);
    json_string(json, "id", team->id);
    json_string(json, "name", team->name);
    json_end(json);
}

/* The order of the roster would identify anonymous teams. */
static void write_teams(const struct live_view *view, struct json *json)
{
    const struct roster *roster = &view->roster;
    json_begin_array(json, "teams");
    for (int i = 0; i < roster->team_count; i++) {
        for (int k = 0; view->is_anonymous && k < roster->team_count; k++) {
            if (view->order[k] == i) {
                write_team(json, &roster->teams[k]);
            }
        }
        if (!view->is_anonymous) {
            write_team(json, &roster->teams[i]);
        }
    }
    for (int i = roster->team_count; i < roster_entrant_count(roster); i++) {
        write_team(json, &roster->teams[roster_entrant(roster, i)]);
    }
    json_end(json);
}

static enum err write_standings(struct json *json, const struct json_tournament *names,
                                struct note *why)
{
    const struct tournament *t = names->tournament;
    struct ranking_row *rows = calloc((size_t)roster_entrant_count(t->roster), sizeof *rows);
    if (!rows) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the standings");
    }
    enum err err = tournament_standings(t, rows, why);
    if (!err) {
        json_tournament_standings(json, "standings", names, rows);
    }
    free(rows);
    return err;
}

/* Where an auction gives the colours, only the event of the start has them before the result. */
static void write_game(struct json *json, const struct live_view *view,
                       const struct json_tournament *names, const struct tournament_game *game)
{
    const struct live_view_game *running = find(view, game->number);
    int black = running && strtol(running->start, NULL, 10) == game->team[1];
    json_begin_object(json, NULL);
    json_tournament_game(json, names, game, running ? &black : NULL);
    json_end(json);
}

enum err live_view_write(const struct live_view *view, FILE *out, struct live_view_extent *extent,
                         struct note *why)
{
    const struct tournament *t = &view->tournament;
    const struct json_tournament names = {.tournament = t};
    struct json json = json_make_members(out, JSON_COMPACT);
    json_tournament_head(&json, t);
    extent->head_bytes = (size_t)ftell(out);
    extent->total_games = tournament_expected_games(t);
    write_teams(view, &json);
    enum err err = write_standings(&json, &names, why);
    err = err ? err : json_tournament_byes(&json, "byes", &names, why);
    json_begin_array(&json, "games");
    for (size_t i = 0; i < t->game_count; i++) {
        write_game(&json, view, &names, &t->games[i]);
    }
    json_end(&json);
    return err;
}
