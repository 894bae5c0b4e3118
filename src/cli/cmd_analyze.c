#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/json_out.h"
#include "cli/paint.h"
#include "cli/redraw.h"
#include "cli/thinking.h"

enum { DEFAULT_LINES = 5, MAX_TIME_MS = 24 * 3600 * 1000, SHOWN_MOVES = 8 };

struct screen {
    const struct game *game;
    bool is_live; /* each depth is drawn over the one before */
    struct redraw redraw;
};

static void print_choice(FILE *out, const struct game *game, int rank,
                         const struct engine_report *choice)
{
    char text[GAME_MOVE_BYTES];
    char score[THINKING_SCORE_BYTES];
    thinking_write_score(choice->score, score);
    fprintf(out, "%2d  %-12s ", rank, score);
    for (int i = 0; i < choice->line.count && i < SHOWN_MOVES; i++) {
        game_write_move(game, &choice->line.moves[i], text);
        fprintf(out, " %s", text);
    }
    fputc('\n', out);
}

static void print_table(FILE *out, const struct game *game, const struct engine_analysis *analysis)
{
    const struct engine_report *last = &analysis->choices[0];
    uint64_t nodes = 0;
    int64_t time_ns = 0;
    for (int i = 0; i < analysis->count; i++) {
        const struct engine_report *choice = &analysis->choices[i];
        last = choice->depth > last->depth ? choice : last;
        nodes = choice->nodes > nodes ? choice->nodes : nodes;
        time_ns = choice->time_ns > time_ns ? choice->time_ns : time_ns;
    }
    fprintf(out, "depth %d, %" PRIu64 " nodes in %.1f s\n", last->depth, nodes,
            (double)time_ns / (double)CLOCK_NS_PER_S);
    for (int i = 0; i < analysis->count; i++) {
        print_choice(out, game, i + 1, &analysis->choices[i]);
    }
}

static void show_depth(void *context, const struct engine_analysis *analysis)
{
    struct screen *screen = context;
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = screen->is_live ? open_memstream(&text, &bytes) : NULL;
    if (!memory) {
        return;
    }
    print_table(memory, screen->game, analysis);
    if (fclose(memory) == 0) {
        redraw_show(&screen->redraw, text);
    }
    free(text);
}

static json_t *choice_json(const struct game *game, const struct engine_report *choice)
{
    char text[GAME_MOVE_BYTES];
    game_write_move(game, &choice->move, text);
    return json_pack("{s:s, s:i, s:i, s:b, s:o}", "move", text, "score", choice->score, "depth",
                     choice->depth, "exact", (int)choice->is_exact, "pv",
                     thinking_line_json(game, &choice->line));
}

static enum err print_json(const struct game *game, const struct engine_analysis *analysis,
                           struct note *why)
{
    json_t *lines = json_array();
    uint64_t nodes = 0;
    int64_t time_ns = 0;
    for (int i = 0; i < analysis->count; i++) {
        const struct engine_report *choice = &analysis->choices[i];
        lines = json_out_append(lines, choice_json(game, choice));
        nodes = choice->nodes > nodes ? choice->nodes : nodes;
        time_ns = choice->time_ns > time_ns ? choice->time_ns : time_ns;
    }
    return json_out_take(json_pack("{s:o, s:I, s:I}", "lines", lines, "nodes", (json_int_t)nodes,
                                   "time_ms", (json_int_t)(time_ns / CLOCK_NS_PER_MS)),
                         why);
}

static enum err read_limits(const struct args *args, struct engine_limits *limits, int64_t *lines,
                            struct note *why)
{
    int64_t time_ms = 0;
    int64_t depth = 0;
    enum err err = args_number(args, "lines", 1, ENGINE_MAX_CHOICES, lines, why);
    if (!err) {
        err = args_number(args, "time", 1, MAX_TIME_MS, &time_ms, why);
    }
    if (!err) {
        err = args_number(args, "depth", 1, ENGINE_MAX_DEPTH, &depth, why);
    }
    *limits = (struct engine_limits){.depth = (int)depth, .time_ns = time_ms * CLOCK_NS_PER_MS};
    return err;
}

static enum err run(const struct args *args, struct note *why)
{
    struct screen screen = {.is_live = paint_choose(NULL) != PAINT_PLAIN,
                            .redraw = {.terminal = stdout}};
    struct state state;
    struct engine_limits limits;
    struct engine engine = {0};
    int64_t lines = DEFAULT_LINES;
    enum err err = args_position(args, &screen.game, &state, why);
    if (!err) {
        err = read_limits(args, &limits, &lines, why);
    }
    if (!err) {
        err = thinking_needs_move(screen.game, &state, why);
    }
    if (!err) {
        err = thinking_start(args, &engine, why);
    }
    if (err) {
        return err;
    }
    bool is_json = args_option(args, "json");
    screen.is_live = screen.is_live && !is_json;
    struct engine_analysis analysis;
    engine_analyze(&engine, screen.game, &state, (int)lines, &limits, interrupt_sets_flag(),
                   show_depth, &screen, &analysis);
    engine_free(&engine);
    if (is_json) {
        return print_json(screen.game, &analysis, why);
    }
    redraw_wipe(&screen.redraw);
    print_table(stdout, screen.game, &analysis);
    return ERR_NONE;
}

const struct command cmd_analyze = {
    .name = "analyze",
    .run = run,
    .summary = "every good move of a position, with its score and line",
    .operands = "GAME POSITION",
    .details =
        "Looks at the best moves one ply deeper after another, each as deeply as the others,\n"
        "until the time is over, everything is decided, or Ctrl-C ends it; then the last table\n"
        "stands. On a terminal the table is renewed after each depth, as much of it as fits.\n"
        "Scores count as those of `plum bestmove`; at small depths the two may differ a little.",
    .options =
        {{"lines", "K", "how many moves (5)"},
         {"time", "MS", "milliseconds to think (until Ctrl-C)"},
         {"depth", "D", "how many moves ahead"},
         THINKING_OPTIONS,
         {"json", NULL,
          "{\"lines\": [{\"move\", \"score\", \"depth\", \"exact\", \"pv\"}...], \"nodes\",\n"
          "\"time_ms\"}"}},
    .examples = {{"plum analyze hop start --time 2000", "the five best first moves"},
                 {"plum analyze othello start --lines 2 --depth 8", "the same on every machine"}},
};
