/* forecast: what a tournament needs before it is played: games, hours and disk.
 *
 * The expected time comes from the turns that were measured in the qualification, else from an
 * assumption: a turn takes a tenth of its limit. The worst case is that of play/estimate. It knows
 * no file: the caller reads the tournament.
 */
#ifndef APP_FORECAST_H
#define APP_FORECAST_H

#include <stdbool.h>
#include <stdint.h>

#include "play/estimate.h"
#include "base/note.h"
#include "store/store.h"
#include "tournament/tournament.h"

struct forecast {
    int machines;
    int slots;                    /* games at once on each of them */
    bool is_in[ROSTER_MAX_TEAMS]; /* paired: has not failed or withdrawn, not disqualified */
    int teams;                    /* that are */
    int rounds;
    int64_t pairings;
    struct estimate tournament;
    struct estimate qualification; /* what is left of it; 0 games: nothing */
    int measured_games;            /* of the qualification; 0: times are assumed */
    double turn_s;                 /* on average, measured or assumed */
    double start_s;                /* of a game: what is not a turn */
    double plies;                  /* of a game, on average */
    double expected_s;             /* the tournament */
    int64_t left_games;            /* of it, still to be played */
    double expected_qualification_s;
    double disk_bytes;
    double worst_disk_bytes;
};

/* `store` is that of `t`, or NULL. 0 slots: as many as a run on this machine has. */
MUST_USE enum err forecast_make(const struct tournament *t, struct store *store, int machines,
                                int slots, struct forecast *out, struct note *why);

/* The pairings of a round, from 0. */
int64_t forecast_pairings(const struct tournament *t, const struct forecast *forecast, int round);

#endif
