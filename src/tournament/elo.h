/* elo: the difference in strength that follows from the points of a match.
 *
 * Games come in pairs with colours swapped on one opening, so the unit of the
 * statistics is the pair (pentanomial: 0, ½, 1, 1½ or 2 points): the luck of the
 * opening cancels out and the error bars are honest.
 */
#ifndef TOURNAMENT_ELO_H
#define TOURNAMENT_ELO_H

#include <stdbool.h>
#include <stdint.h>

enum { ELO_OUTCOMES = 5 };

/* units[i]: how many units gave the first player i quarters of their points. A pair
 * uses all five; a unit of one game uses 0 (lost), 2 (drawn) and 4 (won). A zeroed
 * struct is an empty match. */
struct elo_counts {
    int64_t units[ELO_OUTCOMES];
};

struct elo_estimate {
    double score;   /* mean share of the points, 0…1 */
    bool is_finite; /* false: all points on one side, or nothing played */
    double elo;
    double error;       /* half width of the 95 % interval */
    double superiority; /* likelihood that the first is stronger, 0…1 */
};

struct elo_estimate elo_estimate(const struct elo_counts *counts);

enum sprt_verdict { SPRT_OPEN, SPRT_ACCEPT_H1, SPRT_ACCEPT_H0 };

/* Sequential test of "Elo is elo1" against "Elo is elo0", 5 % error each way: the generalised
 * SPRT with the exact likelihoods of Michel Van den Bergh
 * (hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf). A normal approximation in its place
 * errs in up to one case of five when the two are far apart (tests/test_elo.c plays it out).
 * *llr may be NULL. */
enum sprt_verdict sprt_test(const struct elo_counts *counts, double elo0, double elo1, double *llr);

#endif
