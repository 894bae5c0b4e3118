/* match_runner: matches on a real clock with real players.
 *
 * Joins the pieces that do not know each other: matches (pure), the players and their alarms
 * (libuv). A runner has as many slots as games may run at once; a match_run is a match on some of
 * them. `plum match` is one match_run on all slots, a tournament many on one slot each.
 */
#ifndef APP_MATCH_RUNNER_H
#define APP_MATCH_RUNNER_H

#include <stdbool.h>
#include <uv.h>

#include "player/spec.h"
#include "tournament/match.h"

/* Who hears what. Any function may be NULL. A game that could not be taken in (false) is the last.
 */
struct match_runner_watcher {
    void *owner;
    void (*on_start)(void *owner, int game, const struct judge *judge);
    void (*on_ply)(void *owner, int game, const struct judge *judge, const struct judge_ply *ply);
    void (*on_fault)(void *owner, int game, int player, const struct judge *judge,
                     const struct judge_fault *fault);
    bool (*on_game)(void *owner, const struct match_game *game, const struct match_score *score);
    void (*on_player_closed)(void *owner, int player, struct player *closed);
    void (*on_remark)(void *owner, const char *sentence);
    /* Asked after each ply and fault: true ends the match there, as if interrupted. */
    bool (*has_seen_enough)(void *owner);
};

/* What all match_runs of an match_runner share. */
struct match_runner_setup {
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* NULL: no player is a program */
    const struct human_screen *screen;
    enum player_restart restart;
    const char *python; /* see struct player_setup */
    int slots;
    bool has_tcp; /* some player is of that kind */
    void *owner;
    void (*on_remark)(void *owner, const char *sentence); /* may be NULL */
    void (*on_interrupt)(void *owner);                    /* Ctrl-C or SIGTERM */
};

struct match_runner;

/* A match in an match_runner. Stays where it is until `on_done`. */
struct match_run {
    struct match_options options; /* its concurrency is the number of slots it takes */
    int first_slot;
    const struct player_spec *specs[2]; /* NULL: cannot play, because of `absence` */
    const char *absence[2];
    const char *names[2]; /* NULL: as the spec is written */
    int hang_up_at;       /* see struct player_setup */
    struct match_runner_watcher watcher;
    /* Nothing of it is left running; its slots are free. The match may be freed here. */
    void (*on_done)(struct match_run *match_run, enum err err, const struct note *why);

    struct match_runner *match_runner; /* the arena's own from here on */
    struct match *match;
};

MUST_USE enum err match_runner_open(struct match_runner **out,
                                    const struct match_runner_setup *setup, struct note *why);
MUST_USE enum err match_runner_start(struct match_runner *match_runner, struct match_run *match_run,
                                     struct note *why);

/* For handles of one's own. */
uv_loop_t *match_runner_loop(struct match_runner *match_runner);

/* No match_run is running and none will: the loop may end. */
void match_runner_close(struct match_runner *match_runner);

/* Runs the loop until the match_runner is shut and all handles are closed, then frees the
 * match_runner. */
void match_runner_finish(struct match_runner *match_runner);

/* --- One match --- */

struct match_runner_options {
    struct match_options match;
    const struct player_spec *specs[2];
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* as in the setup */
    const struct human_screen *screen;
    enum player_restart restart;
    const char *python;
};

/* Plays to the end, or to Ctrl-C. On ERR_INTERRUPTED too *out holds what was played. Free *out with
 * match_free. */
MUST_USE enum err match_runner_run(const struct match_runner_options *options,
                                   const struct match_runner_watcher *watcher, struct match **out,
                                   struct note *why);

/* Games at once that leave a core to the judge: cores - 1, at least one. */
int match_runner_default_concurrency(void);

/* The cores that we may run on. */
int match_runner_cores(void);

#endif
