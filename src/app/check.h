/* check: the trials that show whether a program is ready for a tournament.
 *
 * The program plays as both colours against random moves and against a low level of the engine.
 * Where an auction decides the colours, the opponents bid so that the program gets each of them,
 * and up to four more games last until a budget is spent. Over TCP the connection is broken once.
 * The games against random moves come first: they show most of what must be fixed, and a quick
 * check ends after them.
 * The findings are made of the facts by check_list.h.
 */
#ifndef APP_CHECK_H
#define APP_CHECK_H

#include "app/check_trial.h"
#include "base/cpu.h"
#include "base/err.h"
#include "sandbox/sandbox.h"

enum { CHECK_MAX_TRIALS = 9, CHECK_MAX_SECONDS = 900 };

struct check_progress {
    int trial; /* from 0 */
    int trials;
    enum check_opponent opponent;
    size_t plies;    /* of the game that runs */
    int64_t left_ns; /* about as long as the check still takes; 0: not known */
};

/* What follows the first games. */
struct check_rest {
    int games;
    bool is_most; /* not all of them are always necessary */
    bool has_reconnect;
    int64_t typical_ns; /* if its games take as long as the first ones */
    int64_t most_ns;
};

struct check_options {
    struct pairing_rules rules;
    const struct player_spec *spec;
    const struct sandbox *sandbox;
    bool is_quick; /* only the first games */
    enum cpu_level cpu;
    uint64_t seed;
    int64_t total_ns; /* all trials together take at most this long */
    void *owner;
    /* Each may be NULL. A game that was begun has ended, and the number of all until then; the
     * first games are over, and others follow. The facts are up to date. */
    void (*on_progress)(void *owner, const struct check_progress *progress);
    void (*on_game)(void *owner, const struct check_trial *trial, const struct check_game *game,
                    int number);
    void (*on_rest)(void *owner, const struct check_rest *rest);
};

/* Everything there is to look at. */
struct check_facts {
    const struct game *game;
    const struct player_spec *spec;
    const struct judge_rules *rules;
    struct note python; /* the interpreter and its version; "": it is not a Python program */
    struct check_trial trials[CHECK_MAX_TRIALS];
    int trial_count;
    int64_t *answers_ns; /* how long each answer took, in no order */
    size_t answer_count;
    int game_count;      /* games that have ended */
    bool is_interrupted; /* Ctrl-C: the trials after that were not run */
    bool is_quick;       /* the trials after the first games were not meant to run */
};

/* What will be tried; the number of trials. `out` may be NULL. */
int check_plan_trials(const struct game *game, enum player_kind kind, uint64_t seed,
                      struct check_plan out[CHECK_MAX_TRIALS]);

/* Whether a trial still makes sense after those before it. */
bool check_plan_makes_sense(const struct check_facts *facts, const struct check_plan *plans,
                            int trial);

/* Where the budgets count, the program pays for the colour that it has wanted in the first trial.
 */
void check_plan_pay(const struct check_trial *first, struct check_plan *plan);

/* Runs all trials. A fault of the program is not an error, and neither is Ctrl-C; ERR_ENVIRONMENT:
 * they could not be run. `options` outlives the facts. Free the facts in any case. */
MUST_USE enum err check_run(const struct check_options *options, struct check_facts *out,
                            struct note *why);
void check_facts_free(struct check_facts *facts);

#endif
