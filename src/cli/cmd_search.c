/* cmd_search: bestmove, analyze, solve, levels. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/engine_args.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "engine/level.h"
#include "report/json_game.h"

enum { DEFAULT_TIME_MS = 1000, DEFAULT_LINES = 5, SHOWN_MOVES = 8, LEVEL_NAME_COLUMNS = 13 };

static void print_speed(FILE *out, uint64_t nodes, int64_t time_ns)
{
    double seconds = (double)time_ns / 1e9;
    fprintf(out, "%" PRIu64 " nodes in %.3f s (%.2f million/s)\n", nodes, seconds,
            seconds > 0 ? (double)nodes * 1e-6 / seconds : 0);
}

/* --- bestmove --- */

/* One second, unless there is a limit that ends the search. */
static enum err read_limits(const struct args *args, struct engine_limits *limits, struct note *why)
{
    int64_t time_ms = 0;
    *limits = (struct engine_limits){0};
    enum err err =
        ARGS_FIELDS(args, why, {"time", ARGS_INT64, &time_ms, 1, ENGINE_ARGS_MAX_TIME_MS},
                    {"depth", ARGS_INT, &limits->depth, 1, ENGINE_MAX_DEPTH},
                    {"nodes", ARGS_UINT64, &limits->nodes, 1, INT64_MAX},
                    {"level", ARGS_INT, &limits->level, 1, ENGINE_MAX_LEVEL});
    bool is_full = !limits->level || limits->level == ENGINE_MAX_LEVEL;
    if (!time_ms && !limits->depth && !limits->nodes && is_full) {
        time_ms = DEFAULT_TIME_MS;
    }
    limits->time_ns = time_ms * CLOCK_NS_PER_MS;
    return err;
}

static enum err run_bestmove(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine_limits limits;
    struct engine engine = {0};
    enum err err = engine_args_position(args, &game, &state, why);
    if (err || (err = read_limits(args, &limits, why)) ||
        (err = engine_args_start(args, &engine, why))) {
        return err;
    }
    struct engine_report report;
    engine_search(&engine,
                  &(struct engine_request){.game = game, .state = &state, .limits = limits},
                  &report);
    engine_free(&engine);
    if (args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        json_game_search(&json, game, &report);
        putchar('\n');
        return ERR_NONE;
    }
    char text[GAME_MOVE_BYTES];
    char score[ENGINE_ARGS_SCORE_BYTES];
    game_write_move(game, &report.move, text);
    engine_args_write_score(report.score, score);
    puts(text);
    fprintf(stderr, "depth %d, score %s, ", report.depth, score);
    print_speed(stderr, report.nodes, report.time_ns);
    fputs("line", stderr);
    engine_args_print_moves(stderr, game, report.line.moves, (size_t)report.line.count);
    fputc('\n', stderr);
    return ERR_NONE;
}

/* --- analyze --- */

struct analysis_screen {
    const struct game *game;
    bool is_live; /* each depth is drawn over the one before */
    struct terminal_lines lines;
};

/* Depth, nodes and time of the whole analysis: the largest of its choices. */
static struct engine_report totals_of(const struct engine_analysis *analysis)
{
    struct engine_report total = {0};
    for (int i = 0; i < analysis->count; i++) {
        const struct engine_report *choice = &analysis->choices[i];
        total.depth = choice->depth > total.depth ? choice->depth : total.depth;
        total.nodes = choice->nodes > total.nodes ? choice->nodes : total.nodes;
        total.time_ns = choice->time_ns > total.time_ns ? choice->time_ns : total.time_ns;
    }
    return total;
}

static void print_table(FILE *out, const struct game *game, const struct engine_analysis *analysis)
{
    struct engine_report total = totals_of(analysis);
    fprintf(out, "depth %d, %" PRIu64 " nodes in %.1f s\n", total.depth, total.nodes,
            (double)total.time_ns / 1e9);
    for (int i = 0; i < analysis->count; i++) {
        const struct engine_line *line = &analysis->choices[i].line;
        char score[ENGINE_ARGS_SCORE_BYTES];
        engine_args_write_score(analysis->choices[i].score, score);
        fprintf(out, "%2d  %-12s ", i + 1, score);
        engine_args_print_moves(out, game, line->moves,
                                (size_t)(line->count < SHOWN_MOVES ? line->count : SHOWN_MOVES));
        fputc('\n', out);
    }
}

