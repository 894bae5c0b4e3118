/* match_score: points, faults and times of a match, and what follows from them.
 *
 * Pure. Games are counted in their order: two games of one opening, with the places exchanged, are
 * a unit of the Elo estimate, and the test (SPRT) looks at whole units.
 */
#ifndef TOURNAMENT_MATCH_SCORE_H
#define TOURNAMENT_MATCH_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tournament/elo.h"
#include "tournament/finished_game.h"

struct match_times {
    uint32_t *us; /* every answer's time in microseconds, in no order */
    size_t count;
    size_t capacity;
};

/* By player where there are two. Zeroed but for the first members, nothing was played. */
struct match_score {
    bool has_pairs; /* units are pairs of games */
    bool has_sprt;
    double elo0; /* its hypotheses */
    double elo1;

    int games;
    int64_t plies;
    int wins[2];
    int draws;
    int both_lost; /* games in which neither could play */
    int64_t faults[2][FAULT_KINDS];
    struct elo_counts units;
    int pair_points; /* of player 0 in the unit that has begun, in half points; or both lost */
    struct match_times times[2];
    enum sprt_verdict sprt;
};

/* The next game. */
void match_score_add(struct match_score *score, const struct game_summary *game);

/* How long an answer took. */
void match_score_add_time(struct match_score *score, int player, int64_t time_ns);

/* The same of all answers in a game, from its record, which has milliseconds. */
void match_score_add_times(struct match_score *score, const struct finished_game *game);

/* Of both players, of all kinds. */
int64_t match_score_faults(const struct match_score *score);

/* Sorts the times and picks: share 0.5 is the median, 1 the maximum. In milliseconds. */
double match_score_time_ms(struct match_times *times, double share);

void match_score_free(struct match_score *score);

#endif
