#include <string.h>

#include "judge/record_reader.h"
#include "judge/replay.h"
#include "report/json_game.h"
#include "web/api.h"

enum { MAX_GAMES = 256 };

static enum err write_games(const struct api_context *context, FILE *file, FILE *out,
                            struct note *why)
{
    struct json json = json_make(out, JSON_COMPACT);
    struct record_reader reader = record_reader_make(file);
    struct record record = {0};
    struct replay replay = {0};
    bool is_found = true;
    bool is_enough = false;
    size_t plies = 0;
    enum err err = ERR_NONE;
    json_begin_object(&json, NULL);
    json_begin_array(&json, "games");
    for (size_t number = 1; !is_enough; number++) {
        err = record_reader_next(&reader, &record, &is_found, why);
        if (err || !is_found) {
            break;
        }
        is_enough = number > MAX_GAMES || (context->max_plies && plies >= context->max_plies);
        if (!is_enough) {
            struct note failure = {""};
            bool is_bad = replay_run(context->cpu, &record, &replay, &failure);
            json_game_record(&json, number, &record, &replay, -1, is_bad ? failure.text : NULL);
            plies += record.ply_count;
        }
    }
    json_end(&json);
    json_bool(&json, "more", is_enough);
    json_end(&json);
    replay_free(&replay);
    record_free(&record);
    return err;
}

static enum err write_record(const struct api_context *context, const struct api_query *query,
                             FILE *out, struct note *why)
{
    const char *text = api_query_get(query, "text");
    if (!text || !*text) {
        return note_fail(why, ERR_INPUT,
                         "the body is empty; send one or more game records as text");
    }
    FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    if (!file) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the record");
    }
    enum err err = write_games(context, file, out, why);
    fclose(file);
    return err;
}

const struct api_endpoint api_record = {
    .name = "record", .fields = {"text"}, .needs_text = true, .write = write_record};
