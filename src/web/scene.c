#include "web/scene.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "judge/record.h"
#include "store/tournament_file.h"
#include "tournament/tournament.h"
#include "web/json_text.h"

/* --- What is running. --- */

static void free_game(struct scene_game *game)
{
    for (size_t i = 0; i < game->ply_count; i++) {
        free(game->plies[i]);
    }
    free(game->plies);
    free(game->start);
}

static void clear(struct scene *scene)
{
    for (size_t i = 0; i < scene->running_count; i++) {
        free_game(&scene->running[i]);
    }
    scene->running_count = 0;
}

void scene_free(struct scene *scene)
{
    clear(scene);
    free(scene->running);
    *scene = (struct scene){0};
}

static struct scene_game *find(const struct scene *scene, int game)
{
    for (size_t i = 0; i < scene->running_count; i++) {
        if (scene->running[i].game == game) {
            return &scene->running[i];
        }
    }
    return NULL;
}

static void end_game(struct scene *scene, int number)
{
    struct scene_game *game = find(scene, number);
    if (game) {
        free_game(game);
        *game = scene->running[--scene->running_count];
    }
}

static void begin_game(struct scene *scene, const struct store_event *event)
{
    end_game(scene, event->game);
    struct scene_game *more =
        realloc(scene->running, (scene->running_count + 1) * sizeof *scene->running);
    if (!more) {
        return;
    }
    scene->running = more;
    char *start = strdup(event->text);
    if (start) {
        more[scene->running_count++] =
            (struct scene_game){.game = event->game, .start = start, .at_ms = event->at_ms};
    }
}

static void add_ply(struct scene *scene, const struct store_event *event)
{
    struct scene_game *game = find(scene, event->game);
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

void scene_add(struct scene *scene, const struct store_event *event)
{
    static const char *const endings[] = {"created", "run", "stopped", "finished"};
    scene->event = event->id;
    if (strcmp(event->kind, "start") == 0) {
        begin_game(scene, event);
    } else if (strcmp(event->kind, "ply") == 0) {
        add_ply(scene, event);
    } else if (strcmp(event->kind, "over") == 0) {
        end_game(scene, event->game);
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (strcmp(event->kind, endings[i]) == 0) {
            clear(scene);
        }
    }
}

/* --- As JSON. --- */

static void write_teams(FILE *out, const struct tournament *t)
{
    const struct roster *roster = t->roster;
    fputs(",\"teams\":[", out);
    for (int i = 0; i < roster->team_count; i++) {
        json_text_field(out, i ? ",{" : "{", "id", roster->teams[i].id);
        json_text_field(out, ",", "name", roster->teams[i].name);
        if (t->withdrawn_after[i] < 0) {
            fputs(",\"withdrawn_after\":null}", out);
        } else {
            fprintf(out, ",\"withdrawn_after\":%d}", t->withdrawn_after[i]);
        }
    }
    fputc(']', out);
}

static void write_figures(FILE *out, const struct ranking_row *row)
{
    for (int i = 0; i < RANKING_FIGURES; i++) {
        const char *name = ranking_figure_name((enum ranking_figure)i);
        if (i == RANKING_DIRECT && !row->has_direct) {
            json_text_field(out, ",", name, NULL);
        } else {
            fprintf(out, "%s\"%s\":%" PRId64, i ? "," : "", name, row->figures[i]);
        }
    }
}

static void write_standing(FILE *out, const struct ranking_row *row)
{
    fprintf(out, "{\"team\":%d,\"place\":%d,\"played\":%d,\"won\":%d,\"drawn\":%d,\"lost\":%d",
            row->team, row->place, row->played, row->won, row->drawn, row->lost);
    fprintf(out, ",\"byes\":%d,\"figures\":{", row->byes);
    write_figures(out, row);
    json_text_field(out, "},", "decided_by",
                    row->decided_by == RANKING_FIGURES ? NULL
                                                       : ranking_figure_name(row->decided_by));
    fputc('}', out);
}

static enum err write_standings(FILE *out, const struct tournament *t, struct note *why)
{
    struct ranking_row *rows = calloc((size_t)t->roster->team_count, sizeof *rows);
    if (!rows) {
        note_set(why, "there is not enough memory for the standings");
        return ERR_ENVIRONMENT;
    }
    enum err err = tournament_standings(t, rows, why);
    fputs(",\"standings\":[", out);
    for (int i = 0; !err && i < t->roster->team_count; i++) {
        fputs(i ? "," : "", out);
        write_standing(out, &rows[i]);
    }
    fputc(']', out);
    free(rows);
    return err;
}

static void write_byes(FILE *out, const struct tournament *t)
{
    int written = 0;
    fputs(",\"byes\":[", out);
    for (size_t i = 0; i < t->pairing_count; i++) {
        const struct tournament_pairing *pairing = &t->pairings[i];
        if (pairing->teams.team[1] == PAIRING_BYE) {
            fprintf(out, "%s{\"round\":%d,\"team\":%d}", written++ ? "," : "", pairing->round,
                    pairing->teams.team[0]);
        }
    }
    fputc(']', out);
}

static void write_faults(FILE *out, const int faults[FAULT_KINDS])
{
    int written = 0;
    fputc('{', out);
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        if (faults[kind]) {
            fprintf(out, "%s\"%s\":%d", written++ ? "," : "", fault_name((enum fault)kind),
                    faults[kind]);
        }
    }
    fputc('}', out);
}

