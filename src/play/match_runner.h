/* match_runner: matches on a real clock with real players.
 *
 * It connects modules that do not know each other: matches (pure), players and timers (libuv). A
 * runner has one slot for each game that may run at the same time. A match_run is a match on one of
 * the slots.
 *
 * Events go directly from the match to the sink of its match_run.
 */
#ifndef PLAY_MATCH_RUNNER_H
#define PLAY_MATCH_RUNNER_H

#include <stdbool.h>
#include <uv.h>

#include "player/player_setup.h"
#include "tournament/match.h"

/* What all matches of a runner share. */
struct match_runner_setup {
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* NULL: no player is a program */
    const struct human_screen *screen;
    enum player_restart restart;
    int slots;
    bool has_tcp;          /* some player is of that kind */
    struct game_sink sink; /* receives GAME_EVENT_REMARK */
    void *owner;
    void (*on_interrupt)(void *owner); /* Ctrl-C or SIGTERM; NULL: these signals are left alone */
};

struct match_runner;

/* A match in a runner. It must not move in memory until `on_done`. */
struct match_run {
    struct match_options options;
    int first_slot;
    const struct player_spec *specs[2]; /* NULL: cannot play (`absence`), or from make_player */
    struct player *(*make_player)(struct match_run *run, int player, struct note *why);
    const char *absence[2];
    const char *names[2]; /* NULL: as the spec is written */
    int hang_up_at;       /* see struct player_setup */
    struct game_sink sink;
    /* Nothing of the match is left running and its slot is free. The match may be freed here. */
    void (*on_done)(struct match_run *run, enum err err, const struct note *why);

    struct match_runner *runner; /* set by match_runner_start, as is `match` */
    struct match *match;
    struct player *players[2]; /* made last; freed after GAME_EVENT_PLAYER_CLOSED */
};

MUST_USE enum err match_runner_open(struct match_runner **out,
                                    const struct match_runner_setup *setup, struct note *why);
MUST_USE enum err match_runner_start(struct match_runner *runner, struct match_run *run,
                                     struct note *why);

/* For the caller's own handles. */
uv_loop_t *match_runner_loop(struct match_runner *runner);

/* No match is running and no other will start: the loop may end. */
void match_runner_close(struct match_runner *runner);

/* Runs the loop until the runner and all handles are closed, then frees the runner. */
void match_runner_finish(struct match_runner *runner);

#endif
