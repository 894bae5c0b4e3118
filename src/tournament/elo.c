#include "tournament/elo.h"

#include <math.h>

struct moments {
    double units;
    double mean; /* of a unit's share of its points, 0…1 */
    double variance;
};

static struct moments moments_of(const struct elo_counts *counts)
{
    struct moments m = {0, 0, 0};
    for (int i = 0; i < ELO_OUTCOMES; i++) {
        m.units += (double)counts->units[i];
        m.mean += (double)counts->units[i] * i / 4;
    }
    if (m.units == 0) {
        return m;
    }
    m.mean /= m.units;
    for (int i = 0; i < ELO_OUTCOMES; i++) {
        double off = (double)i / 4 - m.mean;
        m.variance += (double)counts->units[i] * off * off / m.units;
    }
    return m;
}

static double elo_of(double score) { return 400 * log10(score / (1 - score)); }
static double score_of(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

struct elo_estimate elo_estimate(const struct elo_counts *counts)
{
    /* Units with one result only do not show the spread: it is taken to be at least
     * what one more unit of any outcome would bring. */
    const double variance_of_any_outcome = 0.125;
    struct moments m = moments_of(counts);
    if (m.units == 0) {
        return (struct elo_estimate){.score = 0.5, .superiority = 0.5};
    }
    double variance = fmax(m.variance, variance_of_any_outcome / (m.units + 1));
    double deviation = sqrt(variance / m.units);
    struct elo_estimate e = {
        .score = m.mean,
        .is_finite = m.mean > 0 && m.mean < 1,
        .superiority = 0.5 * erfc((0.5 - m.mean) / (deviation * sqrt(2))),
    };
    if (e.is_finite) {
        e.elo = elo_of(m.mean);
        /* The slope of the Elo curve at this score carries the deviation over. */
        e.error = 1.96 * deviation * 400 / (log(10) * m.mean * (1 - m.mean));
    }
    return e;
}

/* The counts' log-likelihood if the mean were `mean`, less their greatest one. The most likely
 * such distribution has p = f / (1 + t (x - mean)) for the t that makes the mean come out. */
static double likelihood_at(const double counts[ELO_OUTCOMES], double mean)
{
    enum { STEPS = 60 }; /* halves the interval down to the precision of a double */
    double low = -1 / (1 - mean);
    double high = 1 / mean;
    double t = 0;
    for (int step = 0; step < STEPS; step++) {
        double excess = 0;
        t = (low + high) / 2;
        for (int i = 0; i < ELO_OUTCOMES; i++) {
            double off = (double)i / 4 - mean;
            excess += counts[i] * off / (1 + t * off);
        }
        *(excess > 0 ? &low : &high) = t;
    }
    double likelihood = 0;
    for (int i = 0; i < ELO_OUTCOMES; i++) {
        likelihood -= counts[i] * log1p(t * ((double)i / 4 - mean));
    }
    return likelihood;
}

enum sprt_verdict sprt_test(const struct elo_counts *counts, double elo0, double elo1, double *llr)
{
    const double bound = log(0.95 / 0.05);
    /* An outcome that was not seen yet may still come; else the first game would decide. */
    const double unseen = 1e-3;
    double seen[ELO_OUTCOMES];
    for (int i = 0; i < ELO_OUTCOMES; i++) {
        seen[i] = counts->units[i] ? (double)counts->units[i] : unseen;
    }
    double ratio = likelihood_at(seen, score_of(elo1)) - likelihood_at(seen, score_of(elo0));
    if (llr) {
        *llr = ratio;
    }
    return ratio >= bound ? SPRT_ACCEPT_H1 : ratio <= -bound ? SPRT_ACCEPT_H0 : SPRT_OPEN;
}
