#include "cli/record_json.h"

/* jansson's setters take a NULL value as a failure, so each step passes the last one on. */
static json_t *with(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value)) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *tags_json(const struct record *record)
{
    json_t *tags = json_object();
    for (int tag = 0; tag < RECORD_TAGS; tag++) {
        const char *value = record_tag(record, (enum record_tag)tag);
        if (value) {
            tags = with(tags, record_tag_name((enum record_tag)tag), json_string(value));
        }
    }
    for (size_t i = 0; i < record->other_tag_count; i++) {
        tags = with(tags, record_words(record, record->other_tags[i].name),
                    json_string(record_words(record, record->other_tags[i].value)));
    }
    return tags;
}

static json_t *with_facts(json_t *turn, const struct annotation *facts)
{
    if (facts->has_time) {
        turn = with(turn, "time_ns", json_integer(facts->time_ns));
    }
    if (facts->has_depth) {
        turn = with(turn, "depth", json_integer(facts->depth));
    }
    if (facts->has_score) {
        turn = with(turn, "score_hundredths", json_integer(facts->score_hundredths));
    }
    if (facts->has_nodes) {
        turn = with(turn, "nodes", json_integer(facts->nodes));
    }
    if (facts->has_fault) {
        turn = with(turn, "fault", json_string(fault_name(facts->fault)));
    }
    return turn;
}

static json_t *position_json(const struct replay *replay, size_t plies)
{
    char text[GAME_POSITION_BYTES];
    if (plies >= replay->state_count) {
        return json_null();
    }
    replay->game->write_position(&replay->states[plies], text);
    return json_string(text);
}

static json_t *ply_json(const struct record *record, const struct replay *replay, size_t index)
{
    const struct record_turn *turn = &record->plies[index];
    json_t *ply = json_object();
    ply = with(ply, "number", json_integer((json_int_t)index + 1));
    ply = with(ply, "side", json_string(side_name(turn->side)));
    ply = with(ply, "move", json_string(record_words(record, turn->move)));
    ply = with(ply, "position", position_json(replay, index + 1));
    return with_facts(ply, &turn->facts);
}

static json_t *plies_json(const struct record *record, const struct replay *replay)
{
    json_t *plies = json_array();
    for (size_t i = 0; i < record->ply_count; i++) {
        if (json_array_append_new(plies, ply_json(record, replay, i))) {
            json_decref(plies);
            return NULL;
        }
    }
    return plies;
}

static json_t *closing_json(const struct record *record)
{
    if (!record->is_closed) {
        return json_null();
    }
    json_t *closing = json_object();
    closing = with(closing, "side", json_string(side_name(record->closing.side)));
    return with_facts(closing, &record->closing.facts);
}

static json_t *tag_json(const struct record *record, enum record_tag tag)
{
    const char *value = record_tag(record, tag);
    return value ? json_string(value) : json_null();
}

json_t *record_json(size_t number, const struct record *record, const struct replay *replay,
                    int64_t at, const char *error)
{
    json_t *game = json_object();
    game = with(game, "number", json_integer((json_int_t)number));
    game = with(game, "game", tag_json(record, RECORD_GAME));
    game = with(game, "tags", tags_json(record));
    game = with(game, "start", position_json(replay, 0));
    if (at >= 0) {
        game = with(game, "position", position_json(replay, (size_t)at));
    }
    game = with(game, "plies", plies_json(record, replay));
    game = with(game, "closing", closing_json(record));
    game = with(game, "result", tag_json(record, RECORD_RESULT));
    game = with(game, "ok", json_boolean(!error));
    return with(game, "error", error ? json_string(error) : json_null());
}
