/* check_trial: a program plays a game or two against one opponent, and everything it does is noted.
 *
 * A fault does not end a trial: the rules decide what follows, and the games continue. Only a
 * program that is late again and again is stopped, since its games would take too long.
 */
#ifndef APP_CHECK_TRIAL_H
#define APP_CHECK_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "play/pairing_run.h"
#include "base/note.h"
#include "judge/judge.h"
#include "player/player_setup.h"

enum {
    CHECK_MAX_GAMES = 2, /* of one trial */
    CHECK_MAX_FAULTS = 12,
    CHECK_MAX_LATE = 5, /* late moves after which a trial ends */
    CHECK_LOG_BYTES = 2048,
};

enum check_opponent {
    CHECK_RANDOM,
    CHECK_LOW_LEVEL,
    CHECK_SAVER,   /* spends its budget slowly and lets the game last, see player/spending.h */
    CHECK_SPENDER, /* likewise, but spends it quickly */
};

/* "random", "builtin:2", "an opponent that saves": as written after "against". */
const char *check_opponent_name(enum check_opponent opponent);

struct check_plan {
    uint64_t seed;
    size_t plies; /* the trial ends after this many; 0: whole games */
    struct bid bid;
    enum check_opponent opponent;
    int games;        /* two: the places are exchanged in the second */
    int hang_up_at;   /* see struct player_setup */
    bool has_auction; /* the opponent bids `bid` */
    bool is_white;    /* the program takes the second place; an auction may decide otherwise */
    bool is_quick;    /* one of the first, which show most of what must be fixed */
    bool is_retry;    /* only if the same opponent has not reached its aim before */
};

/* A fault, and what its author may want to know about the moment. */
struct check_fault {
    struct game_fault fault;
    struct fault_cause cause;
    int game;
    enum side side; /* the program's, if play had begun */
    enum judge_phase phase;
    bool loses_game;
    bool other_passed; /* the opponent's last turn was a pass */
    bool own_passed;   /* likewise the program's own */
    int turns;         /* that the program had played in that game */
};

struct check_game {
    enum side colour; /* the program's */
    bool has_bid;
    struct bid bid; /* likewise */
    size_t plies;
    int turns;     /* moves that the program was asked for */
    int passes[2]; /* by side */
    int faults[FAULT_KINDS];
    int64_t longest_ns; /* its longest turn, late ones included */
    bool is_finished;
    struct game_summary summary; /* if so */
};

enum check_end {
    CHECK_NOT_RUN,
    CHECK_COMPLETE,
    CHECK_ENOUGH, /* it did not start, was late too often, or the planned number of plies was played
                   */
    CHECK_TIME_UP, /* its share of the check's time was used */
    CHECK_STOPPED, /* Ctrl-C */
};

/* A zeroed struct is a trial in which nothing happened. */
struct check_trial {
    struct check_plan plan;
    enum check_end end;
    struct check_game games[CHECK_MAX_GAMES];
    int game_count;                              /* those that have begun */
    struct check_fault faults[CHECK_MAX_FAULTS]; /* of each game the first of each kind, and what
                                                    loses it */
    int fault_count;
    bool is_started;    /* the program came as far as a first move */
    int64_t startup_ns; /* until the first game began, if it did */
    int64_t longest_ns; /* its longest turn, late ones included */
    int64_t last_ns;    /* its last answer */
    struct player_conduct conduct;
    struct note remark;           /* what the listener found strange; "" */
    char log[CHECK_LOG_BYTES];    /* the end of what it wrote to standard error, whole lines */
    char output[CHECK_LOG_BYTES]; /* likewise to standard output, if that is not for the judge */
};

/* Games that were played to their end. */
int check_trial_finished(const struct check_trial *trial);

/* The first fault that is more than an illegal move; NULL: there is none. */
const struct check_fault *check_trial_upset(const struct check_trial *trial);

/* The program answered every question in time, if not always with a legal move. */
bool check_trial_is_sound(const struct check_trial *trial);

/* One trial while it runs. Stays where it is until then. */
struct check_watch {
    struct check_trial *trial;
    struct player_spec opponent;
    int program; /* its number in the pairing */
    int64_t started_ns;
    int64_t last_late_game;      /* with its ply: one late move is counted once, */
    int64_t last_late_ply;       /* although the judge reports it at both limits */
    enum move_kind last_move[2]; /* by side, in the game that runs */
};

/* The trial begins; *out is what it is played with. `rules` has the limits. ERR_INPUT: the opponent
 * does not play this game. */
MUST_USE enum err check_watch_prepare(struct check_watch *run, struct check_trial *trial,
                                      const struct check_plan *plan,
                                      const struct pairing_rules *rules,
                                      const struct player_spec *program, struct pairing_task *out,
                                      struct note *why);

/* Notes an event. True: nothing more can be learnt, the trial may end. */
bool check_watch_take(struct check_watch *run, const struct game_event *event);

/* A game of the trial is over. */
const struct check_game *check_watch_finish(struct check_watch *run,
                                            const struct finished_game *game);

#endif
