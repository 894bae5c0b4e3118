#include "tournament/rating.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 100 };

/* Strengths are natural logarithms on the way: e to the power of one is a factor of the odds. */
static const double elo_per_unit = 173.71779276130073; /* 400 / ln 10 */

/* The imaginary drawn game that every team has played against one of strength 0. */
static const double imaginary_points = 0.5;
static const double imaginary_games = 1;

struct rating_fit {
    size_t teams;
    double *games;    /* teams × teams, how many the two played */
    double *points;   /* by team, a win being 1 */
    double *strength; /* by team */
    double *gradient; /* by team; then the step */
    double *matrix;   /* teams × teams: curvature, then its triangular root, then its inverse */
};

static void read_games(struct rating_fit *fit, const struct ranking_game *games, size_t count,
                       struct rating *ratings)
{
    for (size_t i = 0; i < fit->teams; i++) {
        fit->points[i] = imaginary_points;
    }
    for (size_t i = 0; i < count; i++) {
        if (games[i].outcome == OUTCOME_ONGOING || games[i].outcome == OUTCOME_BOTH_LOST ||
            games[i].team[SIDE_WHITE] == RANKING_NOBODY) {
            continue;
        }
        size_t black = (size_t)games[i].team[SIDE_BLACK];
        size_t white = (size_t)games[i].team[SIDE_WHITE];
        double share = games[i].outcome == OUTCOME_DRAW ? 0.5 : games[i].outcome == OUTCOME_BLACK;
        fit->points[black] += share;
        fit->points[white] += 1 - share;
        fit->games[black * fit->teams + white]++;
        fit->games[white * fit->teams + black]++;
        ratings[black].games++;
        ratings[white].games++;
    }
}

static double expected(double ahead) { return 1 / (1 + exp(-ahead)); }

/* The slope of the log-likelihood, and its curvature with the sign changed. */
static void differentiate(struct rating_fit *fit)
{
    size_t n = fit->teams;
    for (size_t i = 0; i < n; i++) {
        double e = expected(fit->strength[i]);
        double slope = fit->points[i] - imaginary_games * e;
        double curvature = imaginary_games * e * (1 - e);
        for (size_t j = 0; j < n; j++) {
            double games = fit->games[i * n + j];
            e = expected(fit->strength[i] - fit->strength[j]);
            slope -= games * e;
            curvature += games * e * (1 - e);
            fit->matrix[i * n + j] = -games * e * (1 - e);
        }
        fit->gradient[i] = slope;
        fit->matrix[i * n + i] = curvature;
    }
}

/* Cholesky: the lower triangle L with L Lᵀ = matrix, in its place. The imaginary games make the
 * matrix positive definite. */
static void take_root(double *a, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }
}

/* x becomes the solution of L Lᵀ y = x. */
static void solve(const double *root, size_t n, double *x)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            x[i] -= root[i * n + k] * x[k];
        }
        x[i] /= root[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++) {
            x[i] -= root[k * n + i] * x[k];
        }
        x[i] /= root[i * n + i];
    }
}

/* Newton's method; the likelihood is concave, and steps of at most one unit keep it from
 * overshooting. Leaves the root of the curvature at the maximum in the matrix. */
static void climb(struct rating_fit *fit)
{
    double longest = 1;
    for (int step = 0; step < MAX_STEPS && longest > 1e-10; step++) {
        differentiate(fit);
        take_root(fit->matrix, fit->teams);
        solve(fit->matrix, fit->teams, fit->gradient);
        longest = 0;
        for (size_t i = 0; i < fit->teams; i++) {
            longest = fmax(longest, fabs(fit->gradient[i]));
        }
        for (size_t i = 0; i < fit->teams; i++) {
            fit->strength[i] += fit->gradient[i] / fmax(1, longest);
        }
    }
}

/* Deviations from the mean of the teams that have played, in Elo. The others have no part in it. */
static void write_out(struct rating_fit *fit, struct rating_table *out)
{
    size_t n = fit->teams;
    double rated = 0;
    double mean = 0;
    double mean_variance = 0;
    double *row_mean = fit->points;
    for (size_t i = 0; i < n; i++) {
        rated += out->ratings[i].games > 0;
    }
    for (size_t i = 0; i < n; i++) {
        double *row = out->covariance + i * n;
        row[i] = 1;
        solve(fit->matrix, n, row);
        row_mean[i] = 0;
        for (size_t j = 0; j < n; j++) {
            row_mean[i] += out->ratings[j].games ? row[j] / rated : 0;
        }
        mean += out->ratings[i].games ? fit->strength[i] / rated : 0;
        mean_variance += out->ratings[i].games ? row_mean[i] / rated : 0;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            double *cell = &out->covariance[i * n + j];
            bool is_rated = out->ratings[i].games && out->ratings[j].games;
            *cell = is_rated ? (*cell - row_mean[i] - row_mean[j] + mean_variance) * elo_per_unit *
                                   elo_per_unit
                             : 0;
        }
        if (out->ratings[i].games) {
            out->ratings[i].elo = (fit->strength[i] - mean) * elo_per_unit;
            out->ratings[i].error = 1.96 * sqrt(fmax(0, out->covariance[i * n + i]));
        }
    }
}

enum err rating_make(int teams, const struct ranking_game *games, size_t game_count,
                     struct rating_table *out, struct note *why)
{
    assert(teams >= 1 && teams <= RANKING_MAX_TEAMS);
    size_t n = (size_t)teams;
    struct rating_fit fit = {
        .teams = n,
        .games = calloc(n * n, sizeof *fit.games),
        .points = calloc(n, sizeof *fit.points),
        .strength = calloc(n, sizeof *fit.strength),
        .gradient = calloc(n, sizeof *fit.gradient),
        .matrix = calloc(n * n, sizeof *fit.matrix),
    };
    struct rating_table table = {
        .teams = teams,
        .ratings = calloc(n, sizeof *table.ratings),
        .covariance = calloc(n * n, sizeof *table.covariance),
    };
    enum err err = ERR_NONE;
    if (fit.games && fit.points && fit.strength && fit.gradient && fit.matrix && table.ratings &&
        table.covariance) {
        read_games(&fit, games, game_count, table.ratings);
        climb(&fit);
        write_out(&fit, &table);
        *out = table;
    } else {
        rating_free(&table);
        err = note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    free(fit.matrix);
    free(fit.gradient);
    free(fit.strength);
    free(fit.points);
    free(fit.games);
    return err;
}

double rating_superiority(const struct rating_table *table, int a, int b)
{
    size_t n = (size_t)table->teams;
    size_t i = (size_t)a;
    size_t j = (size_t)b;
    double variance = table->covariance[i * n + i] + table->covariance[j * n + j] -
                      2 * table->covariance[i * n + j];
    bool have_played = table->ratings[a].games && table->ratings[b].games;
    if (!have_played || !(variance > 0)) {
        return 0.5;
    }
    double ahead = table->ratings[a].elo - table->ratings[b].elo;
    return 0.5 * erfc(-ahead / sqrt(2 * variance));
}

void rating_free(struct rating_table *table)
{
    free(table->covariance);
    free(table->ratings);
    *table = (struct rating_table){0};
}
