/* match_runner: matches on a real clock with real players.
 *
 * It connects modules that do not know each other: matches (pure), players and timers (libuv). A
 * runner has one slot for each game that may run at the same time. A match_run is a match on some
 * of the slots. `plum match` is one match_run on all slots; a tournament is many, on one slot each.
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
    const char *python;   /* see struct player_setup */
    bool violations_lose; /* likewise */
    bool ponder;          /* likewise */
    int slots;
    bool has_tcp;          /* some player is of that kind */
    struct game_sink sink; /* receives GAME_EVENT_REMARK */
    void *owner;
    void (*on_interrupt)(void *owner); /* Ctrl-C or SIGTERM; NULL: these signals are left alone */
};

struct match_runner;

/* A match in a runner. It must not move in memory until `on_done`. */
struct match_run {
    struct match_options options; /* its concurrency is the number of slots it takes */
    int first_slot;
    const struct player_spec *specs[2]; /* NULL: cannot play (`absence`), or from make_player */
    struct player *(*make_player)(struct match_run *run, int player, struct note *why);
    const char *absence[2];
    const char *names[2]; /* NULL: as the spec is written */
    int hang_up_at;       /* see struct player_setup */
    struct game_sink sink;
    /* Nothing of the match is left running and its slots are free. The match may be freed here. */
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

/* --- One match --- */

struct match_runner_options {
    struct match_options match;
    const struct player_spec *specs[2];
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* as in the setup */
    const struct human_screen *screen;
    enum player_restart restart;
    const char *python;
    bool ponder;
};

/* Plays until the end or Ctrl-C. `sink` receives every event, also GAME_EVENT_REMARK. *out is also
 * set on ERR_INTERRUPTED and contains what was played. Free *out with match_free. */
MUST_USE enum err match_runner_run(const struct match_runner_options *options,
                                   const struct game_sink *sink, struct match **out,
                                   struct note *why);

/* The number of concurrent games that leaves a core to the judge: cores - 1, at least one. */
int match_runner_default_concurrency(void);

/* The number of cores that this process may use. */
int match_runner_cores(void);

/* Whether players share a core with each other or the judge, in this many games with this many
 * players that need a core. The note then has a sentence for a person; `is_chosen`: the number of
 * games is not the smallest. */
bool match_runner_shares_cores(int slots, int thinkers, bool is_chosen, struct note *sentence);

#endif
