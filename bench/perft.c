/* How fast the rules count move sequences, on one thread, with the naive rules
 * beside them in the same run. A row gives the best of three runs each.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "game/registry.h"
#include "naive/naive.h"

struct row {
    const char *game;
    const char *label;
    const char *position;
    int depth;
    int naive_depth;
};

#define HOP_MIDDLE "..X...../X.....X./..OX.O../.O.X..O./..X.O.X./.O....X./..O...O./.....O.. b 20 20"
#define MEICHU_MIDDLE                                                                              \
    "..sbf.s../.b..b..b./.b..s..b./..b.sbb../...S...../..B.sBB../.B..S..B./.B..B..B./..SBFBS.. b " \
    "96 88"
#define MEICHU_POOR                                                                                \
    "..sbf.s../.b..b..b./.b..s..b./..b.sbb../...S...../..B.sBB../.B..S..B./.B..B..B./..SBFBS.. b " \
    "10 11"
#define REVERSI_MIDDLE "#......#/...X..../..XOO.../.XOXXO../..OXOX../..XOXO../...O..../#......# b"

static const struct row rows[] = {
    {"othello", "start", "start", 11, 7},        {"reversi", "start", "start", 6, 4},
    {"reversi", "middle", REVERSI_MIDDLE, 6, 4}, {"hop", "start", "start", 5, 3},
    {"hop", "middle", HOP_MIDDLE, 5, 3},         {"hop-noloop", "start", "start", 5, 3},
    {"hop-noloop", "middle", HOP_MIDDLE, 5, 3},  {"meichu", "start", "start", 5, 3},
    {"meichu", "middle", MEICHU_MIDDLE, 5, 3},   {"meichu", "poor", MEICHU_POOR, 5, 3},
};

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double best_rate(const struct game *game, const struct state *state, const struct row *row,
                        uint64_t *count)
{
    double best = 0;
    for (int run = 0; run < 3; run++) {
        double begin = cpu_seconds();
        *count = game ? game->perft(state, row->depth)
                      : naive_perft(row->game, row->position, row->naive_depth);
        double rate = (double)*count / (cpu_seconds() - begin) / 1e6;
        best = rate > best ? rate : best;
    }
    return best;
}

int main(void)
{
    printf("%-11s %-7s %5s %14s", "game", "from", "depth", "count");
    for (int level = 0; level <= (int)cpu_best(); level++) {
        printf(" %9s", cpu_name((enum cpu_level)level));
    }
    printf(" %9s %7s\n", "naive", "ratio");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        uint64_t count = 0;
        uint64_t naive_count = 0;
        double rate[CPU_LEVELS] = {0};
        for (int level = 0; level <= (int)cpu_best(); level++) {
            struct note note;
            struct state state;
            const struct game *game = registry_find((enum cpu_level)level, row->game, &note);
            if (!game || game_read_position(game, row->position, &state, &note)) {
                fprintf(stderr, "bench_perft: %s\n", note.text);
                return EXIT_FAILURE;
            }
            rate[level] = best_rate(game, &state, row, &count);
        }
        double naive = best_rate(NULL, NULL, row, &naive_count);
        printf("%-11s %-7s %5d %14" PRIu64, row->game, row->label, row->depth, count);
        for (int level = 0; level <= (int)cpu_best(); level++) {
            printf(" %9.1f", rate[level]);
        }
        printf(" %9.2f %6.0fx\n", naive, rate[cpu_best()] / naive);
        fflush(stdout);
    }
    return EXIT_SUCCESS;
}
