#include "cli/arena.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "player/box.h"
#include "player/loop.h"
#include "player/tcp_hub.h"

struct arena;

struct arena_slot {
    struct arena *arena;
    int number;
    struct loop_alarm alarm;
};

struct arena {
    const struct arena_options *options;
    const struct arena_watcher *watcher;
    uv_loop_t loop;
    uv_signal_t interrupt;
    struct tcp_hub hub;
    struct arena_slot *slots;
    struct match *match;
    enum err err;
    struct note why;
};

/* The cores that we may run on. */
static cpu_set_t cores_allowed(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) {
        CPU_SET(0, &cores);
    }
    return cores;
}

int arena_default_concurrency(void)
{
    cpu_set_t cores = cores_allowed();
    int count = CPU_COUNT(&cores);
    return count > 1 ? count - 1 : 1;
}

static int64_t host_now(void *owner)
{
    (void)owner;
    return loop_now_ns();
}

static void host_wake_at(void *owner, int slot, int64_t when_ns)
{
    struct arena *arena = owner;
    loop_alarm_set(&arena->slots[slot].alarm, when_ns);
}

static void slot_rings(void *owner)
{
    struct arena_slot *slot = owner;
    match_wake(slot->arena->match, slot->number);
}

/* Every program has a core of its own while there are enough and one for the judge. Else the
 * system shares them out: on one core with its opponent a program could steal its time. */
static int core_for(const struct arena *arena, int slot, int player)
{
    cpu_set_t cores = cores_allowed();
    if (2 * arena->options->match.concurrency + 1 > CPU_COUNT(&cores)) {
        return -1;
    }
    int skipped = 2 * slot + player + 1;
    int core = 0;
    while (!CPU_ISSET((size_t)core, &cores) || skipped-- > 0) {
        core++;
    }
    return core;
}

static struct player *host_make_player(void *owner, int player, int slot, struct note *why)
{
    struct arena *arena = owner;
    struct player_setup setup = {
        .loop = &arena->loop,
        .cpu_level = arena->options->cpu_level,
        .box = arena->options->box,
        .hub = &arena->hub,
        .screen = arena->options->screen,
        .restart = arena->options->restart,
        .core = core_for(arena, slot, player),
        .hang_up_at = arena->options->hang_up_at,
    };
    return player_make(arena->options->specs[player], &setup, why);
}

static void stop_if_enough(struct arena *arena)
{
    const struct arena_watcher *watcher = arena->watcher;
    if (watcher->has_seen_enough && watcher->has_seen_enough(watcher->owner)) {
        match_stop(arena->match);
    }
}

static void host_on_ply(void *owner, int game, const struct judge *judge,
                        const struct judge_ply *ply)
{
    struct arena *arena = owner;
    const struct arena_watcher *watcher = arena->watcher;
    if (watcher->on_ply) {
        watcher->on_ply(watcher->owner, game, judge, ply);
    }
    stop_if_enough(arena);
}

static void host_on_fault(void *owner, int game, int player, const struct judge *judge,
                          const struct judge_fault *fault)
{
    struct arena *arena = owner;
    const struct arena_watcher *watcher = arena->watcher;
    if (watcher->on_fault) {
        watcher->on_fault(watcher->owner, game, player, judge, fault);
    }
    stop_if_enough(arena);
}

static void host_on_game(void *owner, const struct match_game *game)
{
    struct arena *arena = owner;
    const struct arena_watcher *watcher = arena->watcher;
    if (watcher->on_game && !watcher->on_game(watcher->owner, game, match_score(arena->match))) {
        match_stop(arena->match);
    }
}

static void host_on_player_closed(void *owner, int player, struct player *closed)
{
    const struct arena_watcher *watcher = ((struct arena *)owner)->watcher;
    if (watcher->on_player_closed) {
        watcher->on_player_closed(watcher->owner, player, closed);
    }
}

static void alarm_closed(void *owner) { (void)owner; }

static void host_on_done(void *owner, enum err err, const struct note *why)
{
    struct arena *arena = owner;
    arena->err = err;
    arena->why = *why;
    for (int i = 0; i < arena->options->match.concurrency; i++) {
        loop_alarm_close(&arena->slots[i].alarm, alarm_closed);
    }
    tcp_hub_close(&arena->hub);
    uv_close((uv_handle_t *)&arena->interrupt, NULL);
}

static void on_interrupt(uv_signal_t *signal, int number)
{
    struct arena *arena = signal->data;
    (void)number;
    match_stop(arena->match);
}

/* Each program costs us about eight descriptors, and the usual limit is 1024. */
static void allow_many_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* Without network namespaces all tcp programs come to one port of this machine. */
static enum err open_hub(struct arena *arena, struct note *why)
{
    const struct arena_options *options = arena->options;
    arena->hub = (struct tcp_hub){.loop = &arena->loop,
                                  .owner = arena->watcher->owner,
                                  .on_remark = arena->watcher->on_remark};
    bool has_tcp = options->specs[0]->kind == PLAYER_TCP || options->specs[1]->kind == PLAYER_TCP;
    if (!has_tcp || options->box->features & BOX_NAMESPACES) {
        return ERR_NONE;
    }
    return tcp_hub_listen(&arena->hub, why);
}

static enum err start(struct arena *arena, struct note *why)
{
    const struct match_options *match = &arena->options->match;
    const struct match_host host = {
        .owner = arena,
        .now = host_now,
        .wake_at = host_wake_at,
        .make_player = host_make_player,
        .on_ply = host_on_ply,
        .on_fault = host_on_fault,
        .on_game = host_on_game,
        .on_player_closed = host_on_player_closed,
        .on_done = host_on_done,
    };
    for (int i = 0; i < match->concurrency; i++) {
        arena->slots[i] = (struct arena_slot){.arena = arena, .number = i};
        loop_alarm_init(&arena->loop, &arena->slots[i].alarm, &arena->slots[i], slot_rings);
    }
    allow_many_files();
    uv_signal_init(&arena->loop, &arena->interrupt);
    arena->interrupt.data = arena;
    uv_signal_start(&arena->interrupt, on_interrupt, SIGINT);
    enum err err = open_hub(arena, why);
    if (!err) {
        err = match_start(&arena->match, match, &host, why);
    }
    if (err) {
        host_on_done(arena, err, why);
    }
    return err;
}

enum err arena_run(const struct arena_options *options, const struct arena_watcher *watcher,
                   struct match **out, struct note *why)
{
    struct arena arena = {.options = options, .watcher = watcher};
    arena.slots = calloc((size_t)options->match.concurrency, sizeof *arena.slots);
    if (!arena.slots || uv_loop_init(&arena.loop)) {
        free(arena.slots);
        note_set(why, "no memory for a match");
        return ERR_ENVIRONMENT;
    }
    enum err err = start(&arena, why);
    uv_run(&arena.loop, UV_RUN_DEFAULT);
    uv_loop_close(&arena.loop);
    free(arena.slots);
    if (!err) {
        *out = arena.match;
        err = arena.err;
        *why = arena.why;
    }
    return err;
}
