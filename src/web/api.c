#include "web/api.h"

#include <string.h>

#include "base/number.h"
#include "game/registry.h"

bool api_query_add(struct api_query *query, const char *name, const char *value)
{
    if (query->count == API_MAX_FIELDS || api_query_get(query, name)) {
        return false;
    }
    query->fields[query->count].name = name;
    query->fields[query->count++].value = value;
    return true;
}

const char *api_query_get(const struct api_query *query, const char *name)
{
    for (size_t i = 0; i < query->count; i++) {
        if (strcmp(query->fields[i].name, name) == 0) {
            return query->fields[i].value;
        }
    }
    return NULL;
}

enum err api_query_number(const struct api_query *query, const char *name, int64_t low,
                          int64_t high, int64_t *out, struct note *why)
{
    const char *text = api_query_get(query, name);
    return text ? number_read(text, name, low, high, out, why) : ERR_NONE;
}

static enum err play_one(const struct game *game, const char *text, size_t length, int ply,
                         struct state *state, struct note *why)
{
    char word[GAME_MOVE_BYTES];
    struct move move;
    if (length >= sizeof word) {
        return note_fail(why, ERR_INPUT, "move %d is longer than any move", ply);
    }
    memcpy(word, text, length);
    word[length] = '\0';
    enum err err = game_read_move(game, word, &move, why);
    if (err || (err = game->apply(state, &move, why))) {
        note_prefix(why, "move %d, '%.40s'", ply, word);
    }
    return err;
}

/* Moves are separated by single spaces. */
static enum err play_moves(const struct game *game, const char *text, struct state *state,
                           struct note *why)
{
    for (int ply = 1; *text; ply++) {
        size_t length = strcspn(text, " ");
        if (ply > API_MAX_PLIES) {
            return note_fail(why, ERR_INPUT, "more than %d moves at once", API_MAX_PLIES);
        }
        enum err err = play_one(game, text, length, ply, state, why);
        if (err) {
            return err;
        }
        text += length;
        text += *text == ' ';
    }
    return ERR_NONE;
}

enum err api_query_position(const struct api_query *query, enum cpu_level cpu,
                            const struct game **game, struct state *out, struct note *why)
{
    const char *name = api_query_get(query, "game");
    const char *position = api_query_get(query, "position");
    const char *moves = api_query_get(query, "moves");
    struct state state;
    if (!name) {
        return note_fail(why, ERR_INPUT, "the field 'game' is missing");
    }
    const struct game *found = registry_find(cpu, name, why);
    if (!found) {
        return ERR_INPUT;
    }
    enum err err = game_read_position(found, position ? position : "start", &state, why);
    if (!err && moves) {
        err = play_moves(found, moves, &state, why);
    }
    if (!err) {
        *game = found;
        *out = state;
    }
    return err;
}

static bool has_name(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0) {
        names++;
    }
    return *names;
}

enum err api_query_check(const struct api_query *query, const char *endpoint,
                         const char *const *fields, struct note *why)
{
    for (size_t i = 0; i < query->count; i++) {
        if (!has_name(fields, query->fields[i].name)) {
            return note_fail(why, ERR_INPUT,
                             "'%s' has no field '%.40s'; /api/v1/openapi.json lists them", endpoint,
                             query->fields[i].name);
        }
    }
    return ERR_NONE;
}

const struct api_endpoint *api_find(const char *name)
{
    static const struct api_endpoint *const endpoints[] = {
        &api_games,  &api_position, &api_next,    &api_picture,
        &api_record, &api_bid,      &api_auction, &api_bestmove,
    };
    for (size_t i = 0; i < sizeof endpoints / sizeof endpoints[0]; i++) {
        if (strcmp(endpoints[i]->name, name) == 0) {
            return endpoints[i];
        }
    }
    return NULL;
}

const char *api_type(const struct api_endpoint *endpoint)
{
    return endpoint->type ? endpoint->type : "application/json";
}

void api_write_error(FILE *out, const char *why)
{
    struct json json = json_make(out, JSON_COMPACT);
    json_begin_object(&json, NULL);
    json_string(&json, "error", why);
    json_end(&json);
}