static void show_depth(void *context, const struct engine_analysis *analysis)
{
    struct analysis_screen *screen = context;
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = screen->is_live ? open_memstream(&text, &bytes) : NULL;
    if (!memory) {
        return;
    }
    print_table(memory, screen->game, analysis);
    if (fclose(memory) == 0) {
        terminal_lines_show(&screen->lines, text);
    }
    free(text);
}

static void analysis_json(const struct game *game, const struct engine_analysis *analysis)
{
    struct engine_report total = totals_of(analysis);
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_begin_array(&json, "lines");
    for (int i = 0; i < analysis->count; i++) {
        json_game_search(&json, game, &analysis->choices[i]);
    }
    json_end(&json);
    json_integer(&json, "nodes", (int64_t)total.nodes);
    json_integer(&json, "time_ms", total.time_ns / CLOCK_NS_PER_MS);
    json_end(&json);
    putchar('\n');
}

static enum err run_analyze(const struct args *args, struct note *why)
{
    struct analysis_screen screen = {.lines = {.terminal = stdout}};
    struct state state;
    struct engine_limits limits = {0};
    struct engine engine = {0};
    int lines = DEFAULT_LINES;
    int64_t time_ms = 0;
    enum err err = engine_args_position(args, &screen.game, &state, why);
    if (err ||
        (err = ARGS_FIELDS(args, why, {"lines", ARGS_INT, &lines, 1, ENGINE_MAX_CHOICES},
                           {"time", ARGS_INT64, &time_ms, 1, ENGINE_ARGS_MAX_TIME_MS},
                           {"depth", ARGS_INT, &limits.depth, 1, ENGINE_MAX_DEPTH})) ||
        (err = engine_args_start(args, &engine, why))) {
        return err;
    }
    limits.time_ns = time_ms * CLOCK_NS_PER_MS;
    bool is_json = args_option(args, "json");
    screen.is_live = !is_json && paint_choose(NULL) != PAINT_PLAIN;
    struct engine_analysis analysis;
    struct engine_request request = {.game = screen.game,
                                     .state = &state,
                                     .limits = limits,
                                     .stop = interrupt_sets_flag(),
                                     .on_analysis = show_depth,
                                     .context = &screen};
    engine_analyze(&engine, &request, lines, &analysis);
    engine_free(&engine);
    if (is_json) {
        analysis_json(screen.game, &analysis);
        return ERR_NONE;
    }
    terminal_lines_erase(&screen.lines);
    print_table(stdout, screen.game, &analysis);
    return ERR_NONE;
}

/* --- solve --- */

struct solve_screen {
    struct terminal_progress progress;
    int64_t limit_ns;
};

static void show_elapsed(void *owner, int64_t elapsed_ns)
{
    struct solve_screen *screen = owner;
    char limit[32] = "";
    if (elapsed_ns < CLOCK_NS_PER_S) {
        return;
    }
    if (screen->limit_ns >= CLOCK_NS_PER_S) {
        snprintf(limit, sizeof limit, " of %" PRId64, screen->limit_ns / CLOCK_NS_PER_S);
    }
    terminal_progress_show(&screen->progress, "solving for %" PRId64 " s%s",
                           elapsed_ns / CLOCK_NS_PER_S, limit);
}

static enum err explain_failure(const struct engine_solution *tried, int64_t limit_ns,
                                struct note *why)
{
    if (limit_ns && tried->time_ns >= limit_ns) {
        note_set(why,
                 "not solved within %" PRId64 " ms; give it more --time, "
                 "or a position nearer to its end",
                 limit_ns / CLOCK_NS_PER_MS);
    } else if (tried->nodes) {
        note_set(why,
                 "not solved with %.0f million positions; it is too far from the end of the game",
                 (double)tried->nodes / 1e6);
    } else {
        note_set(why, "this position is too far from the end of the game to be solved");
    }
    return ERR_NEGATIVE;
}

static void solution_json(const struct game *game, const struct engine_solution *solution)
{
    struct json json = json_make(stdout, JSON_LINE);
    json_begin_object(&json, NULL);
    json_integer(&json, "value", solution->value);
    json_game_moves(&json, "moves", game, solution->moves, solution->count);
    json_integer(&json, "nodes", (int64_t)solution->nodes);
    json_integer(&json, "time_ms", solution->time_ns / CLOCK_NS_PER_MS);
    json_end(&json);
    putchar('\n');
}

