#include "report/report_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/game_viewer.h"

/* Something that belongs to a team: a game, a fault or a bye, by its number in its list. */
struct team_item {
    int team;
    size_t item;
};

/* The items of each team in their order: of team t they are items[from[t]] … items[from[t + 1] -
 * 1].
 */
struct team_index {
    size_t *from;
    size_t *items;
};

/* The games of a team in one round. */
struct round_cell {
    bool has_bye;
    bool has_games;
    int other;
    int points[2]; /* its own and the other team's */
};

struct report_parts {
    const struct report_view *view;
    const struct report_parts_sink *sink;
    struct note *why;
    struct ranking_game *counted; /* for the byes */
    struct team_index games;
    struct team_index faults;
    struct team_index byes;
    int *cross;                /* see json_tournament_cross_points */
    struct round_cell *rounds; /* [team * round_count + round] */
    int round_count;           /* 0: the format has no table of rounds */
};

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "out of memory for the report");
}

/* --- What belongs to which team --- */

/* Takes `items`. */
static enum err index_items(struct team_index *index, int teams, struct team_item *items,
                            size_t count, struct note *why)
{
    index->from = calloc((size_t)teams + 2, sizeof *index->from);
    index->items = calloc(count + 1, sizeof *index->items);
    if (!items || !index->from || !index->items) {
        free(items);
        return refuse_memory(why);
    }
    /* While the items are placed, from[t + 1] is where the next of team t goes. */
    for (size_t i = 0; i < count; i++) {
        index->from[items[i].team + 2]++;
    }
    for (int team = 0; team < teams; team++) {
        index->from[team + 2] += index->from[team + 1];
    }
    for (size_t i = 0; i < count; i++) {
        index->items[index->from[items[i].team + 1]++] = items[i].item;
    }
    free(items);
    return ERR_NONE;
}

static enum err index_games(struct report_parts *parts)
{
    const struct tournament *t = &parts->view->data->tournament;
    struct team_item *items = calloc(2 * t->game_count + 1, sizeof *items);
    for (size_t i = 0; items && i < t->game_count; i++) {
        items[2 * i] = (struct team_item){t->games[i].team[0], i};
        items[2 * i + 1] = (struct team_item){t->games[i].team[1], i};
    }
    return index_items(&parts->games, t->roster->slot_count, items, 2 * t->game_count, parts->why);
}

static enum err index_faults(struct report_parts *parts)
{
    const struct report_data *data = parts->view->data;
    struct team_item *items = calloc(data->fault_count + 1, sizeof *items);
    for (size_t i = 0; items && i < data->fault_count; i++) {
        items[i] = (struct team_item){data->faults[i].team, i};
    }
    return index_items(&parts->faults, data->roster.slot_count, items, data->fault_count,
                       parts->why);
}

static enum err index_byes(struct report_parts *parts)
{
    const struct tournament *t = &parts->view->data->tournament;
    size_t count = 0;
    enum err err = tournament_counted(t, &parts->counted, &count, parts->why);
    if (err) {
        return err;
    }
    struct team_item *items = calloc(count + 1, sizeof *items);
    size_t byes = 0;
    for (size_t i = 0; items && i < count; i++) {
        if (parts->counted[i].team[1] == RANKING_NOBODY) {
            items[byes++] = (struct team_item){parts->counted[i].team[0], i};
        }
    }
    return index_items(&parts->byes, t->roster->slot_count, items, byes, parts->why);
}

static void add_to_round(struct report_parts *parts, const struct tournament_game *game, int place)
{
    const struct ranking_rules *rules = &parts->view->data->roster.ranking;
    struct round_cell *cell =
        &parts
             ->rounds[(size_t)game->team[place] * (size_t)parts->round_count + (size_t)game->round];
    cell->has_games = true;
    cell->other = game->team[1 - place];
    for (int i = 0; i < 2; i++) {
        enum side side = game->summary.colour[i == 0 ? place : 1 - place];
        cell->points[i] += ranking_points(rules, game->summary.outcome, side);
    }
}

