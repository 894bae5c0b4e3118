#include "app/arena.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "sandbox/sandbox.h"
#include "base/loop.h"
#include "player/tcp_hub.h"

struct lane {
    struct arena_bout *bout; /* NULL: free */
    int slot;                /* the bout's number for it */
    struct loop_alarm alarm;
};

struct arena {
    struct arena_setup setup;
    uv_loop_t loop;
    uv_signal_t endings[2]; /* Ctrl-C, and whoever shuts us down */
    struct tcp_hub hub;
    struct lane *lanes;
};

/* --- Cores --- */

static cpu_set_t cores_allowed(void)
{
    cpu_set_t cores;
    CPU_ZERO(&cores);
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) {
        CPU_SET(0, &cores);
    }
    return cores;
}

int arena_cores(void)
{
    cpu_set_t cores = cores_allowed();
    return CPU_COUNT(&cores);
}

int arena_default_concurrency(void)
{
    int count = arena_cores();
    return count > 1 ? count - 1 : 1;
}

/* Every program has a core of its own while there are enough and one for the judge. Else the
 * system shares them out: on one core with its opponent a program could steal its time. */
static int core_for(const struct arena *arena, int lane, int player)
{
    cpu_set_t cores = cores_allowed();
    if (2 * arena->setup.lanes + 1 > CPU_COUNT(&cores)) {
        return -1;
    }
    int skipped = 2 * lane + player + 1;
    int core = 0;
    while (!CPU_ISSET((size_t)core, &cores) || skipped-- > 0) {
        core++;
    }
    return core;
}

/* --- What a match asks of its host --- */

static int64_t host_now(void *owner)
{
    (void)owner;
    return loop_now_ns();
}

static void host_wake_at(void *owner, int slot, int64_t when_ns)
{
    struct arena_bout *bout = owner;
    loop_alarm_set(&bout->arena->lanes[bout->first_lane + slot].alarm, when_ns);
}

static void lane_rings(void *owner)
{
    struct lane *lane = owner;
    if (lane->bout) {
        match_wake(lane->bout->match, lane->slot);
    }
}

static struct player *host_make_player(void *owner, int player, int slot, struct note *why)
{
    struct arena_bout *bout = owner;
    struct arena *arena = bout->arena;
    struct player_setup setup = {
        .loop = &arena->loop,
        .cpu_level = arena->setup.cpu_level,
        .sandbox = arena->setup.sandbox,
        .hub = &arena->hub,
        .screen = arena->setup.screen,
        .restart = arena->setup.restart,
        .python = arena->setup.python,
        .core = core_for(arena, bout->first_lane + slot, player),
        .hang_up_at = bout->hang_up_at,
    };
    if (!bout->specs[player]) {
        return absent_make(bout->names[player], bout->absence[player], why);
    }
    struct player *made = player_make(bout->specs[player], &setup, why);
    if (made && bout->names[player]) {
        made->name = bout->names[player];
    }
    return made;
}

static void stop_if_enough(struct arena_bout *bout)
{
    const struct arena_watcher *watcher = &bout->watcher;
    if (watcher->has_seen_enough && watcher->has_seen_enough(watcher->owner)) {
        match_stop(bout->match);
    }
}

static void host_on_start(void *owner, int game, const struct judge *judge)
{
    const struct arena_watcher *watcher = &((struct arena_bout *)owner)->watcher;
    if (watcher->on_start) {
        watcher->on_start(watcher->owner, game, judge);
    }
}

static void host_on_ply(void *owner, int game, const struct judge *judge,
                        const struct judge_ply *ply)
{
    struct arena_bout *bout = owner;
    if (bout->watcher.on_ply) {
        bout->watcher.on_ply(bout->watcher.owner, game, judge, ply);
    }
    stop_if_enough(bout);
}

static void host_on_fault(void *owner, int game, int player, const struct judge *judge,
                          const struct judge_fault *fault)
{
    struct arena_bout *bout = owner;
    if (bout->watcher.on_fault) {
        bout->watcher.on_fault(bout->watcher.owner, game, player, judge, fault);
    }
    stop_if_enough(bout);
}

static void host_on_game(void *owner, const struct match_game *game)
{
    struct arena_bout *bout = owner;
    const struct arena_watcher *watcher = &bout->watcher;
    if (watcher->on_game && !watcher->on_game(watcher->owner, game, match_score(bout->match))) {
        match_stop(bout->match);
    }
}

static void host_on_player_closed(void *owner, int player, struct player *closed)
{
    const struct arena_watcher *watcher = &((struct arena_bout *)owner)->watcher;
    if (watcher->on_player_closed) {
        watcher->on_player_closed(watcher->owner, player, closed);
    }
}

static void set_lanes(struct arena_bout *bout, struct arena_bout *value)
{
    for (int i = 0; i < bout->options.concurrency; i++) {
        struct lane *lane = &bout->arena->lanes[bout->first_lane + i];
        lane->bout = value;
        lane->slot = i;
    }
}

static void host_on_done(void *owner, enum err err, const struct note *why)
{
    struct arena_bout *bout = owner;
    set_lanes(bout, NULL);
    bout->on_done(bout, err, why);
}

/* --- Opening and closing --- */

static void alarm_closed(void *owner) { (void)owner; }

static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    uv_close(handle, NULL);
}

static void on_interrupt(uv_signal_t *signal, int number)
{
    struct arena *arena = signal->data;
    (void)number;
    arena->setup.on_interrupt(arena->setup.owner);
}

