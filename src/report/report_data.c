#include "report/report_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "store/pseudonym.h"
#include "store/tournament_file.h"
#include "tournament/qualification.h"

/* While the store is read. */
struct report_list_reader {
    struct report_data *data;
    size_t capacity;
    bool is_out_of_memory;
};

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "out of memory for the report");
}

int report_data_player(const struct tournament_game *game, enum side side)
{
    return game->team[game->summary.colour[0] == side ? 0 : 1];
}

bool report_data_is_own_forfeit(const struct tournament_game *game, int team)
{
    return qualification_is_own_forfeit(game, game->team[0] == team ? 0 : 1);
}

void report_data_fault_place(const struct report_fault *fault, char out[REPORT_DATA_PLACE_BYTES])
{
    switch (fault->phase) {
    case FAULT_PHASE_START:
        snprintf(out, REPORT_DATA_PLACE_BYTES, "start");
        break;
    case FAULT_PHASE_BID:
        snprintf(out, REPORT_DATA_PLACE_BYTES, "bid");
        break;
    case FAULT_PHASE_MOVE:
        snprintf(out, REPORT_DATA_PLACE_BYTES, "move %d", fault->fault.ply + 1);
        break;
    }
}

const char *report_data_fault_word(const struct report_fault *fault)
{
    bool is_hard =
        fault->fault.kind == FAULT_LATE && fault->is_fatal && fault->phase == FAULT_PHASE_MOVE;
    return fault->is_late_limit ? "late limit"
           : is_hard            ? "hard limit"
                                : fault_name(fault->fault.kind);
}

/* --- Lists of the store. --- */

/* Room for one more of `item_bytes`; NULL: there is none. */
static void *grow(struct report_list_reader *reader, void *list, size_t count, size_t item_bytes)
{
    void *grown = array_reserve(list, &reader->capacity, count + 1, item_bytes);
    reader->is_out_of_memory |= !grown;
    return grown;
}

static bool add_fault(void *owner, int game, int team, const struct game_fault *fault)
{
    struct report_list_reader *reader = owner;
    struct report_data *data = reader->data;
    if (data->tournament.games[game].status != GAME_PLAYED) {
        return true;
    }
    struct report_fault *list = grow(reader, data->faults, data->fault_count, sizeof *data->faults);
    if (!list) {
        return false;
    }
    data->faults = list;
    list[data->fault_count++] = (struct report_fault){.game = game, .team = team, .fault = *fault};
    return true;
}

static bool add_log(void *owner, const struct store_log *log)
{
    struct report_list_reader *reader = owner;
    struct report_data *data = reader->data;
    struct report_log *list = grow(reader, data->logs, data->log_count, sizeof *data->logs);
    if (!list) {
        return false;
    }
    data->logs = list;
    list[data->log_count++] = (struct report_log){
        .phase = log->phase,
        .team = log->team,
        .from_game = log->from_game,
        .text = strdup(log->text ? log->text : ""),
    };
    reader->is_out_of_memory = !list[data->log_count - 1].text;
    return !reader->is_out_of_memory;
}

static bool add_violation(void *owner, const struct store_violation *found)
{
    struct report_list_reader *reader = owner;
    if (found->team < 0 || found->team >= reader->data->roster.slot_count) {
        return true;
    }
    struct report_team *team = &reader->data->teams[found->team];
    if (!team->violations) {
        team->violations = calloc(1, sizeof *team->violations);
        reader->is_out_of_memory = !team->violations;
    }
    if (team->violations) {
        (void)violation_list_add(team->violations, &found->violation);
    }
    return team->violations != NULL;
}

static bool add_build(void *owner, const struct store_build *build)
{
    struct report_list_reader *reader = owner;
    struct report_team *team = &reader->data->teams[build->team];
    free(team->build_messages);
    team->is_built = build->is_built;
    team->build_messages = strdup(build->messages ? build->messages : "");
    reader->is_out_of_memory = !team->build_messages;
    return !reader->is_out_of_memory;
}

void report_data_set_phases(struct report_data *data)
{
    for (size_t i = 0; i < data->fault_count; i++) {
        struct report_fault *fault = &data->faults[i];
        const struct tournament_game *game = &data->tournament.games[fault->game];
        if (!report_data_is_own_forfeit(game, fault->team) ||
            strcmp(game->summary.reason, "resigned") == 0) {
            continue;
        }
        fault->phase = tournament_is_unstarted(game)                 ? FAULT_PHASE_START
                       : strcmp(game->summary.reason, "no-bid") == 0 ? FAULT_PHASE_BID
                                                                     : FAULT_PHASE_MOVE;
        fault->is_fatal = true;
        for (size_t k = i + 1; k < data->fault_count && data->faults[k].game == fault->game; k++) {
            fault->is_fatal &= data->faults[k].team != fault->team;
        }
        fault->is_late_limit = fault->is_fatal && strcmp(game->summary.reason, "late-limit") == 0;
    }
}

static bool add_entry(void *owner, const struct store_audit_entry *entry)
{
    struct report_data *data = owner;
    enum ruling_key key;
    if (entry->team >= 0 && entry->team < data->roster.team_count &&
        ruling_apply(entry->what, &data->roster.teams[entry->team], &key)) {
        utf8_clean(entry->reason, data->teams[entry->team].rulings[key].text, NOTE_BYTES);
    }
    return true;
}

