/* reversi_fit: weights for the pattern evaluation of reversi or othello, from played games.
 *
 *     reversi_fit reversi|othello OUT DATA...
 *
 * Least squares on the final difference by stochastic gradient descent with AdaGrad steps. A
 * position teaches the two sets of weights that it is interpolated from. Positions in which one
 * side has hardly a disc left follow laws of their own and would spoil the shapes; they only teach,
 * afterwards, what the numbers of discs are worth. Every twentieth block of positions is held back;
 * its error is printed by the number of empty squares, and once more for the weights as they are
 * written.
 *
 * If OUT exists, the fit starts from its weights, so that one round of games can follow another.
 * It becomes one signed byte for each weight, in the units of eval_pattern.h, set after set,
 * without the twins of weights that are there already (reversi_twins.h). A zero is followed by the
 * number of zeros in a row, itself included.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "games/reversi/eval_pattern.h"
#include "reversi_twins.h"

enum {
    EPOCHS = 10,
    DISCS_EPOCHS = 5,
    LOPSIDED = 5, /* times as many discs in all as one side has */
    BLOCK = 2000,
    HELD_BACK = 20,
    SQUARES = 65,
    RARE = 4,
    LONGEST_RUN = 255,
};

struct sample {
    uint64_t own;
    uint64_t other;
    int8_t value;
    int8_t empty;
};

struct data {
    struct sample *samples;
    size_t count;
    size_t room;
};

struct weight {
    float value;
    float squares; /* of the gradients so far */
};

struct fit {
    bool has_corners;
    uint32_t twin[PATTERN_WEIGHTS];
    uint32_t seen[PATTERN_KNOTS][PATTERN_WEIGHTS];
    struct weight weights[PATTERN_KNOTS][PATTERN_WEIGHTS];
};

/* What a position takes from the knots around it. */
struct place {
    uint32_t indexes[PATTERN_PLACES];
    int low;
    int high;
    float low_share;
    float high_share;
};

static const float FIRST_RATE = 0.25f;
static const float SHRINK = 0.02f; /* of weights towards nothing */

static void fail(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void read_file(struct data *data, const char *path, int squares)
{
    FILE *file = fopen(path, "rb");
    struct sample s;
    if (!file) {
        fail(path);
    }
    while (fread(&s.own, 8, 1, file) && fread(&s.other, 8, 1, file) &&
           fread(&s.value, 1, 1, file)) {
        if (data->count == data->room) {
            data->room = data->room ? 2 * data->room : 1 << 20;
            data->samples = realloc(data->samples, data->room * sizeof *data->samples);
            if (!data->samples) {
                fail("memory");
            }
        }
        s.empty = (int8_t)(squares - bits_count(s.own | s.other));
        data->samples[data->count++] = s;
    }
    fclose(file);
}

static struct place place_of(const struct fit *fit, const struct sample *s)
{
    struct place place;
    pattern_indexes(fit->has_corners, s->own, s->other, place.indexes);
    for (int i = 0; i < PATTERN_PLACES; i++) {
        place.indexes[i] = fit->twin[place.indexes[i]];
    }
    place.low = s->empty / PATTERN_STEP;
    place.high = place.low + 1 < PATTERN_KNOTS ? place.low + 1 : place.low;
    place.high_share = (float)(s->empty % PATTERN_STEP) / PATTERN_STEP;
    place.low_share = 1 - place.high_share;
    return place;
}

static float predict(const struct fit *fit, const struct place *place)
{
    const struct weight *low = fit->weights[place->low];
    const struct weight *high = fit->weights[place->high];
    float low_sum = 0;
    float high_sum = 0;
    for (int i = 0; i < PATTERN_PLACES; i++) {
        low_sum += low[place->indexes[i]].value;
        high_sum += high[place->indexes[i]].value;
    }
    return low_sum * place->low_share + high_sum * place->high_share;
}

static void step(struct weight *weight, float error, float share, float rate)
{
    float gradient = share * (error - SHRINK * weight->value);
    weight->squares += gradient * gradient;
    weight->value += rate * gradient / sqrtf(weight->squares + 1);
}

static bool is_lopsided(const struct sample *s)
{
    int discs = bits_count(s->own | s->other);
    return discs > LOPSIDED * bits_count(s->own) || discs > LOPSIDED * bits_count(s->other);
}

/* Places before `first` stay as they are. */
static void learn(struct fit *fit, const struct sample *s, int first, float rate)
{
    struct place place = place_of(fit, s);
    float error = s->value - predict(fit, &place);
    for (int i = first; i < PATTERN_PLACES; i++) {
        uint32_t at = place.indexes[i];
        step(&fit->weights[place.low][at], error, place.low_share, rate);
        step(&fit->weights[place.high][at], error, place.high_share, rate);
    }
}

static void shuffle(struct sample *samples, size_t count, struct rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = rng_below(rng, i);
        struct sample kept = samples[i - 1];
        samples[i - 1] = samples[k];
        samples[k] = kept;
    }
}