/* Every team has one opponent in a round of these formats. References are not in this table. */
static enum err index_rounds(struct report_parts *parts)
{
    const struct tournament *t = &parts->view->data->tournament;
    if (t->roster->format != ROSTER_SWISS && t->roster->format != ROSTER_KNOCKOUT) {
        return ERR_NONE;
    }
    size_t teams = (size_t)t->roster->team_count;
    parts->round_count = t->rounds_paired;
    parts->rounds = calloc(teams * (size_t)parts->round_count + 1, sizeof *parts->rounds);
    if (!parts->rounds) {
        return refuse_memory(parts->why);
    }
    for (size_t i = 0; i < t->game_count; i++) {
        bool is_in_it =
            t->games[i].status == GAME_PLAYED && !tournament_is_reference_game(t, &t->games[i]);
        for (int place = 0; is_in_it && place < 2; place++) {
            add_to_round(parts, &t->games[i], place);
        }
    }
    for (size_t i = 0; i < parts->byes.from[teams]; i++) {
        const struct ranking_game *bye = &parts->counted[parts->byes.items[i]];
        parts->rounds[(size_t)bye->team[0] * (size_t)parts->round_count + (size_t)bye->round]
            .has_bye = true;
    }
    return ERR_NONE;
}

/* --- A team --- */

static void write_byes(const struct report_parts *parts, struct json *json, int team)
{
    const struct team_index *byes = &parts->byes;
    json_begin_array(json, "byes");
    for (size_t i = byes->from[team]; i < byes->from[team + 1]; i++) {
        json_integer(json, NULL, parts->counted[byes->items[i]].round + 1);
    }
    json_end(json);
}

static enum err write_team(const struct report_parts *parts, struct json *json, int number)
{
    const struct report_view *view = parts->view;
    const struct report_data *data = view->data;
    int team = data->rows[number - 1].team;
    json_begin_object(json, NULL);
    json_begin_array(json, "games");
    for (size_t i = parts->games.from[team]; i < parts->games.from[team + 1]; i++) {
        json_begin_object(json, NULL);
        json_tournament_game(json, &view->names, &data->tournament.games[parts->games.items[i]],
                             NULL);
        json_end(json);
    }
    json_end(json);
    json_begin_array(json, "faults");
    for (size_t i = parts->faults.from[team]; i < parts->faults.from[team + 1]; i++) {
        report_json_fault(json, view, &data->faults[parts->faults.items[i]]);
    }
    json_end(json);
    write_byes(parts, json, team);
    json_begin_array(json, "violations");
    report_json_violations(json, view, team);
    json_end(json);
    json_end(json);
    return ERR_NONE;
}

/* --- Games --- */

static enum err write_moves(const struct report_parts *parts, struct json *json,
                            const struct tournament_game *game)
{
    const struct report_data *data = parts->view->data;
    char *record = NULL;
    char *text = NULL;
    enum err err = store_record(data->store, game->phase, game->number, &record, parts->why);
    /* A record that does not replay is shown as a game without moves rather than not at all. */
    struct note ignored;
    if (!err && record && game_viewer_text(data->cpu, record, &text, &ignored)) {
        text = NULL;
    }
    json_string(json, "moves", text);
    free(text);
    free(record);
    return err;
}

static enum err write_games(const struct report_parts *parts, struct json *json, int number)
{
    const struct tournament *t = &parts->view->data->tournament;
    size_t from = (size_t)(number - 1) * REPORT_PARTS_GAMES;
    enum err err = ERR_NONE;
    json_begin_array(json, NULL);
    for (size_t i = from; !err && i < t->game_count && i < from + REPORT_PARTS_GAMES; i++) {
        json_begin_object(json, NULL);
        json_tournament_game(json, &parts->view->names, &t->games[i], NULL);
        if (json_tournament_has_result(&t->games[i])) {
            err = write_moves(parts, json, &t->games[i]);
        }
        json_end(json);
    }
    json_end(json);
    return err;
}

/* --- Rows of the cross-table, and of the rounds --- */

/* For every opponent, in the order of the standings: both teams' points; null: they have not met.
 */
static void write_cross_row(const struct report_parts *parts, struct json *json, size_t team)
{
    const struct report_data *data = parts->view->data;
    size_t slots = (size_t)data->roster.slot_count;
    json_begin_array(json, NULL);
    for (int place = 0; place < roster_entrant_count(&data->roster); place++) {
        size_t other = (size_t)data->rows[place].team;
        int made = parts->cross[team * slots + other];
        if (made < 0) {
            json_null(json, NULL);
            continue;
        }
        json_pair(json, NULL, made, parts->cross[other * slots + team]);
    }
    json_end(json);
}

