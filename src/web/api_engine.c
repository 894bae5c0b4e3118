#include <string.h>

#include "base/clock.h"
#include "game/game.h"
#include "judge/bids.h"
#include "report/json_game.h"
#include "web/api.h"

enum { DEFAULT_TIME_MS = 1000, MAX_TIME_MS = 60 * 1000 };

/* --- Searches. --- */

static enum err read_limits(const struct api_context *context, const struct api_query *query,
                            struct engine_limits *out, struct note *why)
{
    int64_t level = 0;
    int64_t nodes = 0;
    int64_t depth = 0;
    int64_t time_ms = 0;
    int64_t seed = 0;
    const struct {
        const char *name;
        int64_t low;
        int64_t high;
        int64_t *value;
    } numbers[] = {
        {"level", 1, ENGINE_MAX_LEVEL, &level}, {"nodes", 1, INT64_MAX, &nodes},
        {"depth", 1, ENGINE_MAX_DEPTH, &depth}, {"time_ms", 1, MAX_TIME_MS, &time_ms},
        {"seed", 0, INT64_MAX, &seed},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        enum err err = api_query_number(query, numbers[i].name, numbers[i].low, numbers[i].high,
                                        numbers[i].value, why);
        if (err) {
            return err;
        }
    }
    if (!time_ms && !nodes && !depth && (!level || level == ENGINE_MAX_LEVEL)) {
        time_ms = DEFAULT_TIME_MS;
    }
    int64_t time_ns = time_ms * CLOCK_NS_PER_MS;
    bool is_bounded = nodes && (uint64_t)nodes < context->max_nodes;
    *out = (struct engine_limits){
        .level = (int)level,
        .nodes = is_bounded ? (uint64_t)nodes : context->max_nodes,
        .depth = (int)depth,
        .time_ns = time_ns && time_ns < context->max_time_ns ? time_ns : context->max_time_ns,
        .seed = (uint64_t)seed};
    return ERR_NONE;
}

static enum err write_bestmove(const struct api_context *context, const struct api_query *query,
                               FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine_limits limits;
    struct engine_report report;
    enum err err = api_query_position(query, context->cpu, &game, &state, why);
    err = err ? err : read_limits(context, query, &limits, why);
    if (!err && game_is_over(game, &state)) {
        err = note_fail(why, ERR_NEGATIVE, "the game is over: there is no move");
    }
    if (err) {
        return err;
    }
    /* A client's query must not influence the answer to the next client. */
    engine_clear(context->engine);
    engine_search(context->engine,
                  &(struct engine_request){.game = game,
                                           .state = &state,
                                           .limits = limits,
                                           .on_depth = context->on_depth,
                                           .context = context->owner},
                  &report);
    struct json json = json_make(out, JSON_COMPACT);
    json_game_search(&json, game, &report);
    return ERR_NONE;
}

/* --- The auction. --- */

/* The game of the query; ERR_INPUT: it has no auction. */
static enum err read_auction(const struct api_context *context, const struct api_query *query,
                             const struct game **out, struct note *why)
{
    struct state state;
    const struct game *game = NULL;
    enum err err = api_query_position(query, context->cpu, &game, &state, why);
    if (err) {
        return err;
    }
    if (!game->auction) {
        return note_fail(why, ERR_INPUT, "%s has no auction", game->name);
    }
    *out = game;
    return ERR_NONE;
}

static enum err write_bid(const struct api_context *context, const struct api_query *query,
                          FILE *out, struct note *why)
{
    struct json json = json_make(out, JSON_COMPACT);
    const struct game *game = NULL;
    enum err err = read_auction(context, query, &game, why);
    if (!err) {
        json_game_bid(&json, game);
    }
    return err;
}

static enum err read_bids(const struct api_query *query, struct bids *out, struct note *why)
{
    const char *text = api_query_get(query, "bids");
    if (!text) {
        return note_fail(why, ERR_INPUT,
                         "the field 'bids' is missing; it is written like '0 5, 0 40'");
    }
    return bids_read(text, out, why);
}

static void write_pair(struct json *json, const char *name, int first, int second)
{
    json_begin_array(json, name);
    json_integer(json, NULL, first);
    json_integer(json, NULL, second);
    json_end(json);
}

static void write_outcome(FILE *out, const struct game *game, const struct bids *bids,
                          const struct auction_outcome *outcome)
{
    struct json json = json_make(out, JSON_COMPACT);
    char text[BIDS_BYTES];
    char position[GAME_POSITION_BYTES];
    struct state state = game->start_with(outcome->budget);
    game->write_position(&state, position);
    bids_write(bids, text);
    json_begin_object(&json, NULL);
    json_string(&json, "bids", text);
    write_pair(&json, "colour", (int)outcome->colour[0], (int)outcome->colour[1]);
    write_pair(&json, "budget", outcome->budget[SIDE_BLACK], outcome->budget[SIDE_WHITE]);
    json_bool(&json, "lot", bids->lot >= 0);
    json_string(&json, "position", position);
    json_end(&json);
}

static enum err write_auction(const struct api_context *context, const struct api_query *query,
                              FILE *out, struct note *why)
{
    const struct game *game = NULL;
    struct bids bids;
    int64_t seed = 0;
    enum err err = read_auction(context, query, &game, why);
    if (err || (err = read_bids(query, &bids, why)) ||
        (err = api_query_number(query, "seed", 0, INT64_MAX, &seed, why))) {
        return err;
    }
    struct auction_outcome outcome = game->auction(bids.bids, bids.lot);
    if (outcome.needs_lot) {
        bids.lot = (int)game_draw_lot((uint64_t)seed);
        outcome = game->auction(bids.bids, bids.lot);
    }
    write_outcome(out, game, &bids, &outcome);
    return ERR_NONE;
}

const struct api_endpoint api_bestmove = {
    .name = "bestmove",
    .fields = {"game", "position", "moves", "level", "nodes", "depth", "time_ms", "seed"},
    .needs_search = true,
    .write = write_bestmove};
const struct api_endpoint api_bid = {.name = "bid", .fields = {"game"}, .write = write_bid};
const struct api_endpoint api_auction = {
    .name = "auction", .fields = {"game", "bids", "seed"}, .write = write_auction};