static void write_outcome(FILE *out, const struct tournament_game *game)
{
    int black = game->colour[0] == SIDE_BLACK ? 0 : 1;
    int white = 1 - black;
    json_text_field(out, ",", "result", record_result_word(game->outcome));
    fprintf(out, ",\"score\":[%d,%d]", game->score[SIDE_BLACK], game->score[SIDE_WHITE]);
    json_text_field(out, ",", "reason", game->reason);
    fprintf(out, ",\"plies\":%d,\"slowest_ms\":[%" PRId64 ",%" PRId64 "],\"faults\":[", game->plies,
            game->slowest_ms[black], game->slowest_ms[white]);
    write_faults(out, game->faults[black]);
    fputc(',', out);
    write_faults(out, game->faults[white]);
    fputc(']', out);
}

static bool is_known(const struct tournament_game *game)
{
    return game->status == GAME_PLAYED || game->status == GAME_ANNULLED;
}

/* Which of its teams has Black. Where there is an auction nobody knows before the game begins; then
 * its event tells. */
static int black_place(const struct tournament_game *game, const struct scene_game *running)
{
    bool is_second = is_known(game) ? game->colour[0] == SIDE_WHITE
                                    : running && strtol(running->start, NULL, 10) == game->team[1];
    return is_second ? 1 : 0;
}

static const char *status_word(const struct tournament_game *game, bool is_running)
{
    static const char *const words[] = {
        [GAME_PLANNED] = "planned",   [GAME_TAKEN] = "planned",       [GAME_PLAYED] = "played",
        [GAME_ANNULLED] = "annulled", [GAME_CANCELLED] = "cancelled",
    };
    return is_running && !is_known(game) ? "running" : words[game->status];
}

static void write_game(FILE *out, const struct scene *scene, const struct tournament_game *game)
{
    const struct scene_game *running = find(scene, game->number);
    int black = black_place(game, running);
    fprintf(out, "{\"number\":%d,\"round\":%d,\"black\":%d,\"white\":%d", game->number, game->round,
            game->team[black], game->team[1 - black]);
    json_text_field(out, ",", "status", status_word(game, running));
    if (is_known(game)) {
        write_outcome(out, game);
    }
    fputc('}', out);
}

static void write_games(FILE *out, const struct scene *scene, const struct tournament *t)
{
    fputs(",\"games\":[", out);
    for (size_t i = 0; i < t->game_count; i++) {
        fputs(i ? "," : "", out);
        write_game(out, scene, &t->games[i]);
    }
    fputc(']', out);
}

void scene_write_now(const struct scene *scene, FILE *out)
{
    fprintf(out, "\"running_games\":%zu,\"event\":%" PRId64, scene->running_count, scene->event);
}

void scene_write_running(const struct scene *scene, FILE *out)
{
    fputs("\"running\":[", out);
    for (size_t i = 0; i < scene->running_count; i++) {
        const struct scene_game *game = &scene->running[i];
        fprintf(out, "%s{\"game\":%d,\"at_ms\":%" PRId64, i ? "," : "", game->game, game->at_ms);
        json_text_field(out, ",", "start", game->start);
        fputs(",\"plies\":[", out);
        for (size_t k = 0; k < game->ply_count; k++) {
            fputs(k ? "," : "", out);
            json_text_string(out, game->plies[k]);
        }
        fputs("]}", out);
    }
    fputc(']', out);
}

static int count_games(const struct tournament *t, enum tournament_status status)
{
    int count = 0;
    for (size_t i = 0; i < t->game_count; i++) {
        count += t->games[i].status == status;
    }
    return count;
}

static void write_head(FILE *out, const struct tournament *t)
{
    const struct roster *roster = t->roster;
    json_text_field(out, "", "name", roster->name);
    json_text_field(out, ",", "game", roster->game->name);
    json_text_field(out, ",", "format", roster_format_name(roster->format));
    fprintf(out, ",\"rounds\":%d,\"team_count\":%d,\"played_games\":%d", roster->rounds,
            roster->team_count, count_games(t, GAME_PLAYED));
    fprintf(out, ",\"annulled_games\":%d,\"cancelled_games\":%d,\"total_games\":%" PRId64,
            count_games(t, GAME_ANNULLED), count_games(t, GAME_CANCELLED),
            tournament_expected_games(t));
    fprintf(out, ",\"over\":%s", tournament_is_over(t) ? "true" : "false");
}

static enum err write_tournament(FILE *out, const struct scene *scene, const struct tournament *t,
                                 struct scene_extent *extent, struct note *why)
{
    write_head(out, t);
    extent->head_bytes = (size_t)ftell(out);
    extent->total_games = tournament_expected_games(t);
    write_teams(out, t);
    enum err err = write_standings(out, t, why);
    write_byes(out, t);
    write_games(out, scene, t);
    return err;
}

enum err scene_write(const struct scene *scene, struct store *store, enum cpu_level cpu, FILE *out,
                     struct scene_extent *extent, struct note *why)
{
    struct roster roster = {0};
    struct tournament t = {0};
    enum err err = tournament_file_load(store, cpu, &roster, &t, why);
    if (!err) {
        err = write_tournament(out, scene, &t, extent, why);
    }
    tournament_free(&t);
    roster_free(&roster);
    return err;
}
