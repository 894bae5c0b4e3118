#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "app/perft.h"

static const char erase_line[] = "\r\033[K";

/* What is shown on stderr while a person waits. */
struct ticker {
    struct timespec started;
    bool is_wanted;
    bool is_shown;
};

static double seconds_since(const struct timespec *start)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

static struct ticker ticker_start(void)
{
    struct ticker ticker = {.is_wanted = isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &ticker.started);
    return ticker;
}

static void ticker_show(void *context, double share_done, uint64_t counted)
{
    struct ticker *ticker = context;
    double elapsed = seconds_since(&ticker->started);
    if (!ticker->is_wanted || elapsed < 1 || share_done <= 0) {
        return;
    }
    ticker->is_shown = true;
    interrupt_writes(STDERR_FILENO, erase_line);
    fprintf(stderr, "%s%3.0f %%, %.0f million counted, %.0f million/s, about %.0f s left",
            erase_line, 100 * share_done, (double)counted * 1e-6, (double)counted * 1e-6 / elapsed,
            elapsed * (1 - share_done) / share_done);
}

static void ticker_end(const struct ticker *ticker)
{
    if (ticker->is_shown) {
        interrupt_writes(STDERR_FILENO, "");
        fputs(erase_line, stderr);
    }
}

static void print_counts(const struct game *game, const struct move *moves, size_t count,
                         const uint64_t *counts)
{
    char text[GAME_MOVE_BYTES];
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        printf("%s %" PRIu64 "\n", text, counts[i]);
    }
}

static uint64_t sum(const uint64_t *counts, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += counts[i];
    }
    return total;
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    int64_t depth = 0;
    int64_t threads = 1;
    enum err err = args_position(args, &game, &state, why);
    if (!err) {
        err = number_read(args->values[2], "DEPTH", 0, PERFT_MAX_DEPTH, &depth, why);
    }
    if (!err) {
        err = args_number(args, "threads", 1, PERFT_MAX_THREADS, &threads, why);
    }
    if (err) {
        return err;
    }
    if (depth == 0) {
        puts("1");
        return ERR_NONE;
    }
    struct move moves[GAME_MAX_MOVES];
    uint64_t counts[GAME_MAX_MOVES];
    size_t count = game->moves(&state, moves);
    struct ticker ticker = ticker_start();
    err = perft_count(game, &state, moves, count, (int)depth, (int)threads, ticker_show, &ticker,
                      counts, why);
    ticker_end(&ticker);
    if (err) {
        return err;
    }
    if (args_option(args, "divide")) {
        print_counts(game, moves, count, counts);
    }
    printf("%" PRIu64 "\n", sum(counts, count));
    return ERR_NONE;
}

const struct command cmd_perft = {
    .name = "perft",
    .run = run,
    .summary = "count the move sequences of a given length",
    .operands = "GAME POSITION DEPTH",
    .details = "Prints how many sequences of exactly DEPTH moves there are: the usual check of a\n"
               "move generator. A forced pass is a move; a finished game adds nothing deeper; hop\n"
               "paths that lead to the same position count once.",
    .options = {{"divide", NULL, "first a line 'MOVE COUNT' for each first move"},
                {"threads", "N", "threads that share the work (1)"}},
    .examples = {{"plum perft othello start 6", "8200"},
                 {"plum perft hop start 3 --divide", "by first move"},
                 {"plum perft reversi start 5 --threads 2", "two threads"}},
};
