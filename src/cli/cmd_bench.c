/* cmd_bench: bench, perft. */
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "app/bench.h"
#include "app/perft.h"
#include "base/clock.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/terminal.h"
#include "game/about.h"
#include "game/registry.h"

/* --- bench --- */

static enum err bench_game(struct engine *engine, const struct game *game, const char *path,
                           struct note *why)
{
    uint64_t nodes = 0;
    int64_t time_ns = 0;
    int64_t expected = 0;
    enum err err = bench_count(engine, game, &nodes, &time_ns, why);
    if (err) {
        return err;
    }
    printf("%s %" PRIu64 "\n", game->name, nodes);
    fflush(stdout);
    fprintf(stderr, "%s: %.2f million nodes/s\n", game->name,
            (double)nodes * 1e3 / (double)time_ns);
    err = bench_read_signature(path, game->name, &expected, why);
    if (!err && (uint64_t)expected != nodes) {
        err = note_fail(why, ERR_NEGATIVE, "%s: %" PRIu64 " nodes, but '%.200s' has %" PRId64,
                        game->name, nodes, path, expected);
    }
    return err;
}

static enum err run_bench(const struct args *args, struct note *why)
{
    const char *path = "bench/signatures.txt";
    const struct game *chosen = NULL;
    struct engine engine = {0};
    enum err err = args->count ? args_game(args, &chosen, why) : ERR_NONE;
    if (err || (err = ARGS_FIELDS(args, why, {"signatures", ARGS_TEXT, &path, 0, 0})) ||
        (err = engine_init(&engine, BENCH_HASH_MB, 1, why))) {
        return err;
    }
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(args->cpu, i)); i++) {
        struct note wrong;
        enum err found = ERR_NONE;
        bool has_bench = game->about && game->about->bench;
        if (chosen == game && !has_bench) {
            note_set(&wrong, "%s has no searches to measure", game->name);
            found = ERR_NEGATIVE;
        } else if (has_bench && (!chosen || chosen == game)) {
            found = bench_game(&engine, game, path, &wrong);
        }
        if (found && !err) {
            err = found;
            *why = wrong;
        }
    }
    engine_free(&engine);
    return err;
}

/* --- perft --- */

struct perft_screen {
    int64_t started_ns;
    struct terminal_progress progress;
};

static void show_count(void *context, double share_done, uint64_t counted)
{
    struct perft_screen *screen = context;
    double elapsed_s = (double)(clock_now_ns() - screen->started_ns) / 1e9;
    if (elapsed_s >= 1 && share_done > 0) {
        terminal_progress_show(
            &screen->progress, "%3.0f %%, %.0f million counted, %.0f million/s, about %.0f s left",
            100 * share_done, (double)counted * 1e-6, (double)counted * 1e-6 / elapsed_s,
            elapsed_s * (1 - share_done) / share_done);
    }
}

static enum err run_perft(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    int64_t depth = 0;
    int threads = 1;
    enum err err = args_position(args, &game, &state, why);
    if (err || (err = number_read(args->values[2], "DEPTH", 0, PERFT_MAX_DEPTH, &depth, why)) ||
        (err = ARGS_FIELDS(args, why, {"threads", ARGS_INT, &threads, 1, PERFT_MAX_THREADS}))) {
        return err;
    }
    if (depth == 0) {
        puts("1");
        return ERR_NONE;
    }
    struct move moves[GAME_MAX_MOVES];
    uint64_t counts[GAME_MAX_MOVES];
    size_t count = game->moves(&state, moves);
    struct perft_screen screen = {.started_ns = clock_now_ns()};
    err = perft_count(game, &state, moves, count, (int)depth, threads,
                      isatty(STDERR_FILENO) ? show_count : NULL, &screen, counts, why);
    terminal_progress_erase(&screen.progress);
    if (err) {
        return err;
    }
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &moves[i], text);
        if (args_option(args, "divide")) {
            printf("%s %" PRIu64 "\n", text, counts[i]);
        }
        total += counts[i];
    }
    printf("%" PRIu64 "\n", total);
    return ERR_NONE;
}

const struct command cmd_bench = {
    .name = "bench",
    .run = run_bench,
    .summary = "count the nodes of fixed searches and compare",
    .operands = "[GAME]",
    .options = {{"signatures", "FILE", "what to compare with (bench/signatures.txt)"}},
};

const struct command cmd_perft = {
    .name = "perft",
    .run = run_perft,
    .summary = "count the move sequences of a given length",
    .operands = "GAME POSITION DEPTH",
    .options = {{"divide", NULL, "first a line 'MOVE COUNT' for each first move"},
                {"threads", "N", "threads that share the work (1)"}},
};