/* Makes a loop that ends with the signals; 0, or libuv's error, and then there is no loop. */
static int make_loop(struct arena *arena)
{
    static const int signals[2] = {SIGINT, SIGTERM};
    int error = uv_loop_init(&arena->loop);
    if (error) {
        return error;
    }
    for (int i = 0; !error && i < 2; i++) {
        uv_signal_t *ending = &arena->endings[i];
        error = uv_signal_init(&arena->loop, ending);
        ending->data = arena;
        if (!error) {
            error = uv_signal_start(ending, on_interrupt, signals[i]);
        }
    }
    if (error) {
        uv_walk(&arena->loop, close_handle, NULL);
        uv_run(&arena->loop, UV_RUN_DEFAULT);
        uv_loop_close(&arena->loop);
    }
    return error;
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
    const struct arena_setup *setup = &arena->setup;
    arena->hub = (struct tcp_hub){
        .loop = &arena->loop, .owner = setup->owner, .on_remark = setup->on_remark};
    if (!setup->has_tcp || setup->sandbox->features & SANDBOX_NAMESPACES) {
        return ERR_NONE;
    }
    return tcp_hub_listen(&arena->hub, why);
}

enum err arena_open(struct arena **out, const struct arena_setup *setup, struct note *why)
{
    struct arena *arena = calloc(1, sizeof *arena);
    if (arena) {
        arena->lanes = calloc((size_t)setup->lanes, sizeof *arena->lanes);
    }
    allow_many_files();
    int error = arena && arena->lanes ? make_loop(arena) : UV_ENOMEM;
    if (error) {
        free(arena ? arena->lanes : NULL);
        free(arena);
        note_set(why, "cannot start a match: %s", uv_strerror(error));
        return ERR_ENVIRONMENT;
    }
    arena->setup = *setup;
    for (int i = 0; i < setup->lanes; i++) {
        loop_alarm_init(&arena->loop, &arena->lanes[i].alarm, &arena->lanes[i], lane_rings);
    }
    enum err err = open_hub(arena, why);
    if (err) {
        arena_shut(arena);
        arena_run_out(arena);
    } else {
        *out = arena;
    }
    return err;
}

enum err arena_start(struct arena *arena, struct arena_bout *bout, struct note *why)
{
    const struct match_host host = {
        .owner = bout,
        .now = host_now,
        .wake_at = host_wake_at,
        .make_player = host_make_player,
        .on_start = host_on_start,
        .on_ply = host_on_ply,
        .on_fault = host_on_fault,
        .on_game = host_on_game,
        .on_player_closed = host_on_player_closed,
        .on_done = host_on_done,
    };
    bout->arena = arena;
    set_lanes(bout, bout);
    enum err err = match_start(&bout->match, &bout->options, &host, why);
    if (err) {
        set_lanes(bout, NULL);
    }
    return err;
}

uv_loop_t *arena_loop(struct arena *arena) { return &arena->loop; }

void arena_shut(struct arena *arena)
{
    for (int i = 0; i < arena->setup.lanes; i++) {
        loop_alarm_close(&arena->lanes[i].alarm, alarm_closed);
    }
    tcp_hub_close(&arena->hub);
    uv_close((uv_handle_t *)&arena->endings[0], NULL);
    uv_close((uv_handle_t *)&arena->endings[1], NULL);
}

void arena_run_out(struct arena *arena)
{
    uv_run(&arena->loop, UV_RUN_DEFAULT);
    uv_loop_close(&arena->loop);
    free(arena->lanes);
    free(arena);
}

/* --- One match --- */

/* A bout that fills the arena. */
struct single {
    struct arena_bout bout; /* first: on_done gets it back */
    enum err err;
    struct note why;
};

static void single_done(struct arena_bout *bout, enum err err, const struct note *why)
{
    struct single *single = (struct single *)bout;
    single->err = err;
    single->why = *why;
    arena_shut(bout->arena);
}

static void stop_single(void *owner)
{
    struct single *single = owner;
    match_stop(single->bout.match);
}

static void pass_remark(void *owner, const char *sentence)
{
    const struct arena_watcher *watcher = &((struct single *)owner)->bout.watcher;
    if (watcher->on_remark) {
        watcher->on_remark(watcher->owner, sentence);
    }
}

enum err arena_run(const struct arena_options *options, const struct arena_watcher *watcher,
                   struct match **out, struct note *why)
{
    struct single single = {.bout = {.options = options->match,
                                     .specs = {options->specs[0], options->specs[1]},
                                     .watcher = *watcher,
                                     .on_done = single_done}};
    const struct arena_setup setup = {
        .cpu_level = options->cpu_level,
        .sandbox = options->sandbox,
        .screen = options->screen,
        .restart = options->restart,
        .python = options->python,
        .lanes = options->match.concurrency,
        .has_tcp = options->specs[0]->kind == PLAYER_TCP || options->specs[1]->kind == PLAYER_TCP,
        .owner = &single,
        .on_remark = pass_remark,
        .on_interrupt = stop_single,
    };
    struct arena *arena = NULL;
    enum err err = arena_open(&arena, &setup, why);
    if (err) {
        return err;
    }
    err = arena_start(arena, &single.bout, why);
    if (err) {
        arena_shut(arena);
    }
    arena_run_out(arena);
    if (!err) {
        *out = single.bout.match;
        err = single.err;
        *why = single.why;
    }
    return err;
}
