/* schedule: how many rounds and pairings a format has, before they are made.
 *
 * Numbers only, from the roster and the teams that take part: which teams meet is decided by
 * tournament/tournament. Withdrawals change nothing here.
 */
#ifndef TOURNAMENT_SCHEDULE_H
#define TOURNAMENT_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "tournament/roster.h"

struct schedule {
    const struct roster *roster; /* outlives it, as the next */
    const bool *is_in;           /* by team: it is paired; NULL: all are */
    int teams;                   /* that are paired */
    int starters; /* of them, those that have the usual rounds; outside swiss each other has one */
    int rounds;
};

struct schedule schedule_make(const struct roster *roster, const bool *is_in);

/* The pairings of a round, from 0; in the last one also those with references. */
int64_t schedule_pairings(const struct schedule *schedule, int round);

/* The games of all rounds. */
int64_t schedule_games(const struct schedule *schedule);

#endif