static void learn_all(struct fit *fit, struct sample *samples, size_t count, struct rng *rng)
{
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        float rate = FIRST_RATE * (float)(EPOCHS - epoch) / EPOCHS;
        shuffle(samples, count, rng);
        for (size_t i = 0; i < count; i++) {
            if (!is_lopsided(&samples[i])) {
                learn(fit, &samples[i], 0, rate);
            }
        }
    }
}

static void learn_discs(struct fit *fit, struct sample *samples, size_t count, struct rng *rng)
{
    for (int knot = 0; knot < PATTERN_KNOTS; knot++) {
        for (int i = PATTERN_AT_DISCS; i < PATTERN_WEIGHTS; i++) {
            fit->weights[knot][i].squares = 0;
        }
    }
    for (int epoch = 0; epoch < DISCS_EPOCHS; epoch++) {
        float rate = FIRST_RATE * (float)(DISCS_EPOCHS - epoch) / DISCS_EPOCHS;
        shuffle(samples, count, rng);
        for (size_t i = 0; i < count; i++) {
            learn(fit, &samples[i], PATTERN_PLACES - 1, rate);
        }
    }
}

static void count_seen(struct fit *fit, const struct sample *s)
{
    struct place place = place_of(fit, s);
    for (int i = 0; i < PATTERN_PLACES; i++) {
        fit->seen[place.low][place.indexes[i]] += place.low_share > 0;
        fit->seen[place.high][place.indexes[i]] += place.high_share > 0;
    }
}

/* Moves the positions that are held back to the end; returns how many are left. */
static size_t hold_back(struct data *data)
{
    size_t kept = 0;
    size_t held = 0;
    struct sample *aside = malloc(data->count * sizeof *aside);
    if (!aside) {
        fail("memory");
    }
    for (size_t i = 0; i < data->count; i++) {
        if (i / BLOCK % HELD_BACK) {
            data->samples[kept++] = data->samples[i];
        } else {
            aside[held++] = data->samples[i];
        }
    }
    memcpy(data->samples + kept, aside, held * sizeof *aside);
    free(aside);
    return kept;
}

static void print_error(const struct fit *fit, const struct sample *samples, size_t count)
{
    double sums[SQUARES] = {0};
    long counts[SQUARES] = {0};
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        struct place place = place_of(fit, &samples[i]);
        double error = samples[i].value - predict(fit, &place);
        sums[samples[i].empty] += error * error;
        counts[samples[i].empty]++;
        sum += error * error;
    }
    printf("error %.3f of %zu held back; by empty squares:", sqrt(sum / (double)count), count);
    for (int i = 0; i < SQUARES; i += 4) {
        if (counts[i]) {
            printf(" %d %.2f", i, sqrt(sums[i] / (double)counts[i]));
        }
    }
    printf("\n");
    fflush(stdout);
}

