#include <string.h>

#include "game/registry.h"
#include "engine/level.h"
#include "judge/record_reader.h"
#include "judge/replay.h"
#include "report/json_game.h"
#include "report/svg.h"
#include "web/api.h"

static enum err write_games(const struct api_context *context, const struct api_query *query,
                            FILE *out, struct note *why)
{
    (void)query;
    (void)why;
    struct json json = json_make(out, JSON_COMPACT);
    const struct game *game = NULL;
    json_begin_object(&json, NULL);
    json_begin_array(&json, "games");
    for (size_t i = 0; (game = registry_at(context->cpu, i)); i++) {
        json_game_info(&json, game);
    }
    json_end(&json);
    json_begin_array(&json, "levels");
    for (int level = 1; level <= LEVEL_MAX; level++) {
        json_game_level(&json, level);
    }
    json_end(&json);
    json_end(&json);
    return ERR_NONE;
}

static enum err write_position(const struct api_context *context, const struct api_query *query,
                               FILE *out, struct note *why)
{
    struct json json = json_make(out, JSON_COMPACT);
    const struct game *game = NULL;
    struct state state;
    enum err err = api_query_position(query, context->cpu, &game, &state, why);
    if (!err) {
        json_game_position(&json, game, &state);
    }
    return err;
}

static enum err read_path(const struct game *game, const struct api_query *query, struct move *out,
                          struct note *why)
{
    const char *text = api_query_get(query, "path");
    *out = (struct move){.kind = MOVE_PATH};
    for (; text && *text; text += 2 + (text[2] == '-')) {
        int row = text[0] - '0';
        int column = text[1] - '0';
        if (row < 0 || row >= game->rows || column < 0 || column >= game->columns ||
            (text[2] && (text[2] != '-' || !text[3])) || out->count == GAME_MAX_PATH) {
            return note_fail(why, ERR_INPUT,
                             "'path' has squares joined by '-', such as 10-12, not '%.12s'", text);
        }
        out->squares[out->count++] = (uint8_t)(row * game->columns + column);
    }
    return ERR_NONE;
}

static bool is_move(const struct game *game, const struct state *state, const struct move *path)
{
    struct state after = *state;
    return path->count >= game->path_min && !game->apply(&after, path, NULL);
}

/* The position after the path; null where the path is not a move yet. */
static void write_after(struct json *json, const struct game *game, const struct state *state,
                        const struct move *path)
{
    char text[GAME_POSITION_BYTES];
    struct state after = *state;
    bool is_known = path->count >= game->path_min && !game->apply(&after, path, NULL);
    if (is_known) {
        game->write_position(&after, text);
    }
    json_string(json, "position", is_known ? text : NULL);
}

static bool begins_a_move(const struct move *moves, size_t count, int square)
{
    for (size_t i = 0; i < count; i++) {
        if (moves[i].kind == MOVE_PATH && moves[i].squares[0] == square) {
            return true;
        }
    }
    return false;
}

/* Every prefix of a move that is long enough is a move itself, so trying all squares finds every
 * continuation. */
static void write_continuations(struct json *json, const struct game *game,
                                const struct state *state, struct move path)
{
    struct move moves[GAME_MAX_MOVES];
    size_t count = path.count ? 0 : game->moves(state, moves);
    char name[3];
    uint8_t last = path.count++;
    for (int square = 0; square < game->rows * game->columns && last < game->path_max; square++) {
        path.squares[last] = (uint8_t)square;
        if (last ? is_move(game, state, &path) : begins_a_move(moves, count, square)) {
            game_square_name(game, square, name);
            json_begin_object(json, NULL);
            json_string(json, "square", name);
            write_after(json, game, state, &path);
            json_end(json);
        }
    }
}

static enum err write_next(const struct api_context *context, const struct api_query *query,
                           FILE *out, struct note *why)
{
    struct json json = json_make(out, JSON_COMPACT);
    const struct game *game = NULL;
    struct state state;
    struct move path;
    enum err err = api_query_position(query, context->cpu, &game, &state, why);
    if (err || (err = read_path(game, query, &path, why))) {
        return err;
    }
    json_begin_object(&json, NULL);
    write_after(&json, game, &state, &path);
    json_bool(&json, "is_move", is_move(game, &state, &path));
    json_begin_array(&json, "next");
    if (!game_is_over(game, &state)) {
        write_continuations(&json, game, &state, path);
    }
    json_end(&json);
    json_end(&json);
    return ERR_NONE;
}

static enum err write_picture(const struct api_context *context, const struct api_query *query,
                              FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = api_query_position(query, context->cpu, &game, &state, why);
    if (!err) {
        svg_write(out, game, &state);
    }
    return err;
}

/* --- Records --- */

enum { MAX_GAMES = 256 };

static enum err write_records(const struct api_context *context, FILE *file, FILE *out,
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
    enum err err = write_records(context, file, out, why);
    fclose(file);
    return err;
}

const struct api_endpoint api_games = {.name = "games", .write = write_games};
const struct api_endpoint api_position = {
    .name = "position", .fields = {"game", "position", "moves"}, .write = write_position};
const struct api_endpoint api_next = {
    .name = "next", .fields = {"game", "position", "moves", "path"}, .write = write_next};
const struct api_endpoint api_picture = {.name = "picture",
                                         .type = "image/svg+xml",
                                         .fields = {"game", "position", "moves"},
                                         .write = write_picture};
const struct api_endpoint api_record = {
    .name = "record", .fields = {"text"}, .needs_text = true, .write = write_record};