static enum err run_solve(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    struct engine engine = {0};
    struct solve_screen screen = {.limit_ns = 0};
    struct engine_solution solution;
    int64_t time_ms = 0;
    bool all = false;
    enum err err = engine_args_position(args, &game, &state, why);
    if (err ||
        (err = ARGS_FIELDS(args, why, {"time", ARGS_INT64, &time_ms, 1, ENGINE_ARGS_MAX_TIME_MS},
                           {"all", ARGS_FLAG, &all, 0, 0})) ||
        (err = engine_args_start(args, &engine, why))) {
        return err;
    }
    screen.limit_ns = time_ms * CLOCK_NS_PER_MS;
    struct engine_request request = {.game = game,
                                     .state = &state,
                                     .limits = {.time_ns = screen.limit_ns},
                                     .on_progress = isatty(STDERR_FILENO) ? show_elapsed : NULL,
                                     .context = &screen};
    bool is_solved = engine_solve(&engine, &request, all, &solution);
    terminal_progress_erase(&screen.progress);
    engine_free(&engine);
    if (!is_solved) {
        return explain_failure(&solution, screen.limit_ns, why);
    }
    if (args_option(args, "json")) {
        solution_json(game, &solution);
        return ERR_NONE;
    }
    printf("%+d", solution.value);
    engine_args_print_moves(stdout, game, solution.moves, solution.count);
    putchar('\n');
    print_speed(stderr, solution.nodes, solution.time_ns);
    return ERR_NONE;
}

/* --- levels --- */

static enum err run_levels(const struct args *args, struct note *why)
{
    (void)why;
    if (args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        json_begin_array(&json, NULL);
        for (int level = 1; level <= LEVEL_MAX; level++) {
            json_game_level(&json, level);
        }
        json_end(&json);
        putchar('\n');
        return ERR_NONE;
    }
    for (int level = 1; level <= LEVEL_MAX; level++) {
        const struct level_words *words = level_words(level);
        printf("%2d  %-*s%s\n", level, LEVEL_NAME_COLUMNS, words->name, words->sentence);
    }
    return ERR_NONE;
}

const struct command cmd_bestmove = {
    .name = "bestmove",
    .run = run_bestmove,
    .summary = "ask the engine for a move",
    .operands = "GAME POSITION",
    .options = {{"time", "MS", "milliseconds to search (1000 without another limit)"},
                {"depth", "D", "moves to look ahead"},
                {"nodes", "N", "positions to search"},
                ENGINE_ARGS_LEVEL,
                ENGINE_ARGS_OPTIONS,
                {"json", NULL,
                 "{\"move\", \"score\", \"depth\", \"exact\", \"nodes\", \"time_ms\",\n"
                 "\"line\": [...]}"}},
};

const struct command cmd_analyze = {
    .name = "analyze",
    .run = run_analyze,
    .summary = "list the best moves of a position with scores and lines",
    .operands = "GAME POSITION",
    .options = {{"lines", "K", "number of moves (5)"},
                {"time", "MS", "milliseconds to search (until Ctrl-C)"},
                {"depth", "D", "moves to look ahead"},
                ENGINE_ARGS_OPTIONS,
                {"json", NULL,
                 "{\"lines\": [{\"move\", \"score\", \"depth\", \"exact\", \"nodes\", \"time_ms\", "
                 "\"line\"}...], \"nodes\", \"time_ms\"}"}},
};

const struct command cmd_solve = {
    .name = "solve",
    .run = run_solve,
    .summary = "find the exact value of a position",
    .operands = "GAME POSITION",
    .options = {{"all", NULL, "every optimal move"},
                {"time", "MS", "stop after this many milliseconds (never)"},
                ENGINE_ARGS_OPTIONS,
                {"json", NULL, "{\"value\", \"moves\": [...], \"nodes\", \"time_ms\"}"}},
};

const struct command cmd_levels = {
    .name = "levels",
    .run = run_levels,
    .summary = "list the engine's ten levels",
    .operands = "",
    .options = {{"json", NULL, "an array of {\"level\", \"name\", \"sentence\"}"}},
};
