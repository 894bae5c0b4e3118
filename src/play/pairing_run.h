/* pairing_run: plays one piece of work: games of one pairing, on one slot of a match runner.
 *
 * It does not know where the work comes from and where its results go: a tournament runner stores
 * them. A game in which this machine fails is played again a few times. So is one that is decided
 * against a program that could not run because of something outside it, at most twice in all.
 */
#ifndef PLAY_PAIRING_RUN_H
#define PLAY_PAIRING_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <uv.h>

#include "play/match_runner.h"
#include "base/err.h"
#include "base/note.h"
#include "sandbox/violation.h"
#include "tournament/finished_game.h"
#include "tournament/tournament.h"

/* All that a pairing needs to be played. Texts and players outlive the run. */
struct pairing_task {
    struct tournament_work work;
    struct pairing_rules rules;
    uint64_t seed;                      /* of the tournament */
    const char *event;                  /* of the records, as are the next three; or NULL */
    const char *round;                  /* the number of the game follows it; or NULL */
    const char *date;                   /* today */
    const char *sandbox;                /* NULL: no player is a program */
    const char *machine;                /* a tag of the records; NULL: left out */
    const struct player_spec *specs[2]; /* NULL: cannot play, because of `absence`; without that
                                           one too the sink makes the player */
    const char *absence[2];
    const char *names[2];         /* NULL: as the spec is written */
    const struct state *openings; /* instead of random moves, taken in turn; NULL: none */
    size_t opening_count;
    int hang_up_at;     /* see struct player_setup */
    bool is_final;      /* a game in which this machine fails is not played again */
    bool is_unrecorded; /* finished games have no record and no list of faults */
};

struct pairing_run;

/* Where the results go; called on the thread of the runner. */
struct pairing_run_sink {
    /* All but GAME_EVENT_OVER. */
    void (*on_event)(struct pairing_run *run, const struct game_event *event);
    /* For a player with neither spec nor absence; else it may be NULL. */
    struct player *(*make_player)(struct pairing_run *run, int player, struct note *why);
    void (*on_game)(struct pairing_run *run, struct finished_game *take_game);
    void (*on_log)(struct pairing_run *run, int player, char *take_text);
    void (*on_violation)(struct pairing_run *run, int player, const struct violation *violation);
    /* This machine has failed, or starved a program: game `run->index` begins again. */
    void (*on_again)(struct pairing_run *run, const struct note *why);
    /* It is free: all games are played, or it was stopped, or this machine has failed too often. */
    void (*on_done)(struct pairing_run *run, enum err err, const struct note *why);
};

/* Must not move in memory between pairing_run_init and the end of the loop. */
struct pairing_run {
    struct match_run match_run; /* first: on_done gets it back */
    const struct pairing_run_sink *sink;
    struct match_runner *runner;
    struct pairing_task task; /* while it is busy */
    bool is_busy;
    int index;               /* of the game in the pairing */
    int failures;            /* of this machine in this game, in a row */
    int overloads;           /* of this machine in this work */
    bool is_starved;         /* the game: it counts as an overload if it has no result */
    struct game_again again; /* of the game */
    bool is_waiting;         /* to play it again; busy, but without a match */
    bool is_stopping;
    uv_timer_t retry;
};

/* On that slot of the runner. */
void pairing_run_init(struct pairing_run *run, struct match_runner *runner, int slot,
                      const struct pairing_run_sink *sink);
/* It must be free. */
void pairing_run_close(struct pairing_run *run);

MUST_USE enum err pairing_run_start(struct pairing_run *run, const struct pairing_task *task,
                                    struct note *why);

/* Abandons its game, if it has one. on_done follows with ERR_INTERRUPTED, unless it is free now. */
void pairing_run_stop(struct pairing_run *run);

#endif
