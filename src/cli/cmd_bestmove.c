#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"
#include "cli/thinking.h"

enum { DEFAULT_TIME_MS = 1000, MAX_TIME_MS = 24 * 3600 * 1000 };

/* A second, unless something was asked for that ends by itself. */
static enum err read_limits(const struct args *args, struct engine_limits *limits, struct note *why)
{
    int64_t time_ms = 0;
    int64_t depth = 0;
    int64_t nodes = 0;
    int64_t level = 0;
    enum err err = args_number(args, "time", 1, MAX_TIME_MS, &time_ms, why);
    if (!err) {
        err = args_number(args, "depth", 1, ENGINE_MAX_DEPTH, &depth, why);
    }
    if (!err) {
        err = args_number(args, "nodes", 1, INT64_MAX, &nodes, why);
    }
    if (!err) {
        err = args_number(args, "level", 1, ENGINE_MAX_LEVEL, &level, why);
    }
    if (err) {
        return err;
    }
    if (!time_ms && !depth && !nodes && (!level || level == ENGINE_MAX_LEVEL)) {
        time_ms = DEFAULT_TIME_MS;
    }
    *limits = (struct engine_limits){.depth = (int)depth,
                                     .nodes = (uint64_t)nodes,
                                     .time_ns = time_ms * CLOCK_NS_PER_MS,
                                     .level = (int)level};
    return ERR_NONE;
}

static void print_facts(const struct game *game, const struct engine_report *report)
{
    char score[THINKING_SCORE_BYTES];
    double seconds = (double)report->time_ns / (double)CLOCK_NS_PER_S;
    thinking_write_score(report->score, score);
    fprintf(stderr, "depth %d, score %s, %" PRIu64 " nodes in %.3f s (%.2f million/s)\nline",
            report->depth, score, report->nodes, seconds,
            seconds > 0 ? (double)report->nodes * 1e-6 / seconds : 0);
    for (int i = 0; i < report->line.count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &report->line.moves[i], text);
        fprintf(stderr, " %s", text);
    }
    fputc('\n', stderr);
}

static enum err print_json(const struct game *game, const struct engine_report *report,
                           struct note *why)
{
    char text[GAME_MOVE_BYTES];
    game_write_move(game, &report->move, text);
    return json_out_take(json_pack("{s:s, s:i, s:i, s:I, s:I, s:o}", "move", text, "score",
                                   report->score, "depth", report->depth, "nodes",
                                   (json_int_t)report->nodes, "time_ms",
                                   (json_int_t)(report->time_ns / CLOCK_NS_PER_MS), "pv",
                                   thinking_line_json(game, &report->line)),
                         why);
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine_limits limits;
    struct engine engine = {0};
    enum err err = args_position(args, &game, &state, why);
    if (!err) {
        err = read_limits(args, &limits, why);
    }
    if (!err) {
        err = thinking_needs_move(game, &state, why);
    }
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    if (err) {
        return err;
    }
    struct engine_report report;
    engine_search(&engine, game, &state, &limits, NULL, NULL, NULL, &report);
    engine_free(&engine);
    if (args_option(args, "json")) {
        return print_json(game, &report, why);
    }
    char text[GAME_MOVE_BYTES];
    game_write_move(game, &report.move, text);
    puts(text);
    print_facts(game, &report);
    return ERR_NONE;
}

const struct command cmd_bestmove = {
    .name = "bestmove",
    .run = run,
    .summary = "ask the engine for a move",
    .operands = "GAME POSITION",
    .details =
        "Prints the move on stdout; depth, score, nodes, speed and the expected line on\n"
        "stderr. The search ends at the first limit it reaches, or when everything is decided;\n"
        "without any limit it takes at most a second. Levels 1 to 9 think with one thread and\n"
        "within their nodes; plum levels lists what they see and overlook. Level 10 plays its\n"
        "best in the time given.\n"
        "\n"
        "The score is for the side to move: men at home in hop, discs in reversi and othello,\n"
        "soldiers in meichu. With one thread, --depth and --nodes give the same answer on\n"
        "every machine. In the JSON the score is in hundredths; one beyond 29872 or -29872 is\n"
        "a game won or lost in 30000 less that many moves, or sooner. In hop it plays for the\n"
        "fastest win it sees; how many men that brings home is `plum solve`'s question.",
    .options = {{"time", "MS", "milliseconds to think (1000 without another limit)"},
                {"depth", "D", "how many moves ahead"},
                {"nodes", "N", "how many positions to look at"},
                {"level", "1..10", "how strong: plum levels lists them (10)"},
                THINKING_OPTIONS,
                {"json", NULL,
                 "{\"move\", \"score\", \"depth\", \"nodes\", \"time_ms\", \"pv\": [...]}"}},
    .examples = {{"plum bestmove meichu start --time 500", "after half a second"},
                 {"plum bestmove hop start --nodes 20000 --json", "the same on every machine"},
                 {"plum bestmove othello start --level 3", "as a weaker player would"}},
};
