/* reversi_fit: weights for the pattern evaluation of reversi or othello, from played games.
 *
 *     reversi_fit reversi|othello OUT DATA...
 *
 * Least squares on the final difference by stochastic gradient descent with AdaGrad steps, each
 * phase on its own positions and those just beyond its borders, so that neighbours agree. Every
 * twentieth position is held back; its error is printed. OUT becomes PATTERN_PHASES ×
 * PATTERN_WEIGHTS signed bytes, PATTERN_UNITS to a disc.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "games/reversi/board.h"
#include "games/reversi/eval_pattern.h"
#include "games/reversi/state.h"

enum { EPOCHS = 30, OVERLAP = 2, HELD_BACK = 20 };

struct sample {
    uint64_t own;
    uint64_t other;
    float value;
    int8_t empty;
};

struct data {
    struct sample *samples;
    size_t count;
    size_t room;
};

static bool is_othello;
static uint32_t twin[PATTERN_WEIGHTS]; /* the index that shares its weight */

static int squares(void) { return is_othello ? 64 : 60; }

static void read_file(struct data *data, const char *path)
{
    FILE *file = fopen(path, "rb");
    struct sample s;
    int8_t value = 0;
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    while (fread(&s.own, 8, 1, file) && fread(&s.other, 8, 1, file) && fread(&value, 1, 1, file)) {
        if (data->count == data->room) {
            data->room = data->room ? 2 * data->room : 1 << 20;
            data->samples = realloc(data->samples, data->room * sizeof *data->samples);
            if (!data->samples) {
                exit(EXIT_FAILURE);
            }
        }
        s.value = value;
        s.empty = (int8_t)(squares() - bits_count(s.own | s.other));
        data->samples[data->count++] = s;
    }
    fclose(file);
}

static void indexes_of(const struct sample *s, uint32_t out[PATTERN_PLACES])
{
    uint64_t holes = is_othello ? 0 : REVERSI_CORNERS;
    uint64_t empty = ~(s->own | s->other | holes);
    uint64_t counted = is_othello ? empty : empty & ~REVERSI_CENTRE;
    int own_moves = bits_count(board_reach(s->own, s->other) & counted);
    int other_moves = bits_count(board_reach(s->other, s->own) & counted);
    int free_squares = is_othello ? 0 : bits_count(empty & REVERSI_CENTRE);
    pattern_indexes(is_othello, s->own, s->other, own_moves, other_moves, free_squares, out);
    for (int i = 0; i < PATTERN_PLACES; i++) {
        out[i] = twin[out[i]];
    }
}

/* --- Shapes that look the same from the other end share weights. --- */

static void tie(int at, int digits, const int *order)
{
    int size = 1;
    for (int i = 0; i < digits; i++) {
        size *= 3;
    }
    for (int index = 0; index < size; index++) {
        int digit[10];
        int rest = index;
        int mirrored = 0;
        for (int i = 0; i < digits; i++, rest /= 3) {
            digit[i] = rest % 3;
        }
        for (int i = digits - 1; i >= 0; i--) {
            mirrored = 3 * mirrored + digit[order[i]];
        }
        twin[at + index] = (uint32_t)(at + (mirrored < index ? mirrored : index));
    }
}

static void tie_all(void)
{
    static const int edge_with_corners[] = {7, 6, 5, 4, 3, 2, 1, 0, 9, 8};
    static const int edge_without[] = {5, 4, 3, 2, 1, 0, 9, 8, 7, 6};
    static const int transposed[] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    static const int backwards[5][8] = {{7, 6, 5, 4, 3, 2, 1, 0},
                                        {6, 5, 4, 3, 2, 1, 0},
                                        {5, 4, 3, 2, 1, 0},
                                        {4, 3, 2, 1, 0},
                                        {3, 2, 1, 0}};
    for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
        twin[i] = i;
    }
    tie(PATTERN_AT_EDGE, 10, is_othello ? edge_with_corners : edge_without);
    tie(PATTERN_AT_CORNER33, 9, transposed);
    tie(PATTERN_AT_INNER33, 9, transposed);
    tie(PATTERN_AT_ROW2, 8, backwards[0]);
    tie(PATTERN_AT_ROW3, 8, backwards[0]);
    tie(PATTERN_AT_ROW4, 8, backwards[0]);
    tie(PATTERN_AT_DIAGONAL8, 8, backwards[0]);
    tie(PATTERN_AT_DIAGONAL7, 7, backwards[1]);
    tie(PATTERN_AT_DIAGONAL6, 6, backwards[2]);
    tie(PATTERN_AT_DIAGONAL5, 5, backwards[3]);
    tie(PATTERN_AT_DIAGONAL4, 4, backwards[4]);
}

/* --- One phase --- */

struct fit {
    float *weights;
    float *squares; /* of the gradients so far */
    uint32_t *seen;
};

