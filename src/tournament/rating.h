/* rating: how strong the teams are, from all their games at once.
 *
 * Elo by maximum likelihood (Bradley and Terry, 1952): the ratings under which the results are
 * most likely, a draw being half a win and half a loss. One drawn game of every team against an
 * imaginary average one is added, so that a team that won or lost everything also has a finite
 * rating, and teams that never met can be compared. The error bars come from the curvature at the
 * maximum. The mean rating of the teams that have played is 0; the others are left out.
 */
#ifndef TOURNAMENT_RATING_H
#define TOURNAMENT_RATING_H

#include <stddef.h>

#include "base/note.h"
#include "tournament/ranking.h"

struct rating {
    double elo;
    double error; /* half width of the 95 % interval */
    int games;    /* 0: the rating is unknown */
};

/* A zeroed struct is empty. */
struct rating_table {
    int teams;
    struct rating *ratings;
    double *covariance; /* teams × teams, in Elo squared */
};

/* Byes, and games that both lost, do not count. The caller frees. */
MUST_USE enum err rating_make(int teams, const struct ranking_game *games, size_t game_count,
                              struct rating_table *out, struct note *why);

/* The likelihood that a is stronger than b, 0…1; 0.5 if one of them has not played. */
double rating_superiority(const struct rating_table *table, int a, int b);

void rating_free(struct rating_table *table);

#endif