/* Stored units to a disc. */
static float units_of(uint32_t index)
{
    return index < PATTERN_AT_MOVES ? PATTERN_UNITS : (float)PATTERN_UNITS / PATTERN_COUNT_SCALE;
}

static int8_t to_byte(float weight, uint32_t index)
{
    float scaled = roundf(weight * units_of(index));
    return (int8_t)(scaled > 127 ? 127 : scaled < -127 ? -127 : scaled);
}

static void round_weights(struct fit *fit)
{
    for (int knot = 0; knot < PATTERN_KNOTS; knot++) {
        for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
            struct weight *weight = &fit->weights[knot][i];
            bool is_known = fit->seen[knot][i] >= RARE || fit->seen[knot][i] == 0;
            weight->value = is_known ? (float)to_byte(weight->value, i) / units_of(i) : 0;
        }
    }
}

/* The next stored weight; `zeros` are left of a run. */
static int8_t next_byte(FILE *file, int *zeros)
{
    if (*zeros == 0) {
        int byte = fgetc(file);
        if (byte != 0) {
            return (int8_t)byte;
        }
        *zeros = fgetc(file);
    }
    --*zeros;
    return 0;
}

/* The weights of an earlier fit, if there are any. */
static void read_weights(struct fit *fit, const char *path)
{
    FILE *file = fopen(path, "rb");
    int zeros = 0;
    if (!file) {
        return;
    }
    for (int knot = 0; knot < PATTERN_KNOTS; knot++) {
        for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
            if (fit->twin[i] == i) {
                fit->weights[knot][i].value = (float)next_byte(file, &zeros) / units_of(i);
            }
        }
    }
    fclose(file);
}

static void write_zeros(FILE *file, int count)
{
    for (; count > 0; count -= LONGEST_RUN) {
        fputc(0, file);
        fputc(count < LONGEST_RUN ? count : LONGEST_RUN, file);
    }
}

static void write_weights(const struct fit *fit, const char *path)
{
    FILE *file = fopen(path, "wb");
    int zeros = 0;
    if (!file) {
        fail(path);
    }
    for (int knot = 0; knot < PATTERN_KNOTS; knot++) {
        for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
            int8_t byte = to_byte(fit->weights[knot][i].value, i);
            if (fit->twin[i] != i) {
                continue;
            }
            if (byte == 0) {
                zeros++;
                continue;
            }
            write_zeros(file, zeros);
            zeros = 0;
            fputc((unsigned char)byte, file);
        }
    }
    write_zeros(file, zeros);
    if (fclose(file)) {
        fail(path);
    }
}

int main(int argc, char **argv)
{
    struct data data = {NULL, 0, 0};
    struct rng rng = rng_make(1);
    struct fit *fit = calloc(1, sizeof *fit);
    if (argc < 4 || !fit) {
        fprintf(stderr, "usage: reversi_fit reversi|othello OUT DATA...\n");
        return EXIT_FAILURE;
    }
    fit->has_corners = strcmp(argv[1], "othello") == 0;
    reversi_twins(fit->has_corners, fit->twin);
    for (int i = 3; i < argc; i++) {
        read_file(&data, argv[i], fit->has_corners ? 64 : 60);
    }
    read_weights(fit, argv[2]);
    size_t count = hold_back(&data);
    printf("%s: %zu positions to learn from\n", argv[1], count);
    for (size_t i = 0; i < count; i++) {
        count_seen(fit, &data.samples[i]);
    }
    learn_all(fit, data.samples, count, &rng);
    print_error(fit, data.samples + count, data.count - count);
    learn_discs(fit, data.samples, count, &rng);
    print_error(fit, data.samples + count, data.count - count);
    round_weights(fit);
    print_error(fit, data.samples + count, data.count - count);
    write_weights(fit, argv[2]);
    free(data.samples);
    free(fit);
    return EXIT_SUCCESS;
}
