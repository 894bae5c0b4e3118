#include "base/clock.h"
#include "game/game.h"
#include "report/json_game.h"
#include "web/api.h"

enum { DEFAULT_TIME_MS = 1000, MAX_TIME_MS = 60 * 1000 };

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

const struct api_endpoint api_bestmove = {
    .name = "bestmove",
    .fields = {"game", "position", "moves", "level", "nodes", "depth", "time_ms", "seed"},
    .needs_search = true,
    .write = write_bestmove};
