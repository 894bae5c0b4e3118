/* estimate: how many games there are and how long they may take, before they are played.
 *
 * The length of a game comes from random games, and from one in which both sides are always late:
 * such a game can be the longest. Nothing is measured here.
 */
#ifndef PLAY_ESTIMATE_H
#define PLAY_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tournament/roster.h"

struct estimate {
    int64_t games;
    int slots;        /* games at once */
    double queue;     /* games that are played one after the other in the busiest slot */
    double plies;     /* of a game, on average */
    int most_plies;   /* of the longest */
    double typical_s; /* when a turn takes a tenth of its limit */
    double worst_s;   /* when every turn takes all of it: it cannot take longer */
    /* When every move is late, once without late_limit and once with this one: the roster's, or
     * one to think about. */
    int late_limit;
    double late_game_s[2]; /* what one such program costs in a game */
    double late_s[2];      /* all games, when all programs are like this */
};

/* 0 slots: as many as a run on this machine has. `is_in` is by team, NULL: all teams are paired. */
struct estimate estimate_tournament(const struct roster *roster, const bool *is_in, int slots);

/* Of `teams` teams, against random, which takes no time. */
struct estimate estimate_qualification(const struct roster *roster, int teams, int slots);

#endif
