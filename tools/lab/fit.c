/* fit: finds the weights of an evaluation that predict best how games end.
 *
 * usage: fit GAME SCALE EPOCHS RATE FROM OUT FILE...
 *
 * A position is a list of terms (eval.h of the game); its value is the sum of their weights.
 * The chance to win is taken as 1 / (1 + exp(-value / SCALE)), and the weights are those for
 * which the outcomes of the samples are likeliest: logistic regression, in the manner of
 * Texel's tuning (Österlund 2014), here by Adam (Kingma and Ba 2015) over mini-batches. The
 * outcome to predict is a mixture of the game's result and what the search thought. SCALE 0
 * looks for the scale at which the search's scores themselves predict best, so that a new
 * evaluation keeps the units of the old one. One sample in twenty is kept aside to see
 * whether what was learned holds for others. RATE is how fast it learns at first: 0.02 from
 * nothing, a fifth of it from a good table.
 *
 * FROM is a table to start from and not to leave without need, or /dev/null. Writes the new
 * table to OUT as C, for the game's eval_weights.inc.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "games/hop/eval.h"
#include "games/meichu/eval.h"
#include "sample.h"

enum {
    MOST_TERMS = 128,
    BATCH = 8192,
    HELD_BACK = 20, /* one in so many */
    PER_LINE = 20,
};

static const double RESULT_SHARE = 0.7; /* the rest is what the search thought */
static const double DECAY = 2e-6;

struct evaluation {
    const char *game;
    int weights;
    int one; /* weights are this much finer than values */
    int (*terms)(const struct state *, uint16_t *);
};

static int terms_of_hop(const struct state *state, uint16_t *out)
{
    struct hop_state s = hop_unpack(state);
    return hop_terms(&s, out);
}

static int terms_of_meichu(const struct state *state, uint16_t *out)
{
    struct meichu_state s = meichu_unpack(state);
    return meichu_terms(&s, out);
}

static const struct evaluation evaluations[] = {
    {"hop", HOP_WEIGHTS, HOP_WEIGHT_ONE, terms_of_hop},
    {"hop-noloop", HOP_WEIGHTS, HOP_WEIGHT_ONE, terms_of_hop},
    {"meichu", MEICHU_WEIGHTS, MEICHU_WEIGHT_ONE, terms_of_meichu},
};

struct row {
    size_t first; /* of its terms */
    int count;
    float score;
    float result;
    float target;
};

struct data {
    size_t count;
    size_t room;
    struct row *rows;
    size_t term_count;
    size_t term_room;
    uint16_t *terms;
};

struct model {
    int count;
    double *weights;
    double *origins; /* what the weights were at first */
    double *means;   /* of the gradient, running … */
    double *squares; /* … and of its square */
    double *gradient;
    long steps;
};

static void *must(void *memory)
{
    if (!memory) {
        fprintf(stderr, "fit: there is not enough memory\n");
        exit(3);
    }
    return memory;
}

static void add_sample(struct data *data, const struct evaluation *evaluation,
                       const struct sample *sample)
{
    if (data->count == data->room) {
        data->room = data->room ? 2 * data->room : 1 << 16;
        data->rows = must(realloc(data->rows, data->room * sizeof data->rows[0]));
    }
    if (data->term_count + MOST_TERMS > data->term_room) {
        data->term_room = data->term_room ? 2 * data->term_room : 1 << 20;
        data->terms = must(realloc(data->terms, data->term_room * sizeof data->terms[0]));
    }
    int count = evaluation->terms(&sample->state, data->terms + data->term_count);
    data->rows[data->count++] = (struct row){.first = data->term_count,
                                             .count = count,
                                             .score = (float)sample->score,
                                             .result = (float)sample->points / 2};
    data->term_count += (size_t)count;
}

static void read_file(struct data *data, const struct evaluation *evaluation, const char *name)
{
    FILE *file = fopen(name, "rb");
    struct sample sample;
    if (!file) {
        fprintf(stderr, "fit: cannot read %s\n", name);
        exit(3);
    }
    while (fread(&sample, sizeof sample, 1, file) == 1) {
        add_sample(data, evaluation, &sample);
    }
    fclose(file);
}

static void shuffle(struct data *data)
{
    struct rng rng = rng_make(1);
    for (size_t i = data->count; i > 1; i--) {
        size_t other = rng_below(&rng, i);
        struct row row = data->rows[i - 1];
        data->rows[i - 1] = data->rows[other];
        data->rows[other] = row;
    }
}

static double chance(double value) { return 1 / (1 + exp(-value)); }

static double loss_of(double predicted, double target)
{
    double p = fmin(fmax(predicted, 1e-9), 1 - 1e-9);
    return -target * log(p) - (1 - target) * log(1 - p);
}

static double score_loss(const struct data *data, double scale)
{
    double sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        sum += loss_of(chance(data->rows[i].score / scale), data->rows[i].result);
    }
    return sum / (double)data->count;
}

static double best_scale(const struct data *data)
{
    double best = 10;
    for (double scale = best; scale < 1000; scale *= 1.05) {
        best = score_loss(data, scale) < score_loss(data, best) ? scale : best;
    }
    return best;
}

static double value_of(const struct model *model, const struct data *data, const struct row *row)
{
    double sum = 0;
    for (int i = 0; i < row->count; i++) {
        sum += model->weights[data->terms[row->first + (size_t)i]];
    }
    return sum;
}

