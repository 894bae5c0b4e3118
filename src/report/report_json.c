#include "report/report_json.h"

#include <math.h>
#include <stdlib.h>

#include "report/json_game.h"

enum err report_view_open(struct report_view *view, const struct report_data *data, bool is_public,
                          struct note *why)
{
    size_t teams = (size_t)data->roster.slot_count;
    const char **labels = is_public ? malloc(teams * sizeof *labels) : NULL;
    if (is_public && !labels) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the report");
    }
    for (size_t i = 0; labels && i < teams; i++) {
        labels[i] = data->teams[i].label;
    }
    *view = (struct report_view){data, is_public, {&data->tournament, labels}, labels};
    return ERR_NONE;
}

void report_view_close(struct report_view *view)
{
    free(view->labels);
    *view = (struct report_view){0};
}

/* --- Standings, with what only a report tells of a team. --- */

static void write_rating(struct json *json, const struct report_data *data, int place)
{
    int team = data->rows[place].team;
    const struct rating *rating = &data->teams[team].rating;
    if (!rating->games) {
        json_null(json, "rating");
        return;
    }
    json_begin_object(json, "rating");
    json_integer(json, "elo", llround(rating->elo));
    json_integer(json, "error", llround(rating->error));
    int next = place + 1;
    while (next < data->roster.team_count && !data->teams[data->rows[next].team].rating.games) {
        next++;
    }
    if (next < data->roster.team_count) {
        json_fixed(json, "stronger_than_next",
                   rating_superiority(&data->ratings, team, data->rows[next].team), 3);
    } else {
        json_null(json, "stronger_than_next");
    }
    json_end(json);
}

void report_json_standing(struct json *json, const struct report_view *view, int place)
{
    const struct ranking_row *row = &view->data->rows[place];
    const struct report_team *team = &view->data->teams[row->team];
    json_begin_object(json, NULL);
    json_tournament_standing(json, &view->names, row, team->is_qualified);
    write_rating(json, view->data, place);
    json_integer_or_null(json, "id_team", team->entry->has_id_team && !view->is_public,
                         team->entry->id_team);
    if (view->data->roster.reference_count && place < view->data->roster.team_count) {
        json_integer(json, "reference_games", team->games - row->played);
    }
    json_game_fault_counts(json, "faults", team->faults);
    json_integer(json, "thinking_ms", team->thinking_ms);
    json_integer(json, "slowest_ms", team->slowest_ms);
    json_integer_or_null(json, "slowest_game", team->slowest_game >= 0, team->slowest_game + 1);
    json_end(json);
}

void report_json_fault(struct json *json, const struct report_view *view,
                       const struct report_fault *fault)
{
    json_game_fault(json, NULL, &fault->fault,
                    &(struct json_fault_frame){
                        .game = fault->game + 1,
                        .team = json_tournament_team(&view->names, fault->team),
                        .hides_position = true,
                        .hides_why = view->is_public,
                    });
}

void report_json_violations(struct json *json, const struct report_view *view, int team)
{
    const struct violation_list *list = view->data->teams[team].violations;
    for (int i = 0; list && i < list->count; i++) {
        json_tournament_violation(json, &view->names, team, &list->rows[i], !view->is_public);
    }
}

enum err report_json(struct json *json, const struct report_view *view, struct note *why)
{
    const struct report_data *data = view->data;
    const struct tournament *t = &data->tournament;
    json_begin_object(json, NULL);
    json_tournament_head(json, t);
    json_begin_array(json, "standings");
    for (int i = 0; i < roster_entrant_count(&data->roster); i++) {
        report_json_standing(json, view, i);
    }
    json_end(json);
    json_begin_array(json, "games");
    for (size_t i = 0; i < t->game_count; i++) {
        json_begin_object(json, NULL);
        json_tournament_game(json, &view->names, &t->games[i], NULL);
        json_end(json);
    }
    json_end(json);
    enum err err = json_tournament_byes(json, "byes", &view->names, why);
    json_begin_array(json, "faults");
    for (size_t i = 0; i < data->fault_count; i++) {
        report_json_fault(json, view, &data->faults[i]);
    }
    json_end(json);
    int order[ROSTER_MAX_TEAMS];
    json_tournament_order(&view->names, order);
    json_begin_array(json, "violations");
    for (int i = 0; i < roster_entrant_count(&data->roster); i++) {
        bool is_team = i < data->roster.team_count;
        report_json_violations(json, view, is_team ? order[i] : roster_entrant(&data->roster, i));
    }
    json_end(json);
    json_tournament_qualification(json, "qualification", &view->names, !view->is_public);
    json_end(json);
    return err;
}
