/* random_tournament: a database as `plum tournament run` leaves it, with random games in it. */
#ifndef TESTS_RANDOM_TOURNAMENT_H
#define TESTS_RANDOM_TOURNAMENT_H

#include <stdint.h>

/* Plays all of the tournament that the roster describes; its teams need not exist. Every game has
 * standard errors and, by chance, faults. `path` must not exist. */
void random_tournament(const char *path, const char *roster, uint64_t seed);

#endif
