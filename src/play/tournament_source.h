/* tournament_source: plays a tournament and stores it.
 *
 * The source of a pool (play/pool.h) that joins the tournament (pure) and the store's writer. A
 * game that is over goes to the writer; only when it is committed does the tournament learn its
 * result, and with it which games come next.
 */
#ifndef PLAY_TOURNAMENT_SOURCE_H
#define PLAY_TOURNAMENT_SOURCE_H

#include "base/cpu.h"
#include "base/note.h"
#include "play/entrants.h"
#include "cluster/cluster_codec.h"
#include "sandbox/sandbox.h"
#include "store/store.h"
#include "tournament/tournament.h"

struct coordinator;

/* How a player's program is started on another machine; "" for other players. */
struct remote_program {
    char spec[PLAYER_TEXT_BYTES];
    char hash[CLUSTER_HASH_BYTES];
};

struct tournament_source_options {
    struct store *store; /* open for change */
    const struct roster *roster;
    const struct entrants *entrants;
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* NULL: no player is a program */
    int concurrency; /* games at once on this machine; 0: those only that workers cannot play */
    struct coordinator *coordinator;       /* NULL: there are no workers */
    const struct remote_program *programs; /* by team, if there are workers */
    int verify_percent;                    /* see struct pool_options */
    bool is_qualification_only;            /* the rounds are not played */
    void *owner;
    /* A few times a second. */
    void (*on_tick)(void *owner, const struct tournament *t);
    void (*on_remark)(void *owner, const char *sentence);
};

/* Plays what is left of `t`, whose sink it replaces. ERR_INTERRUPTED: Ctrl-C; all that was finished
 * is kept. */
MUST_USE enum err tournament_source_play(const struct tournament_source_options *options,
                                         struct tournament *t, struct note *why);

#endif