static double result_loss(const struct model *model, const struct data *data, size_t first,
                          size_t end)
{
    double sum = 0;
    for (size_t i = first; i < end; i++) {
        sum += loss_of(chance(value_of(model, data, &data->rows[i])), data->rows[i].result);
    }
    return end > first ? sum / (double)(end - first) : 0;
}

static void step(struct model *model, const struct data *data, size_t first, size_t end,
                 double rate)
{
    const double keep_mean = 0.9;
    const double keep_square = 0.999;
    memset(model->gradient, 0, (size_t)model->count * sizeof model->gradient[0]);
    for (size_t i = first; i < end; i++) {
        const struct row *row = &data->rows[i];
        double error = chance(value_of(model, data, row)) - row->target;
        for (int j = 0; j < row->count; j++) {
            model->gradient[data->terms[row->first + (size_t)j]] += error;
        }
    }
    model->steps++;
    double mean_part = 1 - pow(keep_mean, (double)model->steps);
    double square_part = 1 - pow(keep_square, (double)model->steps);
    for (int i = 0; i < model->count; i++) {
        double g = model->gradient[i] / (double)(end - first) +
                   DECAY * (model->weights[i] - model->origins[i]);
        model->means[i] = keep_mean * model->means[i] + (1 - keep_mean) * g;
        model->squares[i] = keep_square * model->squares[i] + (1 - keep_square) * g * g;
        model->weights[i] -=
            rate * (model->means[i] / mean_part) / (sqrt(model->squares[i] / square_part) + 1e-8);
    }
}

static void train(struct model *model, const struct data *data, int epochs, double first_rate)
{
    size_t held_back = data->count / HELD_BACK;
    size_t learned = data->count - held_back;
    for (int epoch = 0; epoch < epochs; epoch++) {
        double rate = first_rate * (1 - (double)epoch / epochs);
        for (size_t first = 0; first < learned; first += BATCH) {
            size_t end = first + BATCH < learned ? first + BATCH : learned;
            step(model, data, first, end, rate);
        }
        printf("epoch %d: loss %.5f, on samples kept aside %.5f\n", epoch + 1,
               result_loss(model, data, 0, held_back),
               result_loss(model, data, learned, data->count));
        fflush(stdout);
    }
}

static int write_table(const struct model *model, double scale, const char *name)
{
    FILE *file = fopen(name, "w");
    if (!file) {
        fprintf(stderr, "fit: cannot write %s\n", name);
        return 3;
    }
    fprintf(file, "/* Weights fitted by tools/lab/fit.c. Long because it is a table. */\n"
                  "/* clang-format off */\n");
    for (int i = 0; i < model->count; i++) {
        long weight = lround(model->weights[i] * scale);
        fprintf(file, "%ld,%s", weight, i % PER_LINE == PER_LINE - 1 ? "\n" : "");
    }
    fprintf(file, "\n");
    return fclose(file) ? 3 : 0;
}

/* As many weights as the table has; its comments are skipped. */
static void read_table(struct model *model, double scale, const char *name)
{
    FILE *file = fopen(name, "r");
    char word[256];
    int count = 0;
    while (file && count < model->count && fscanf(file, "%255[^,],", word) == 1) {
        const char *number = strrchr(word, '\n');
        double weight = strtod(number ? number + 1 : word, NULL) / scale;
        model->weights[count] = model->origins[count] = weight;
        count++;
    }
    if (!file || (count > 0 && count < model->count / 2)) {
        fprintf(stderr, "fit: %s is no table of weights\n", name);
        exit(2);
    }
    fclose(file);
    printf("starting from %d weights\n", count);
}

static struct model model_make(int count)
{
    struct model model = {.count = count};
    size_t size = (size_t)count;
    model.weights = must(calloc(size, sizeof(double)));
    model.origins = must(calloc(size, sizeof(double)));
    model.means = must(calloc(size, sizeof(double)));
    model.squares = must(calloc(size, sizeof(double)));
    model.gradient = must(calloc(size, sizeof(double)));
    return model;
}

static const struct evaluation *find(const char *game)
{
    for (size_t i = 0; i < sizeof evaluations / sizeof evaluations[0]; i++) {
        if (strcmp(evaluations[i].game, game) == 0) {
            return &evaluations[i];
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct evaluation *evaluation = argc > 7 ? find(argv[1]) : NULL;
    if (!evaluation) {
        fprintf(stderr, "usage: fit hop|hop-noloop|meichu SCALE EPOCHS RATE FROM OUT FILE...\n");
        return 2;
    }
    struct data data = {0};
    for (int i = 7; i < argc; i++) {
        read_file(&data, evaluation, argv[i]);
    }
    if (data.count < HELD_BACK) {
        fprintf(stderr, "fit: %zu samples are too few\n", data.count);
        return 2;
    }
    shuffle(&data);
    double given = strtod(argv[2], NULL);
    double fitted = best_scale(&data);
    double scale = given > 0 ? given : fitted;
    for (size_t i = 0; i < data.count; i++) {
        struct row *row = &data.rows[i];
        row->target =
            (float)(RESULT_SHARE * row->result + (1 - RESULT_SHARE) * chance(row->score / fitted));
    }
    printf("%zu samples; the search's scores: scale %.0f, loss %.5f\n", data.count, fitted,
           score_loss(&data, fitted));
    struct model model = model_make(evaluation->weights);
    read_table(&model, scale * evaluation->one, argv[5]);
    train(&model, &data, (int)strtol(argv[3], NULL, 10), strtod(argv[4], NULL));
    return write_table(&model, scale * evaluation->one, argv[6]);
}
