#include "tournament/elo.h"

#include <math.h>
#include <stddef.h>

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

static double elo_of(double score) { return -400 * log10(1 / score - 1); }
static double score_of(double elo) { return 1 / (1 + pow(10, -elo / 400)); }

struct elo_estimate elo_estimate(const struct elo_counts *counts)
{
    struct moments m = moments_of(counts);
    struct elo_estimate e = {.score = m.units > 0 ? m.mean : 0.5, .superiority = 0.5};
    if (m.units == 0) {
        return e;
    }
    double deviation = sqrt(m.variance / m.units);
    if (m.mean <= 0 || m.mean >= 1) {
        e.superiority = m.mean >= 1;
        return e;
    }
    e.is_finite = true;
    e.elo = elo_of(m.mean);
    /* The slope of the Elo curve at this score carries the deviation over. */
    e.error = 1.96 * deviation * 400 / (log(10) * m.mean * (1 - m.mean));
    e.superiority = deviation > 0 ? 0.5 * erfc((0.5 - m.mean) / (deviation * sqrt(2)))
                                  : (m.mean > 0.5) + 0.5 * (m.mean == 0.5);
    return e;
}

enum sprt_verdict sprt_test(const struct elo_counts *counts, double elo0, double elo1, double *llr)
{
    const double bound = log(0.95 / 0.05);
    struct moments m = moments_of(counts);
    double s0 = score_of(elo0);
    double s1 = score_of(elo1);
    /* Without any spread yet the ratio would be infinite: one virtual unit of each kind. */
    double variance = (m.variance * m.units + 0.125 * ELO_OUTCOMES) / (m.units + ELO_OUTCOMES);
    double ratio = m.units * (s1 - s0) * (2 * m.mean - s0 - s1) / (2 * variance);
    if (llr) {
        *llr = ratio;
    }
    return ratio >= bound ? SPRT_ACCEPT_H1 : ratio <= -bound ? SPRT_ACCEPT_H0 : SPRT_OPEN;
}
