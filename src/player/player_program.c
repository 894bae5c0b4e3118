#include "player/player_program.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "base/loop.h"

enum {
    LOG_ROOM = PROCESS_STDERR_BYTES + 256,
    IDLE_SHARE = 20, /* of its turn: one that uses less than a 20th of it does not think … */
    WAIT_SHARE = 4,  /* … unless it waits for a processor for a quarter of it */
    /* Reading the processor time takes longer than a quick move (80 us for four processes): it is
     * read when a turn has lasted this long. */
    BASELINE_MS = 50,
    /* Loading an interpreter and its libraries is not thinking: this much, but at most a quarter of
     * the time, is not counted (Python with NumPy needs 0.1 to 0.3 s). */
    LOADING_MS = 300,
    LOADING_SHARE = 4,
    MUCH_OUTPUT_BYTES = 1 << 20, /* in one turn: more than any program prints about its thinking */
    /* After an answer some programs print a board or free memory; this much processor time is
     * theirs. One that has used more before gets less: it would do so at every move. */
    TIDYING_MS = 100,
    AGAIN_MS = 10,
    FIRST_LOOK_MS = 10,
    /* The pauses between looks double up to these. A look costs 80 us for four processes. */
    LAST_LOOK_MS = 160,
    LAST_LOOK_AGAIN_MS = 40,
    TURN_LOOK_MS = 100, /* between looks at what it waits for */
};

const char *const player_program_unbuffered[] = {"PYTHONUNBUFFERED=1", NULL};

void *player_program_new(size_t bytes, const struct player_class *class,
                         const struct player_spec *spec, const struct player_setup *setup,
                         const struct player_program_events *events, struct note *why)
{
    struct player_program *program = player_new(bytes, class, spec->text, why);
    if (!program || player_spec_command(spec, setup->python, &program->command, why)) {
        free(program);
        return NULL;
    }
    program->spec = spec;
    program->setup = *setup;
    program->events = *events;
    program->rng = rng_make((uint64_t)clock_now_ns());
    uv_timer_init(setup->loop, &program->kill_timer);
    uv_timer_init(setup->loop, &program->turn_timer);
    uv_timer_init(setup->loop, &program->rest_timer);
    program->kill_timer.data = program->turn_timer.data = program->rest_timer.data = program;
    program->open_timers = 3;
    return program;
}

static void on_ready(void *owner)
{
    struct player_program *program = owner;
    if (program->events.on_ready) {
        program->events.on_ready(program);
    }
}

static void on_output(void *owner, const char *bytes, size_t count)
{
    struct player_program *program = owner;
    if (program->events.on_output) {
        program->events.on_output(program, bytes, count);
    } else {
        output_log_add(&program->output, bytes, count);
    }
}

static void keep_log(struct player_program *program)
{
    char *text = malloc(LOG_ROOM);
    size_t length = text ? process_stderr(program->process, text, LOG_ROOM) : 0;
    if (length) {
        output_log_add(&program->log, text, length);
    }
    free(text);
}

static void on_process_exit(void *owner, const struct process_exit *exit)
{
    struct player_program *program = owner;
    struct process_exit copy = *exit;
    bool was_dismissed = program->is_dismissed;
    keep_log(program);
    uv_timer_stop(&program->kill_timer);
    uv_timer_stop(&program->turn_timer);
    uv_timer_stop(&program->rest_timer);
    process_free(program->process);
    program->process = NULL;
    program->is_dismissed = false;
    program->events.on_gone(program, &copy, was_dismissed);
}

static void on_violation(void *owner, const struct violation *violation)
{
    struct player_program *program = owner;
    struct violation once = *violation;
    once.count = 1;
    (void)violation_list_add(&program->conduct.violations, violation);
    if (program->setup.violations_lose && violation->is_hostile &&
        player_program_is_running(program) && !*program->hostility.text) {
        violation_describe(&once, &program->hostility);
        program->events.on_hostility(program);
    }
}

/* At a time that the program does not know: without cgroups it could otherwise run only between two
 * looks, in processes that end before the next. */
static uint64_t vary(struct player_program *program, int pause_ms)
{
    uint64_t half = (uint64_t)pause_ms / 2;
    return half + rng_below(&program->rng, 2 * half + 1);
}

/* While it starts or has its turn. */
static void look_at_turn(uv_timer_t *timer)
{
    struct player_program *program = timer->data;
    if (program->process) {
        (void)process_waited_ns(program->process);
        uv_timer_start(&program->turn_timer, look_at_turn, vary(program, TURN_LOOK_MS), 0);
    }
}

