/* arena: matches on a real clock with real players.
 *
 * Joins the pieces that do not know each other: matches (pure), the players and their alarms
 * (libuv). An arena has as many lanes as games may run at once; a bout is a match on some of
 * them. `plum match` is one bout on all lanes, a tournament many on one lane each.
 */
#ifndef APP_ARENA_H
#define APP_ARENA_H

#include <stdbool.h>
#include <uv.h>

#include "player/spec.h"
#include "tournament/match.h"

/* Who hears what. Any function may be NULL. A game that could not be taken in (false) is the last.
 */
struct arena_watcher {
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

/* What all bouts of an arena share. */
struct arena_setup {
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* NULL: no player is a program */
    const struct human_screen *screen;
    enum player_restart restart;
    const char *python; /* see struct player_setup */
    int lanes;
    bool has_tcp; /* some player is of that kind */
    void *owner;
    void (*on_remark)(void *owner, const char *sentence); /* may be NULL */
    void (*on_interrupt)(void *owner);                    /* Ctrl-C or SIGTERM */
};

struct arena;

/* A match in an arena. Stays where it is until `on_done`. */
struct arena_bout {
    struct match_options options; /* its concurrency is the number of lanes it takes */
    int first_lane;
    const struct player_spec *specs[2]; /* NULL: cannot play, because of `absence` */
    const char *absence[2];
    const char *names[2]; /* NULL: as the spec is written */
    int hang_up_at;       /* see struct player_setup */
    struct arena_watcher watcher;
    /* Nothing of it is left running; its lanes are free. The match may be freed here. */
    void (*on_done)(struct arena_bout *bout, enum err err, const struct note *why);

    struct arena *arena; /* the arena's own from here on */
    struct match *match;
};

MUST_USE enum err arena_open(struct arena **out, const struct arena_setup *setup, struct note *why);
MUST_USE enum err arena_start(struct arena *arena, struct arena_bout *bout, struct note *why);

/* For handles of one's own. */
uv_loop_t *arena_loop(struct arena *arena);

/* No bout is running and none will: the loop may end. */
void arena_shut(struct arena *arena);

/* Runs the loop until the arena is shut and all handles are closed, then frees the arena. */
void arena_run_out(struct arena *arena);

/* --- One match --- */

struct arena_options {
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
MUST_USE enum err arena_run(const struct arena_options *options,
                            const struct arena_watcher *watcher, struct match **out,
                            struct note *why);

/* Games at once that leave a core to the judge: cores - 1, at least one. */
int arena_default_concurrency(void);

/* The cores that we may run on. */
int arena_cores(void);

#endif
