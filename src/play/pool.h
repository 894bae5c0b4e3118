/* pool: slots that play pairings, on this machine and on others, for a source that names them.
 *
 * The pool asks a source which pairing is next, and hands its games back one by one. It alone knows
 * when a slot is free, how a run begins and stops (Ctrl-C, a failure, the end), what the workers on
 * other machines have and have finished, and when their results may be forgotten. A source decides
 * and stores: it opens neither loop nor socket, and is called on the pool's thread alone.
 *
 * A game of which this machine has failed is played again by play/pairing_run.h; a pairing that no
 * worker can play is played here.
 */
#ifndef PLAY_POOL_H
#define PLAY_POOL_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "cluster/coordinator.h"
#include "play/match_runner.h"
#include "play/pairing_run.h"

struct pool;

/* A pairing, ready to be played here or elsewhere. */
struct pool_pairing {
    struct pairing_task task; /* the pool sets `work` */
    char round[16];           /* for the task's `round`; "": it has none */

    /* For workers: */
    int attempts[ROSTER_MAX_GAMES_PER_PAIRING]; /* of its games */
    const char *specs[2];    /* how the program is started there; NULL: as here */
    const char *programs[2]; /* the hash of its files; NULL: it has none */
    bool has_one_opening;    /* its games begin with the opening of their unit, which is told */
};

/* A game that is being played on this machine. */
struct pool_place {
    int slot;
    const struct tournament_work *work;
    int index; /* of the game in the pairing */
};

/* What a source does. The first argument is always the owner from struct pool_options. What is
 * marked with * may be NULL. */
struct pool_source {
    /* * Called before slots are filled: what follows from the results so far. */
    enum err (*plan)(void *owner, struct note *why);
    /* Takes the next pairing. False: there is none now. */
    bool (*next)(void *owner, struct tournament_work *out);
    /* What a pairing is played with. Texts and players outlive the pairing. */
    void (*describe)(void *owner, const struct tournament_work *work, struct pool_pairing *out);

    /* For a player of a game here with neither spec nor absence; NULL: there is none. */
    struct player *(*make_player)(void *owner, const struct tournament_work *work, int player,
                                  struct note *why);

    /* * What happens in a game here: all events but GAME_EVENT_OVER. */
    void (*on_event)(void *owner, const struct pool_place *place, const struct game_event *event);
    /* * A game here begins again: this machine has failed, or starved a program. NULL: on_remark
     * gets a sentence. Not if the pairing is_final. */
    void (*on_again)(void *owner, const struct pool_place *place, const struct note *why);
    /* A game is over. `machine` is "" for this one. */
    void (*on_game)(void *owner, const struct tournament_work *work, const char *machine,
                    struct finished_game *take_game);
    /* * What a program printed, and what it tried. `machine` is "" for this one. */
    void (*on_log)(void *owner, const struct tournament_work *work, const char *machine, int player,
                   char *take_text);
    void (*on_violation)(void *owner, const struct tournament_work *work, const char *machine,
                         int player, const struct violation *violation);
    /* * All games of the pairing were handed over, or (err) no more of them will be. */
    void (*on_done)(void *owner, const struct tournament_work *work, enum err err,
                    const struct note *why);

    /* Whether nothing is left to play and to store. `is_stopping`: no other pairing begins. */
    bool (*is_over)(void *owner, bool is_stopping);
    /* * The run stops, once. */
    void (*on_stop)(void *owner, enum err err, const struct note *why);
    /* * After pool_wake. True: there is more to do than one turn of the loop allows. */
    bool (*on_wake)(void *owner);
    /* * Every `tick_ms`. */
    void (*on_tick)(void *owner);
    /* * Before the pool waits: every judge has done its work. */
    void (*on_settled)(void *owner);
    /* A sentence for a person. */
    void (*on_remark)(void *owner, const char *sentence);

    /* With workers: takes this pairing of an earlier run, which a worker has or whose result waits;
     * false: it is not to be played, or not any more. Then: it is to be played after all. */
    bool (*claim)(void *owner, const struct tournament_work *work);
    void (*unclaim)(void *owner, const struct tournament_work *work);
    /* Results of an earlier run are taken at any time; else only before the first game. */
    bool takes_late_results;
    /* * A worker plays it: its latest plies. Then: what was shown of it is over. */
    void (*on_plies)(void *owner, const struct cluster_plies *plies);
    void (*on_plies_end)(void *owner, const struct tournament_work *work);
    /* * A machine did something wrong. */
    void (*on_failure)(void *owner, const char *machine, enum coordinator_failure failure);
};

struct pool_options {
    const struct pool_source *source;
    void *owner;
    /* The pool sets slots, sink, owner and on_interrupt. */
    struct match_runner_setup setup;
    int slots; /* games at once on this machine; 0: those only that workers cannot play */
    struct coordinator *coordinator; /* NULL: there are no workers */
    int verify_percent; /* of the pairings of deterministic players at workers, two machines play */
    int tick_ms;        /* between two calls of on_tick; 0: POOL_TICK_MS */
    bool outlives_failures; /* if this machine fails in a pairing, only that pairing ends */
    bool leaves_signals; /* Ctrl-C and SIGTERM are another's; the pool may have a thread of its own
                          */
    /* Games are handed over in the order of their numbers (first_game of the pairing, then its
     * index), which have no gap, from this number on; those before it are dropped. */
    bool is_ordered;
    int first_game;
};

enum { POOL_TICK_MS = 15 }; /* a spectator does not notice */

/* ERR_ENVIRONMENT: nothing to free. */
MUST_USE enum err pool_open(struct pool **out, const struct pool_options *options,
                            struct note *why);

/* Plays until the source is over. ERR_INTERRUPTED: Ctrl-C or SIGTERM. */
MUST_USE enum err pool_run(struct pool *pool, struct note *why);

/* Until then pool_wake may be called. */
void pool_free(struct pool *pool);

/* Ends all games; the first reason counts. ERR_NONE: the source has enough. On the pool's thread,
 * as are the next two; any of them may be called by the source. */
void pool_stop(struct pool *pool, enum err err, const struct note *why);

/* Ends a pairing that is played here, and no other: on_done follows with ERR_INTERRUPTED, perhaps
 * at once. Nothing, if it is not played here. */
void pool_end(struct pool *pool, const struct tournament_work *work);

/* A player of a pairing that is played here; NULL: it is not there, or no longer. On the pool's
 * thread. */
const struct player *pool_player(const struct pool *pool, const struct tournament_work *work,
                                 int player);

/* Games are safely stored: `count` of them, from the number `first` on. The queue's server may
 * forget results of which these were the last. */
void pool_stored(struct pool *pool, int first, int count);

/* on_wake follows, on the pool's thread. On any thread. */
void pool_wake(struct pool *pool);

#endif
