/* check_trial: a program plays a game or two against chance, and everything it does is noted.
 *
 * The first fault ends a trial: one thing to mend is enough to tell.
 */
#ifndef CLI_CHECK_TRIAL_H
#define CLI_CHECK_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "judge/judge.h"
#include "player/box.h"
#include "player/player.h"
#include "player/spec.h"

enum { CHECK_MAX_GAMES = 2, CHECK_LOG_BYTES = 2048 };

struct check_plan {
    struct judge_rules rules;
    const struct player_spec *spec; /* the program's */
    const struct box *box;
    const char *python; /* see struct player_setup */
    enum cpu_level cpu;
    uint64_t seed;
    int games;                /* the program is Black in the first; the auction may decide else */
    const struct bid *answer; /* what chance bids; NULL: anything */
    int hang_up_at;           /* see struct player_setup */
    size_t plies;             /* seen enough after so many; 0: whole games */
};

struct check_game {
    enum side colour; /* the program's */
    struct bid bid;
    size_t plies;
    struct result result;
};

/* A zeroed struct is a trial in which nothing happened. */
struct check_trial {
    struct check_game games[CHECK_MAX_GAMES];
    int finished; /* games */
    bool has_fault;
    struct judge_fault fault;
    enum side fault_side;
    enum judge_phase fault_phase;
    bool is_started;    /* the program came as far as a first move */
    int64_t startup_ns; /* until the first game began, if it did */
    size_t answers;
    double median_ms; /* of its answers */
    double max_ms;
    double last_ms; /* its last answer */
    struct player_conduct conduct;
    struct note remark;           /* what the listener found strange; "" */
    char log[CHECK_LOG_BYTES];    /* the end of what it wrote to standard error, whole lines */
    char output[CHECK_LOG_BYTES]; /* likewise to standard output, if that is not for the judge */
};

/* ERR_ENVIRONMENT: it could not be held; ERR_INTERRUPTED. A fault of the program is no error. */
MUST_USE enum err check_trial_run(const struct check_plan *plan, struct check_trial *out,
                                  struct note *why);

#endif