enum err player_program_start(struct player_program *program, struct process_spec wishes,
                              struct note *why)
{
    struct process_events events = {program, on_ready, on_output, on_process_exit, on_violation};
    wishes.command = program->command.text;
    wishes.folder = program->command.folder;
    wishes.cpu = program->setup.core;
    wishes.sandbox = program->setup.sandbox;
    program->is_dismissed = false;
    program->hostility.text[0] = '\0';
    program->baseline = (struct player_program_baseline){
        .is_known = true, .at_ns = clock_now_ns(), .is_start = true};
    program->asked_at_bytes = 0;
    program->rest = (struct player_program_rest){0};
    program->conduct.starts++;
    enum err err = process_start(program->setup.loop, &wishes, &events, &program->process, why);
    if (!err) {
        uv_timer_start(&program->turn_timer, look_at_turn, vary(program, TURN_LOOK_MS), 0);
    }
    return err;
}

void player_program_fault(struct player_program *program, enum fault fault, const struct note *why)
{
    player_report_now(&program->player,
                      (struct player_event){.kind = PLAYER_FAULT, .fault = fault, .why = *why});
}

void player_program_fail(struct player_program *program, const struct note *why)
{
    enum { SHOWN_BYTES = 100 };
    char command[SHOWN_BYTES];
    struct player_event event = {.kind = PLAYER_FAILED, .why = *why};
    utf8_clean(program->command.text, command, sizeof command);
    note_prefix(&event.why, "%s", command);
    player_report_now(&program->player, event);
}

bool player_program_is_running(const struct player_program *program)
{
    return program->process && !program->is_dismissed;
}

static void take_baseline(uv_timer_t *timer)
{
    struct player_program *program = timer->data;
    int64_t used_ns = program->process ? process_used_ns(program->process) : -1;
    program->baseline = (struct player_program_baseline){
        .is_known = used_ns >= 0, .at_ns = clock_now_ns(), .used_ns = used_ns};
    if (program->process) {
        process_begin_wait(program->process);
        uv_timer_start(&program->turn_timer, look_at_turn, vary(program, TURN_LOOK_MS), 0);
    }
}

/* --- Between its turns --- */

static void run_freely(struct player_program *program)
{
    uv_timer_stop(&program->rest_timer);
    if (program->process) {
        process_set_pace(program->process, PROCESS_RUNS);
    }
}

static void hold(struct player_program *program)
{
    program->has_pondered = true;
    program->rest.is_held = true;
    program->conduct.freezes += !program->setup.ponder;
    process_set_pace(program->process, program->setup.ponder ? PROCESS_YIELDS : PROCESS_FROZEN);
}

static bool is_excused(struct player_program *program)
{
    return program->events.is_excused && program->events.is_excused(program);
}

/* False: this system does not show it. */
static bool take_sample(struct player_program *program)
{
    struct player_program_rest *rest = &program->rest;
    int64_t used_ns = process_used_ns(program->process);
    int64_t now_ns = clock_now_ns();
    if (used_ns < 0) {
        return false;
    }
    if (rest->is_known && !is_excused(program)) {
        rest->excess_ns += used_ns - rest->used_ns - (now_ns - rest->at_ns) / IDLE_SHARE;
        rest->excess_ns = rest->excess_ns > 0 ? rest->excess_ns : 0;
    }
    rest->first_used_ns = rest->is_known ? rest->first_used_ns : used_ns;
    rest->is_known = true;
    rest->at_ns = now_ns;
    rest->used_ns = used_ns;
    return true;
}

static void look(uv_timer_t *timer)
{
    struct player_program *program = timer->data;
    struct player_program_rest *rest = &program->rest;
    if (!take_sample(program)) {
        return;
    }
    if (!rest->is_held &&
        rest->excess_ns > (program->has_pondered ? AGAIN_MS : TIDYING_MS) * CLOCK_NS_PER_MS) {
        hold(program);
    }
    if (rest->is_held && !program->setup.ponder) {
        return;
    }
    if (rest->pause_ms < (program->has_pondered ? LAST_LOOK_AGAIN_MS : LAST_LOOK_MS)) {
        rest->pause_ms *= 2;
    }
    uv_timer_start(&program->rest_timer, look, vary(program, rest->pause_ms), 0);
}

void player_program_end_turn(struct player_program *program)
{
    if (!player_program_is_running(program)) {
        return;
    }
    uv_timer_stop(&program->turn_timer);
    program->rest = (struct player_program_rest){.pause_ms = FIRST_LOOK_MS};
    if (program->has_pondered) { /* it would use the time until the next look */
        process_set_pace(program->process, PROCESS_YIELDS);
        take_sample(program);
    }
    uv_timer_start(&program->rest_timer, look, vary(program, FIRST_LOOK_MS), 0);
}

void player_program_end_game(struct player_program *program)
{
    uv_timer_stop(&program->turn_timer);
    run_freely(program);
}

