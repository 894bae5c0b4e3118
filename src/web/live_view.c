#include "web/live_view.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "report/json_tournament.h"
#include "store/tournament_file.h"
#include "tournament/tournament.h"

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

void live_view_free(struct live_view *view)
{
    clear(view);
    free(view->running);
    *view = (struct live_view){0};
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

void live_view_add(struct live_view *view, const struct store_event *event)
{
    static const char *const endings[] = {"created", "run", "stopped", "finished"};
    view->event = event->id;
    if (strcmp(event->kind, "start") == 0) {
        begin_game(view, event);
    } else if (strcmp(event->kind, "ply") == 0) {
        add_ply(view, event);
    } else if (strcmp(event->kind, "over") == 0) {
        end_game(view, event->game);
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(event->kind, endings[i]) == 0) {
            clear(view);
        }
    }
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
        json_begin_object(json, NULL);
        json_integer(json, "game", game->game + 1);
        json_integer(json, "at_ms", game->at_ms);
        json_string(json, "start", game->start);
        json_begin_array(json, "plies");
        for (size_t k = 0; k < game->ply_count; k++) {
            json_string(json, NULL, game->plies[k]);
        }
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void write_teams(struct json *json, const struct roster *roster)
{
    json_begin_array(json, "teams");
    for (int i = 0; i < roster->team_count; i++) {
        json_begin_object(json, NULL);
        json_string(json, "id", roster->teams[i].id);
        json_string(json, "name", roster->teams[i].name);
        json_end(json);
    }
    json_end(json);
}

static enum err write_standings(struct json *json, const struct json_tournament *names,
                                struct note *why)
{
    const struct tournament *t = names->tournament;
    struct ranking_row *rows = calloc((size_t)t->roster->team_count, sizeof *rows);
    if (!rows) {
        note_set(why, "out of memory for the standings");
        return ERR_ENVIRONMENT;
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

static enum err write_tournament(FILE *out, const struct live_view *view,
                                 const struct tournament *t, struct live_view_extent *extent,
                                 struct note *why)
{
    const struct json_tournament names = {.tournament = t};
    struct json json = json_make_members(out, JSON_COMPACT);
    json_tournament_head(&json, t);
    extent->head_bytes = (size_t)ftell(out);
    extent->total_games = tournament_expected_games(t);
    write_teams(&json, t->roster);
    enum err err = write_standings(&json, &names, why);
    if (!err) {
        err = json_tournament_byes(&json, "byes", &names, why);
    }
    json_begin_array(&json, "games");
    for (size_t i = 0; i < t->game_count; i++) {
        write_game(&json, view, &names, &t->games[i]);
    }
    json_end(&json);
    return err;
}

enum err live_view_write(const struct live_view *view, struct store *store, enum cpu_level cpu,
                         FILE *out, struct live_view_extent *extent, struct note *why)
{
    struct roster roster = {0};
    struct tournament t = {0};
    enum err err = tournament_file_load(store, cpu, &roster, &t, why);
    if (!err) {
        err = write_tournament(out, view, &t, extent, why);
    }
    tournament_free(&t);
    roster_free(&roster);
    return err;
}