/* For every round: the opponent's place and both teams' points, [] for a bye, or null. */
static void write_round_row(const struct report_parts *parts, struct json *json, size_t team)
{
    const struct report_data *data = parts->view->data;
    json_begin_array(json, NULL);
    for (size_t round = 0; round < (size_t)parts->round_count; round++) {
        const struct round_cell *cell = &parts->rounds[team * (size_t)parts->round_count + round];
        if (!cell->has_games && !cell->has_bye) {
            json_null(json, NULL);
            continue;
        }
        json_begin_array(json, NULL);
        if (cell->has_games) {
            json_integer(json, NULL, data->teams[cell->other].row - data->rows + 1);
            json_integer(json, NULL, cell->points[0]);
            json_integer(json, NULL, cell->points[1]);
        }
        json_end(json);
    }
    json_end(json);
}

static enum err write_cross(const struct report_parts *parts, struct json *json, int number)
{
    static const struct {
        const char *name;
        void (*write_row)(const struct report_parts *, struct json *, size_t team);
    } tables[] = {{"cross", write_cross_row}, {"rounds", write_round_row}};
    const struct report_data *data = parts->view->data;
    const int rows[] = {roster_entrant_count(&data->roster), data->roster.team_count};
    int from = (number - 1) * REPORT_PARTS_ROWS;
    json_begin_object(json, NULL);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        json_begin_array(json, tables[i].name);
        for (int place = from; place < rows[i] && place < from + REPORT_PARTS_ROWS; place++) {
            tables[i].write_row(parts, json, (size_t)data->rows[place].team);
        }
        json_end(json);
    }
    json_end(json);
    return ERR_NONE;
}

/* --- All of them --- */

typedef enum err write_part_fn(const struct report_parts *parts, struct json *json, int number);

static enum err add_part(const struct report_parts *parts, const char *kind, int number,
                         write_part_fn *write)
{
    char name[REPORT_PARTS_NAME_BYTES];
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return refuse_memory(parts->why);
    }
    snprintf(name, sizeof name, "%s-%d", kind, number);
    fprintf(out, "%splumReport(\"%s\",", REPORT_PARTS_HEAD, name);
    struct json json = json_make(out, JSON_COMPACT);
    enum err err = write(parts, &json, number);
    fputs(");\n", out);
    if (fclose(out) != 0 && !err) {
        err = refuse_memory(parts->why);
    }
    if (!err) {
        snprintf(name, sizeof name, "%s-%d.js", kind, number);
        err = parts->sink->add(parts->sink->owner, name, text, bytes, parts->why);
    }
    free(text);
    return err;
}

/* Parts of a kind that has `count` things, `each` in a part. */
static enum err add_parts(const struct report_parts *parts, const char *kind, size_t count,
                          size_t each, write_part_fn *write)
{
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i * each < count; i++) {
        err = add_part(parts, kind, (int)i + 1, write);
    }
    return err;
}

enum err report_parts_write(const struct report_view *view, const struct report_parts_sink *sink,
                            struct note *why)
{
    const struct tournament *t = &view->data->tournament;
    struct report_parts parts = {.view = view, .sink = sink, .why = why};
    size_t teams = (size_t)roster_entrant_count(t->roster);
    enum err err = ERR_NONE;
    parts.cross = json_tournament_cross_points(t);
    if (!parts.cross) {
        err = refuse_memory(why);
    }
    if (err || (err = index_games(&parts)) || (err = index_faults(&parts)) ||
        (err = index_byes(&parts)) || (err = index_rounds(&parts))) {
        goto out;
    }
    err = add_parts(&parts, "team", teams, 1, write_team);
    err = err ? err : add_parts(&parts, "games", t->game_count, REPORT_PARTS_GAMES, write_games);
    err = err ? err : add_parts(&parts, "cross", teams, REPORT_PARTS_ROWS, write_cross);
out:
    free(parts.rounds);
    free(parts.byes.items);
    free(parts.byes.from);
    free(parts.faults.items);
    free(parts.faults.from);
    free(parts.games.items);
    free(parts.games.from);
    free(parts.counted);
    free(parts.cross);
    return err;
}
