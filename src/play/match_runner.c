#include "play/match_runner.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/cores.h"
#include "sandbox/sandbox.h"
#include "base/loop.h"
#include "player/tcp_server.h"

struct runner_slot {
    struct match_run *run; /* NULL: free */
    struct loop_alarm alarm;
};

struct match_runner {
    struct match_runner_setup setup;
    uv_loop_t loop;
    uv_signal_t endings[2]; /* SIGINT and SIGTERM */
    struct tcp_server server;
    struct runner_slot *slots;
};

/* --- What a match asks of its host --- */

static int64_t host_now(void *owner)
{
    (void)owner;
    return clock_now_ns();
}

static void host_wake_at(void *owner, int64_t when_ns)
{
    struct match_run *run = owner;
    loop_alarm_set(&run->runner->slots[run->first_slot].alarm, when_ns);
}

static void slot_alarm(void *owner)
{
    struct runner_slot *slot = owner;
    if (slot->run) {
        match_wake(slot->run->match);
    }
}

static struct player *host_make_player(void *owner, int player, struct note *why)
{
    struct match_run *run = owner;
    struct match_runner *runner = run->runner;
    struct player_setup setup = {
        .loop = &runner->loop,
        .cpu_level = runner->setup.cpu_level,
        .sandbox = runner->setup.sandbox,
        .server = &runner->server,
        .screen = runner->setup.screen,
        .restart = runner->setup.restart,
        .python = run->options.rules.python,
        .violations_lose = run->options.rules.violations_lose,
        .ponder = run->options.rules.ponder,
        .core = cores_pick(runner->setup.slots, run->first_slot, player),
        .hang_up_at = run->hang_up_at,
    };
    struct player *made = run->specs[player] ? player_make(run->specs[player], &setup, why)
                          : run->absence[player]
                              ? unavailable_make(run->names[player], run->absence[player], why)
                              : run->make_player(run, player, why);
    if (made && run->names[player]) {
        made->name = run->names[player];
    }
    run->players[player] = made;
    return made;
}

static void host_on_done(void *owner, enum err err, const struct note *why)
{
    struct match_run *run = owner;
    run->runner->slots[run->first_slot].run = NULL;
    run->on_done(run, err, why);
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
    struct match_runner *runner = signal->data;
    (void)number;
    runner->setup.on_interrupt(runner->setup.owner);
}

static void on_remark(void *owner, const char *sentence)
{
    const struct match_runner *runner = owner;
    game_sink_send(&runner->setup.sink,
                   &(struct game_event){.kind = GAME_EVENT_REMARK, .remark = sentence});
}

/* Makes a loop that ends with the signals; 0, or libuv's error, and then there is no loop. */
static int make_loop(struct match_runner *runner, bool ends_with_signals)
{
    static const int signals[2] = {SIGINT, SIGTERM};
    int error = uv_loop_init(&runner->loop);
    if (error) {
        return error;
    }
    for (int i = 0; !error && i < 2; i++) {
        uv_signal_t *ending = &runner->endings[i];
        error = uv_signal_init(&runner->loop, ending);
        ending->data = runner;
        if (!error && ends_with_signals) {
            error = uv_signal_start(ending, on_interrupt, signals[i]);
        }
    }
    if (error) {
        uv_walk(&runner->loop, close_handle, NULL);
        uv_run(&runner->loop, UV_RUN_DEFAULT);
        uv_loop_close(&runner->loop);
    }
    return error;
}

/* Each program needs about eight descriptors, and the usual limit is 1024. */
static void allow_many_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/* Without network namespaces all tcp programs connect to one port of this machine. */
static enum err open_server(struct match_runner *runner, struct note *why)
{
    const struct match_runner_setup *setup = &runner->setup;
    runner->server =
        (struct tcp_server){.loop = &runner->loop, .owner = runner, .on_remark = on_remark};
    if (!setup->has_tcp || setup->sandbox->features & SANDBOX_NAMESPACES) {
        return ERR_NONE;
    }
    return tcp_server_listen(&runner->server, WIRE_PORT, why);
}

enum err match_runner_open(struct match_runner **out, const struct match_runner_setup *setup,
                           struct note *why)
{
    struct match_runner *runner = calloc(1, sizeof *runner);
    if (runner) {
        runner->slots = calloc((size_t)setup->slots, sizeof *runner->slots);
    }
    allow_many_files();
    int error = runner && runner->slots ? make_loop(runner, setup->on_interrupt) : UV_ENOMEM;
    if (error) {
        free(runner ? runner->slots : NULL);
        free(runner);
        return note_fail(why, ERR_ENVIRONMENT, "cannot start a match: %s", uv_strerror(error));
    }
    runner->setup = *setup;
    for (int i = 0; i < setup->slots; i++) {
        loop_alarm_init(&runner->loop, &runner->slots[i].alarm, &runner->slots[i], slot_alarm);
    }
    enum err err = open_server(runner, why);
    if (err) {
        match_runner_close(runner);
        match_runner_finish(runner);
    } else {
        *out = runner;
    }
    return err;
}

enum err match_runner_start(struct match_runner *runner, struct match_run *run, struct note *why)
{
    const struct match_host host = {
        .owner = run,
        .now = host_now,
        .wake_at = host_wake_at,
        .make_player = host_make_player,
        .on_done = host_on_done,
    };
    run->runner = runner;
    runner->slots[run->first_slot].run = run;
    enum err err = match_start(&run->match, &run->options, &host, &run->sink, why);
    if (err) {
        runner->slots[run->first_slot].run = NULL;
    }
    return err;
}

uv_loop_t *match_runner_loop(struct match_runner *runner) { return &runner->loop; }

void match_runner_close(struct match_runner *runner)
{
    for (int i = 0; i < runner->setup.slots; i++) {
        loop_alarm_close(&runner->slots[i].alarm, alarm_closed);
    }
    tcp_server_close(&runner->server);
    uv_close((uv_handle_t *)&runner->endings[0], NULL);
    uv_close((uv_handle_t *)&runner->endings[1], NULL);
}

void match_runner_finish(struct match_runner *runner)
{
    uv_run(&runner->loop, UV_RUN_DEFAULT);
    uv_loop_close(&runner->loop);
    free(runner->slots);
    free(runner);
}
