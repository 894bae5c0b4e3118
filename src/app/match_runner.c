#include "app/match_runner.h"

#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "sandbox/sandbox.h"
#include "base/loop.h"
#include "player/tcp_hub.h"

struct runner_slot {
    struct match_run *match_run; /* NULL: free */
    int index;                   /* the number of the slot in that match */
    struct loop_alarm alarm;
};

struct match_runner {
    struct match_runner_setup setup;
    uv_loop_t loop;
    uv_signal_t endings[2]; /* Ctrl-C, and whoever shuts us down */
    struct tcp_hub hub;
    struct runner_slot *slots;
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

int match_runner_cores(void)
{
    cpu_set_t cores = cores_allowed();
    return CPU_COUNT(&cores);
}

int match_runner_default_concurrency(void)
{
    int count = match_runner_cores();
    return count > 1 ? count - 1 : 1;
}

/* Every program has a core of its own while there are enough and one for the judge. Else the
 * system shares them out: on one core with its opponent a program could steal its time. */
static int core_for(const struct match_runner *match_runner, int slot, int player)
{
    cpu_set_t cores = cores_allowed();
    if (2 * match_runner->setup.slots + 1 > CPU_COUNT(&cores)) {
        return -1;
    }
    int skipped = 2 * slot + player + 1;
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
    struct match_run *match_run = owner;
    loop_alarm_set(&match_run->match_runner->slots[match_run->first_slot + slot].alarm, when_ns);
}

static void slot_alarm(void *owner)
{
    struct runner_slot *slot = owner;
    if (slot->match_run) {
        match_wake(slot->match_run->match, slot->index);
    }
}

static struct player *host_make_player(void *owner, int player, int slot, struct note *why)
{
    struct match_run *match_run = owner;
    struct match_runner *match_runner = match_run->match_runner;
    struct player_setup setup = {
        .loop = &match_runner->loop,
        .cpu_level = match_runner->setup.cpu_level,
        .sandbox = match_runner->setup.sandbox,
        .hub = &match_runner->hub,
        .screen = match_runner->setup.screen,
        .restart = match_runner->setup.restart,
        .python = match_runner->setup.python,
        .core = core_for(match_runner, match_run->first_slot + slot, player),
        .hang_up_at = match_run->hang_up_at,
    };
    if (!match_run->specs[player]) {
        return absent_make(match_run->names[player], match_run->absence[player], why);
    }
    struct player *made = player_make(match_run->specs[player], &setup, why);
    if (made && match_run->names[player]) {
        made->name = match_run->names[player];
    }
    return made;
}

static void stop_if_enough(struct match_run *match_run)
{
    const struct match_runner_watcher *watcher = &match_run->watcher;
    if (watcher->has_seen_enough && watcher->has_seen_enough(watcher->owner)) {
        match_stop(match_run->match);
    }
}

static void host_on_start(void *owner, int game, const struct judge *judge)
{
    const struct match_runner_watcher *watcher = &((struct match_run *)owner)->watcher;
    if (watcher->on_start) {
        watcher->on_start(watcher->owner, game, judge);
    }
}

static void host_on_ply(void *owner, int game, const struct judge *judge,
                        const struct judge_ply *ply)
{
    struct match_run *match_run = owner;
    if (match_run->watcher.on_ply) {
        match_run->watcher.on_ply(match_run->watcher.owner, game, judge, ply);
    }
    stop_if_enough(match_run);
}

static void host_on_fault(void *owner, int game, int player, const struct judge *judge,
                          const struct judge_fault *fault)
{
    struct match_run *match_run = owner;
    if (match_run->watcher.on_fault) {
        match_run->watcher.on_fault(match_run->watcher.owner, game, player, judge, fault);
    }
    stop_if_enough(match_run);
}

static void host_on_game(void *owner, const struct match_game *game)
{
    struct match_run *match_run = owner;
    const struct match_runner_watcher *watcher = &match_run->watcher;
    if (watcher->on_game &&
        !watcher->on_game(watcher->owner, game, match_score(match_run->match))) {
        match_stop(match_run->match);
    }
}

static void host_on_player_closed(void *owner, int player, struct player *closed)
{
    const struct match_runner_watcher *watcher = &((struct match_run *)owner)->watcher;
    if (watcher->on_player_closed) {
        watcher->on_player_closed(watcher->owner, player, closed);
    }
}

static void set_slots(struct match_run *match_run, struct match_run *value)
{
    for (int i = 0; i < match_run->options.concurrency; i++) {
        struct runner_slot *slot = &match_run->match_runner->slots[match_run->first_slot + i];
        slot->match_run = value;
        slot->index = i;
    }
}

static void host_on_done(void *owner, enum err err, const struct note *why)
{
    struct match_run *match_run = owner;
    set_slots(match_run, NULL);
    match_run->on_done(match_run, err, why);
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
    struct match_runner *match_runner = signal->data;
    (void)number;
    match_runner->setup.on_interrupt(match_runner->setup.owner);
}

/* Makes a loop that ends with the signals; 0, or libuv's error, and then there is no loop. */
static int make_loop(struct match_runner *match_runner)
{
    static const int signals[2] = {SIGINT, SIGTERM};
    int error = uv_loop_init(&match_runner->loop);
    if (error) {
        return error;
    }
    for (int i = 0; !error && i < 2; i++) {
        uv_signal_t *ending = &match_runner->endings[i];
        error = uv_signal_init(&match_runner->loop, ending);
        ending->data = match_runner;
        if (!error) {
            error = uv_signal_start(ending, on_interrupt, signals[i]);
        }
    }
    if (error) {
        uv_walk(&match_runner->loop, close_handle, NULL);
        uv_run(&match_runner->loop, UV_RUN_DEFAULT);
        uv_loop_close(&match_runner->loop);
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
static enum err open_hub(struct match_runner *match_runner, struct note *why)
{
    const struct match_runner_setup *setup = &match_runner->setup;
    match_runner->hub = (struct tcp_hub){
        .loop = &match_runner->loop, .owner = setup->owner, .on_remark = setup->on_remark};
    if (!setup->has_tcp || setup->sandbox->features & SANDBOX_NAMESPACES) {
        return ERR_NONE;
    }
    return tcp_hub_listen(&match_runner->hub, why);
}

enum err match_runner_open(struct match_runner **out, const struct match_runner_setup *setup,
                           struct note *why)
{
    struct match_runner *match_runner = calloc(1, sizeof *match_runner);
    if (match_runner) {
        match_runner->slots = calloc((size_t)setup->slots, sizeof *match_runner->slots);
    }
    allow_many_files();
    int error = match_runner && match_runner->slots ? make_loop(match_runner) : UV_ENOMEM;
    if (error) {
        free(match_runner ? match_runner->slots : NULL);
        free(match_runner);
        note_set(why, "cannot start a match: %s", uv_strerror(error));
        return ERR_ENVIRONMENT;
    }
    match_runner->setup = *setup;
    for (int i = 0; i < setup->slots; i++) {
        loop_alarm_init(&match_runner->loop, &match_runner->slots[i].alarm, &match_runner->slots[i],
                        slot_alarm);
    }
    enum err err = open_hub(match_runner, why);
    if (err) {
        match_runner_close(match_runner);
        match_runner_finish(match_runner);
    } else {
        *out = match_runner;
    }
    return err;
}

enum err match_runner_start(struct match_runner *match_runner, struct match_run *match_run,
                            struct note *why)
{
    const struct match_host host = {
        .owner = match_run,
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
    match_run->match_runner = match_runner;
    set_slots(match_run, match_run);
    enum err err = match_start(&match_run->match, &match_run->options, &host, why);
    if (err) {
        set_slots(match_run, NULL);
    }
    return err;
}

uv_loop_t *match_runner_loop(struct match_runner *match_runner) { return &match_runner->loop; }

void match_runner_close(struct match_runner *match_runner)
{
    for (int i = 0; i < match_runner->setup.slots; i++) {
        loop_alarm_close(&match_runner->slots[i].alarm, alarm_closed);
    }
    tcp_hub_close(&match_runner->hub);
    uv_close((uv_handle_t *)&match_runner->endings[0], NULL);
    uv_close((uv_handle_t *)&match_runner->endings[1], NULL);
}

void match_runner_finish(struct match_runner *match_runner)
{
    uv_run(&match_runner->loop, UV_RUN_DEFAULT);
    uv_loop_close(&match_runner->loop);
    free(match_runner->slots);
    free(match_runner);
}

/* --- One match --- */

/* A match_run that fills the match_runner. */
struct single {
    struct match_run match_run; /* first: on_done gets it back */
    enum err err;
    struct note why;
};

static void single_done(struct match_run *match_run, enum err err, const struct note *why)
{
    struct single *single = (struct single *)match_run;
    single->err = err;
    single->why = *why;
    match_runner_close(match_run->match_runner);
}

static void stop_single(void *owner)
{
    struct single *single = owner;
    match_stop(single->match_run.match);
}

static void pass_remark(void *owner, const char *sentence)
{
    const struct match_runner_watcher *watcher = &((struct single *)owner)->match_run.watcher;
    if (watcher->on_remark) {
        watcher->on_remark(watcher->owner, sentence);
    }
}

enum err match_runner_run(const struct match_runner_options *options,
                          const struct match_runner_watcher *watcher, struct match **out,
                          struct note *why)
{
    struct single single = {.match_run = {.options = options->match,
                                          .specs = {options->specs[0], options->specs[1]},
                                          .watcher = *watcher,
                                          .on_done = single_done}};
    const struct match_runner_setup setup = {
        .cpu_level = options->cpu_level,
        .sandbox = options->sandbox,
        .screen = options->screen,
        .restart = options->restart,
        .python = options->python,
        .slots = options->match.concurrency,
        .has_tcp = options->specs[0]->kind == PLAYER_TCP || options->specs[1]->kind == PLAYER_TCP,
        .owner = &single,
        .on_remark = pass_remark,
        .on_interrupt = stop_single,
    };
    struct match_runner *match_runner = NULL;
    enum err err = match_runner_open(&match_runner, &setup, why);
    if (err) {
        return err;
    }
    err = match_runner_start(match_runner, &single.match_run, why);
    if (err) {
        match_runner_close(match_runner);
    }
    match_runner_finish(match_runner);
    if (!err) {
        *out = single.match_run.match;
        err = single.err;
        *why = single.why;
    }
    return err;
}