static float predict(const float *weights, const uint32_t *indexes)
{
    float sum = 0;
    for (int i = 0; i < PATTERN_PLACES; i++) {
        sum += weights[indexes[i]];
    }
    return sum;
}

static void learn(struct fit *fit, const uint32_t *indexes, float error, float rate)
{
    for (int i = 0; i < PATTERN_PLACES; i++) {
        uint32_t at = indexes[i];
        float gradient = error - 0.02f * fit->weights[at];
        fit->squares[at] += gradient * gradient;
        fit->weights[at] += rate * gradient / sqrtf(fit->squares[at] + 1);
    }
}

static void shuffle(uint32_t *order, size_t count, struct rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = rng_below(rng, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
}

static double held_back_error(const struct fit *fit, const struct data *data, int phase,
                              size_t *count)
{
    double sum = 0;
    *count = 0;
    for (size_t i = 0; i < data->count; i += HELD_BACK) {
        uint32_t indexes[PATTERN_PLACES];
        if (pattern_phase(data->samples[i].empty, squares()) != phase) {
            continue;
        }
        indexes_of(&data->samples[i], indexes);
        double error = data->samples[i].value - predict(fit->weights, indexes);
        sum += error * error;
        ++*count;
    }
    return *count ? sqrt(sum / (double)*count) : 0;
}

static void fit_phase(struct fit *fit, const struct data *data, int phase)
{
    struct rng rng = rng_make((uint64_t)phase);
    uint32_t *order = malloc(data->count * sizeof *order);
    size_t count = 0;
    for (size_t i = 0; order && i < data->count; i++) {
        int empty = data->samples[i].empty;
        int low = pattern_phase(empty > OVERLAP ? empty - OVERLAP : 0, squares());
        int high = pattern_phase(empty + OVERLAP < squares() ? empty + OVERLAP : squares(), squares());
        if (i % HELD_BACK && phase >= low && phase <= high) {
            order[count++] = (uint32_t)i;
        }
    }
    uint32_t(*indexes)[PATTERN_PLACES] = malloc(count * sizeof *indexes + 1);
    if (!order || !indexes) {
        exit(EXIT_FAILURE);
    }
    float *values = malloc(count * sizeof *values + 1);
    for (size_t i = 0; i < count; i++) {
        indexes_of(&data->samples[order[i]], indexes[i]);
        values[i] = data->samples[order[i]].value;
        order[i] = (uint32_t)i;
        for (int k = 0; k < PATTERN_PLACES; k++) {
            fit->seen[indexes[i][k]]++;
        }
    }
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        float rate = 0.3f * (float)(EPOCHS - epoch) / EPOCHS;
        shuffle(order, count, &rng);
        for (size_t i = 0; i < count; i++) {
            uint32_t at = order[i];
            learn(fit, indexes[at], values[at] - predict(fit->weights, indexes[at]), rate);
        }
    }
    free(values);
    free(indexes);
    free(order);
}

static int8_t to_byte(float weight)
{
    float scaled = roundf(weight * PATTERN_UNITS);
    return (int8_t)(scaled > 127 ? 127 : scaled < -127 ? -127 : scaled);
}

int main(int argc, char **argv)
{
    struct data data = {NULL, 0, 0};
    if (argc < 4) {
        fprintf(stderr, "usage: reversi_fit reversi|othello OUT DATA...\n");
        return EXIT_FAILURE;
    }
    is_othello = strcmp(argv[1], "othello") == 0;
    tie_all();
    for (int i = 3; i < argc; i++) {
        read_file(&data, argv[i]);
    }
    FILE *out = fopen(argv[2], "wb");
    if (!out) {
        perror(argv[2]);
        return EXIT_FAILURE;
    }
    for (int phase = 0; phase < PATTERN_PHASES; phase++) {
        struct fit fit = {calloc(PATTERN_WEIGHTS, sizeof(float)), calloc(PATTERN_WEIGHTS, sizeof(float)),
                          calloc(PATTERN_WEIGHTS, sizeof(uint32_t))};
        if (!fit.weights || !fit.squares || !fit.seen) {
            return EXIT_FAILURE;
        }
        fit_phase(&fit, &data, phase);
        size_t count = 0;
        double error = held_back_error(&fit, &data, phase, &count);
        printf("phase %2d: %zu positions held back, error %.2f discs\n", phase, count, error);
        fflush(stdout);
        for (int i = 0; i < PATTERN_WEIGHTS; i++) {
            fputc(fit.seen[twin[i]] >= 3 ? to_byte(fit.weights[twin[i]]) : 0, out);
        }
        free(fit.weights);
        free(fit.squares);
        free(fit.seen);
    }
    free(data.samples);
    return fclose(out) ? EXIT_FAILURE : EXIT_SUCCESS;
}