static enum err read_lists(struct report_data *data, struct note *why)
{
    struct report_list_reader faults = {.data = data};
    struct report_list_reader builds = {.data = data};
    struct report_list_reader violations = {.data = data};
    enum err err = store_each_fault(data->store, add_fault, &faults, why);
    if (!err) {
        report_data_set_phases(data);
        err = store_each_build(data->store, add_build, &builds, why);
    }
    err = err ? err : store_each_violation(data->store, add_violation, &violations, why);
    err = err ? err : store_each_audit_entry(data->store, add_entry, data, why);
    bool is_out_of_memory =
        faults.is_out_of_memory || builds.is_out_of_memory || violations.is_out_of_memory;
    return !err && is_out_of_memory ? refuse_memory(why) : err;
}

/* --- The tournament. --- */

static void add_game(struct report_data *data, const struct tournament_game *game, int place)
{
    struct report_team *team = &data->teams[game->team[place]];
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        team->faults[kind] += game->summary.faults[place][kind];
    }
    team->games++;
    team->thinking_ms += game->summary.thinking_ms[place];
    if (game->summary.slowest_ms[place] > team->slowest_ms) {
        team->slowest_ms = game->summary.slowest_ms[place];
        team->slowest_game = game->number;
    }
}

static void add_up_teams(struct report_data *data, const bool *is_qualified)
{
    for (int i = 0; i < roster_entrant_count(&data->roster); i++) {
        bool is_reference = i >= data->roster.team_count;
        struct report_team *team = &data->teams[data->rows[i].team];
        team->entry = &data->roster.teams[data->rows[i].team];
        team->row = &data->rows[i];
        team->rating = data->ratings.ratings[is_reference ? i : data->rows[i].team];
        team->is_qualified = !is_reference && is_qualified[data->rows[i].team];
        team->is_built = true;
        team->slowest_game = -1;
    }
    for (size_t i = 0; i < data->tournament.game_count; i++) {
        const struct tournament_game *game = &data->tournament.games[i];
        for (int place = 0; game->status == GAME_PLAYED && place < 2; place++) {
            add_game(data, game, place);
        }
    }
}

static enum err rank(struct report_data *data, struct note *why)
{
    size_t count = (size_t)data->roster.slot_count;
    struct ranking_game *games = NULL;
    size_t game_count = 0;
    bool *is_qualified = calloc(count, sizeof *is_qualified);
    data->rows = calloc(count, sizeof *data->rows);
    data->teams = calloc(count, sizeof *data->teams);
    enum err err = is_qualified && data->rows && data->teams ? ERR_NONE : refuse_memory(why);
    err = err ? err : tournament_standings(&data->tournament, data->rows, why);
    err = err ? err : tournament_rated(&data->tournament, &games, &game_count, why);
    err = err ? err
              : rating_make(roster_entrant_count(&data->roster), games, game_count, &data->ratings,
                            why);
    if (!err) {
        qualification_list(&data->tournament, is_qualified);
        add_up_teams(data, is_qualified);
    }
    free(games);
    free(is_qualified);
    return err;
}

/* --- Names. --- */

static bool has_own_name(const struct roster *roster, int team)
{
    for (int i = 0; i < roster->team_count; i++) {
        if (i != team && strcmp(roster->teams[i].name, roster->teams[team].name) == 0) {
            return false;
        }
    }
    return true;
}

enum err report_data_label_teams(struct report_data *data, struct note *why)
{
    int count = data->roster.team_count;
    int *order = calloc((size_t)count, sizeof *order);
    if (!order) {
        return refuse_memory(why);
    }
    pseudonym_order(store_roster(data->store), &data->roster, order);
    for (int i = 0; i < count; i++) {
        struct report_team *team = &data->teams[i];
        char letters[PSEUDONYM_BYTES];
        pseudonym_write(order[i], letters);
        if (!data->is_anonymous && !has_own_name(&data->roster, i)) {
            snprintf(team->label, sizeof team->label, "%s (%s)", team->entry->name,
                     team->entry->id);
        } else {
            snprintf(team->label, sizeof team->label, "%s",
                     data->is_anonymous ? letters : team->entry->name);
        }
    }
    for (int i = count; i < roster_entrant_count(&data->roster); i++) {
        struct report_team *team = &data->teams[roster_entrant(&data->roster, i)];
        snprintf(team->label, sizeof team->label, "%s", team->entry->name);
    }
    free(order);
    return ERR_NONE;
}

enum err report_data_open(struct report_data *data, const char *path, enum cpu_level cpu,
                          bool is_anonymous, struct note *why)
{
    *data = (struct report_data){.cpu = cpu, .is_anonymous = is_anonymous};
    enum err err = store_open(path, STORE_READ, &data->store, why);
    if (err ||
        (err = tournament_file_load(data->store, cpu, &data->roster, &data->tournament, why)) ||
        (err = store_check_records(data->store, why)) || (err = rank(data, why)) ||
        (err = read_lists(data, why)) || (err = report_data_label_teams(data, why))) {
        report_data_close(data);
    }
    return err;
}

void report_data_close(struct report_data *data)
{
    for (size_t i = 0; i < data->log_count; i++) {
        free(data->logs[i].text);
    }
    for (int i = 0; data->teams && i < data->roster.slot_count; i++) {
        free(data->teams[i].build_messages);
        free(data->teams[i].violations);
    }
    free(data->logs);
    free(data->faults);
    free(data->teams);
    free(data->rows);
    rating_free(&data->ratings);
    tournament_free(&data->tournament);
    roster_free(&data->roster);
    store_close(data->store);
    *data = (struct report_data){0};
}

enum err report_data_read_logs(struct report_data *data, struct note *why)
{
    struct report_list_reader logs = {.data = data};
    enum err err = store_each_log(data->store, add_log, &logs, why);
    return !err && logs.is_out_of_memory ? refuse_memory(why) : err;
}
