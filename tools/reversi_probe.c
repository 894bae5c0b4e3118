/* reversi_probe: how well a shallow search foretells a deep one.
 *
 *     reversi_probe reversi|othello POSITIONS DEPTH DATA
 *
 * Searches every n-th position of DATA (a file of tools/train/selfplay) to DEPTH and prints,
 * for each pair of depths and a range of empty squares, the standard deviation of their scores'
 * difference in hundredths of a disc. The margins of ProbCut in engine.c come from here.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/bits.h"
#include "engine/engine.h"
#include "game/registry.h"
#include "games/reversi/state.h"
#include "sample.h"

enum { HASH_MB = 16, MAX_DEPTH = 16, RANGES = 4, RANGE_SQUARES = 12, FIRST_RANGE = 12 };

struct scores {
    int at[MAX_DEPTH + 1];
};

struct sum {
    double squares;
    double total;
    long count;
};

static void keep_score(void *context, const struct engine_report *report)
{
    struct scores *scores = context;
    if (report->depth <= MAX_DEPTH) {
        scores->at[report->depth] = report->score;
    }
}

static bool read_position(FILE *file, long index, struct reversi_state *out)
{
    struct sample sample;
    if (fseek(file, index * (long)sizeof sample, SEEK_SET) ||
        fread(&sample, sizeof sample, 1, file) != 1) {
        return false;
    }
    *out = (struct reversi_state){.to_move = SIDE_BLACK};
    for (int square = 0; square < REVERSI_SQUARES; square++) {
        if (sample.cells[square]) {
            out->discs[sample.cells[square] - 1] |= bits_one(square);
        }
    }
    return true;
}

static void add(struct sum sums[MAX_DEPTH + 1][MAX_DEPTH + 1], const struct scores *s, int depth)
{
    for (int deep = 2; deep <= depth; deep++) {
        for (int shallow = 1; shallow < deep; shallow++) {
            struct sum *sum = &sums[shallow][deep];
            double difference = s->at[deep] - s->at[shallow];
            sum->squares += difference * difference;
            sum->total += difference;
            sum->count++;
        }
    }
}

static void print_range(int range, struct sum sums[MAX_DEPTH + 1][MAX_DEPTH + 1], int depth)
{
    int first = FIRST_RANGE + range * RANGE_SQUARES;
    printf("%d to %d empty squares\n", first, first + RANGE_SQUARES - 1);
    for (int deep = 2; deep <= depth; deep++) {
        printf("  depth %2d from", deep);
        for (int shallow = 1; shallow < deep; shallow++) {
            const struct sum *sum = &sums[shallow][deep];
            double mean = sum->count ? sum->total / (double)sum->count : 0;
            double square = sum->count ? sum->squares / (double)sum->count : 0;
            printf(" %d: %.0f", shallow, sqrt(square - mean * mean));
        }
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    static struct sum sums[RANGES][MAX_DEPTH + 1][MAX_DEPTH + 1];
    struct note note;
    struct engine engine = {.thread_count = 0};
    const struct game *game = argc == 5 ? registry_find(cpu_best(), argv[1], &note) : NULL;
    FILE *file = argc == 5 ? fopen(argv[4], "rb") : NULL;
    int depth = argc == 5 ? (int)strtol(argv[3], NULL, 10) : 0;
    if (!game || !file || depth < 2 || depth > MAX_DEPTH ||
        engine_init(&engine, HASH_MB, 1, &note)) {
        fprintf(stderr, "usage: reversi_probe reversi|othello POSITIONS DEPTH DATA\n");
        return EXIT_FAILURE;
    }
    fseek(file, 0, SEEK_END);
    long positions = strtol(argv[2], NULL, 10);
    long stride = ftell(file) / (long)sizeof(struct sample) / (positions > 0 ? positions : 1) + 1;
    struct reversi_state s;
    for (long i = 0; read_position(file, i * stride, &s); i++) {
        struct scores scores = {{0}};
        struct engine_limits limits = {.depth = depth};
        struct engine_report report;
        struct state state = reversi_pack(s);
        int empty = (game->cell(&state, 0).piece == PIECE_NONE ? 64 : 60) -
                    bits_count(s.discs[0] | s.discs[1]);
        int range = (empty - FIRST_RANGE) / RANGE_SQUARES;
        if (empty < FIRST_RANGE + depth || range >= RANGES) {
            continue;
        }
        engine_clear(&engine);
        engine_search(&engine,
                      &(struct engine_request){.game = game,
                                               .state = &state,
                                               .limits = limits,
                                               .on_depth = keep_score,
                                               .context = &scores},
                      &report);
        if (scores.at[depth] && !report.is_exact) {
            add(sums[range], &scores, depth);
        }
    }
    for (int range = 0; range < RANGES; range++) {
        print_range(range, sums[range], depth);
    }
    fclose(file);
    engine_free(&engine);
    return EXIT_SUCCESS;
}
