#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "web/answer.h"
#include "web/json_text.h"

enum { DEFAULT_TIME_MS = 1000, MAX_TIME_MS = 60 * 1000 };

static void write_move(FILE *out, const struct game *game, const struct move *move)
{
    char text[GAME_MOVE_BYTES];
    game_write_move(game, move, text);
    json_text_string(out, text);
}

void answer_report(FILE *out, const struct game *game, const struct engine_report *report)
{
    fputs("{\"move\":", out);
    write_move(out, game, &report->move);
    fprintf(out, ",\"score\":%d,\"depth\":%d,\"exact\":%s,\"nodes\":%" PRIu64, report->score,
            report->depth, report->is_exact ? "true" : "false", report->nodes);
    fprintf(out, ",\"time_ms\":%" PRId64 ",\"line\":[", report->time_ns / CLOCK_NS_PER_MS);
    for (int i = 0; i < report->line.count; i++) {
        fputs(i ? "," : "", out);
        write_move(out, game, &report->line.moves[i]);
    }
    fputs("]}", out);
}

static enum err read_limits(const struct answerer *answerer, const struct question *question,
                            struct engine_limits *out, struct note *why)
{
    int64_t level = 0;
    int64_t nodes = 0;
    int64_t depth = 0;
    int64_t time_ms = 0;
    int64_t seed = 0;
    enum err err = question_number(question, "level", 1, ENGINE_MAX_LEVEL, &level, why);
    if (!err) {
        err = question_number(question, "nodes", 1, INT64_MAX, &nodes, why);
    }
    if (!err) {
        err = question_number(question, "depth", 1, ENGINE_MAX_DEPTH, &depth, why);
    }
    if (!err) {
        err = question_number(question, "time_ms", 1, MAX_TIME_MS, &time_ms, why);
    }
    if (!err) {
        err = question_number(question, "seed", 0, INT64_MAX, &seed, why);
    }
    if (err) {
        return err;
    }
    if (!time_ms && !nodes && !depth && (!level || level == ENGINE_MAX_LEVEL)) {
        time_ms = DEFAULT_TIME_MS;
    }
    int64_t time_ns = time_ms * CLOCK_NS_PER_MS;
    bool is_bounded = nodes && (uint64_t)nodes < answerer->max_nodes;
    *out = (struct engine_limits){
        .level = (int)level,
        .nodes = is_bounded ? (uint64_t)nodes : answerer->max_nodes,
        .depth = (int)depth,
        .time_ns = time_ns && time_ns < answerer->max_time_ns ? time_ns : answerer->max_time_ns,
        .seed = (uint64_t)seed};
    return ERR_NONE;
}

static enum err write(const struct answerer *answerer, const struct question *question, FILE *out,
                      struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine_limits limits;
    struct engine_report report;
    enum err err = question_position(question, answerer->cpu, &game, &state, why);
    if (!err) {
        err = read_limits(answerer, question, &limits, why);
    }
    if (!err && game_is_over(game, &state)) {
        note_set(why, "the game is over: there is no move");
        err = ERR_NEGATIVE;
    }
    if (err) {
        return err;
    }
    /* What one visitor asked must not colour the next one's answer. */
    engine_clear(answerer->engine);
    engine_search(answerer->engine, game, &state, &limits, NULL, answerer->on_depth,
                  answerer->context, &report);
    answer_report(out, game, &report);
    return ERR_NONE;
}

const struct answer answer_bestmove = {
    .name = "bestmove",
    .type = "application/json",
    .fields = {"game", "position", "moves", "level", "nodes", "depth", "time_ms", "seed"},
    .needs_thought = true,
    .write = write};