void player_program_begin_turn(struct player_program *program)
{
    run_freely(program);
    program->baseline.is_known = false;
    program->rest.is_known = false;
    program->asked_at_bytes = program->process ? process_output_bytes(program->process) : 0;
    uv_timer_start(&program->turn_timer, take_baseline, BASELINE_MS, 0);
}

/* What happened to its output, if that is the reason. */
static bool explain_output(const struct player_program *program, struct player_delay *out)
{
    if (!program->process) {
        return false;
    }
    int64_t bytes = process_output_bytes(program->process) - program->asked_at_bytes;
    if (program->events.on_output && process_has_closed_output(program->process)) {
        note_set(&out->reason, "it has closed its standard output, on which it has to answer");
    } else if (bytes >= MUCH_OUTPUT_BYTES) {
        note_set(&out->reason, "it has written %.1f MiB of output instead of an answer",
                 (double)bytes / (1 << 20));
    } else {
        return false;
    }
    out->is_explained = true;
    return true;
}

/* How long it could not run because of something outside its game; the judge knows the opponent. */
static void note_wait(const struct player_program *program, struct player_delay *out)
{
    if (program->process && program->baseline.is_known) {
        out->waited_ns = process_waited_ns(program->process);
        out->watched_ns = clock_now_ns() - program->baseline.at_ns;
    }
}

int64_t player_program_used_ns(const struct player *player)
{
    const struct player_program *program = (const struct player_program *)player;
    const struct player_program_rest *rest = &program->rest;
    if (!program->process) {
        return 0;
    }
    if (!rest->is_known && !program->baseline.is_known) {
        return -1;
    }
    int64_t used_ns = process_used_ns(program->process);
    if (used_ns < 0) { /* at first only the helper runs */
        return program->baseline.is_start && !rest->is_known ? 0 : -1;
    }
    return used_ns - (rest->is_known ? rest->first_used_ns : program->baseline.used_ns);
}

struct player_delay player_program_delay(const struct player *player)
{
    const struct player_program *program = (const struct player_program *)player;
    const struct player_program_baseline *baseline = &program->baseline;
    struct player_delay delay = {.is_idle = false};
    if (explain_output(program, &delay)) {
        return delay;
    }
    int64_t total_ns =
        program->process && baseline->is_known ? process_used_ns(program->process) : -1;
    int64_t used_ns = total_ns - baseline->used_ns;
    int64_t elapsed_ns = clock_now_ns() - baseline->at_ns;
    int64_t idle_ns = elapsed_ns / IDLE_SHARE;
    if (baseline->is_start) {
        int64_t loading_ns = LOADING_MS * CLOCK_NS_PER_MS;
        idle_ns +=
            loading_ns < elapsed_ns / LOADING_SHARE ? loading_ns : elapsed_ns / LOADING_SHARE;
    }
    note_wait(program, &delay);
    if (total_ns >= 0 && used_ns < idle_ns && delay.waited_ns < elapsed_ns / WAIT_SHARE) {
        delay.is_idle = true;
        note_set(&delay.reason, "it used %.1f s of processor time: it waits for something",
                 (double)used_ns / 1e9);
    }
    return delay;
}

static void kill_program(uv_timer_t *timer)
{
    struct player_program *program = timer->data;
    if (program->process) {
        program->conduct.overstayed = true;
        process_kill(program->process);
    }
}

void player_program_dismiss(struct player_program *program, int grace_ms)
{
    program->is_dismissed = true;
    run_freely(program);
    if (grace_ms > 0) {
        uv_timer_start(&program->kill_timer, kill_program, (uint64_t)grace_ms, 0);
    } else {
        process_kill(program->process);
    }
}

static void on_timer_closed(uv_handle_t *handle)
{
    struct player_program *program = handle->data;
    if (--program->open_timers == 0) {
        player_report_now(&program->player, (struct player_event){.kind = PLAYER_CLOSED});
    }
}

void player_program_close(struct player_program *program)
{
    uv_close((uv_handle_t *)&program->kill_timer, on_timer_closed);
    uv_close((uv_handle_t *)&program->turn_timer, on_timer_closed);
    uv_close((uv_handle_t *)&program->rest_timer, on_timer_closed);
}

void player_program_free(struct player *player)
{
    struct player_program *program = (struct player_program *)player;
    output_log_free(&program->log);
    output_log_free(&program->output);
    free(program);
}

size_t player_program_log(const struct player *player, char *out, size_t room)
{
    const struct player_program *program = (const struct player_program *)player;
    size_t used = output_log_copy(&program->log, out, room);
    if (program->process && used < room) {
        used += process_stderr_so_far(program->process, out + used, room - used);
    }
    return used;
}

size_t player_program_output(const struct player *player, char *out, size_t room)
{
    return output_log_copy(&((const struct player_program *)player)->output, out, room);
}

struct player_conduct player_program_conduct(const struct player *player)
{
    return ((const struct player_program *)player)->conduct;
}
