#include "play/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "play/game_order.h"

enum {
    VERIFY = 1,       /* for hashes of their own */
    MOST_EVENTS = 16, /* of the coordinator in one turn of the loop */
    /* Records that wait for earlier ones: no other pairing begins then. */
    MOST_WAITING_BYTES = 256 << 20,
};

struct pool_slot {
    struct pairing_run run; /* first: its sink gets it back */
    struct pool *pool;
    int number;
    struct pool_pairing pairing;
};

/* A result of a worker that is not stored yet. */
struct pool_delivery {
    uint64_t id;
    struct tournament_work work;
    int left; /* games that are not stored */
};

struct pool {
    struct pool_options options;
    const struct pool_source *source;
    void *owner;
    struct match_runner *runner;
    struct pool_slot *slots;
    int slot_count; /* at least one, also if all is played elsewhere */
    uv_async_t wake;
    uv_timer_t tick;
    uv_prepare_t settled;
    bool is_remote_ready;
    struct game_order order; /* of finished games, if they are handed over in order */
    struct pool_delivery *deliveries;
    size_t delivery_count;
    size_t delivery_capacity;
    struct tournament_work *given_up; /* works that no worker can play */
    size_t given_up_count;
    size_t given_up_capacity;
    bool is_stopping;
    bool is_shut;
    enum err err;
    struct note why;
};

/* --- Stopping --- */

static void report_done(struct pool *pool, const struct tournament_work *work, enum err err,
                        const struct note *why)
{
    if (pool->source->on_done) {
        pool->source->on_done(pool->owner, work, err, why);
    }
}

static void stop_slot(struct pool_slot *slot, const struct note *why)
{
    bool was_busy = slot->run.is_busy;
    pairing_run_stop(&slot->run);
    if (was_busy && !slot->run.is_busy) { /* it waited to play a game again */
        report_done(slot->pool, &slot->run.task.work, ERR_INTERRUPTED, why);
    }
}

void pool_stop(struct pool *pool, enum err err, const struct note *why)
{
    if (!pool->err) {
        pool->err = err;
        pool->why = *why;
    }
    if (pool->is_stopping) {
        return;
    }
    pool->is_stopping = true;
    if (pool->source->on_stop) {
        pool->source->on_stop(pool->owner, err, why);
    }
    for (int i = 0; i < pool->slot_count; i++) {
        stop_slot(&pool->slots[i], why);
    }
}

/* The slot that plays it; NULL: none. */
static struct pool_slot *find_slot(const struct pool *pool, const struct tournament_work *work)
{
    for (int i = 0; i < pool->slot_count; i++) {
        const struct pairing_run *run = &pool->slots[i].run;
        if (run->is_busy && run->task.work.pairing == work->pairing &&
            run->task.work.from == work->from) {
            return &pool->slots[i];
        }
    }
    return NULL;
}

void pool_end(struct pool *pool, const struct tournament_work *work)
{
    struct note why = {"ended"};
    struct pool_slot *slot = find_slot(pool, work);
    if (slot) {
        stop_slot(slot, &why);
    }
    if (slot && !slot->run.is_busy) {
        pool_wake(pool); /* the slot is free now */
    }
}

const struct player *pool_player(const struct pool *pool, const struct tournament_work *work,
                                 int player)
{
    const struct pool_slot *slot = find_slot(pool, work);
    return slot ? slot->run.match_run.players[player] : NULL;
}

static void stop_without_memory(struct pool *pool)
{
    struct note why;
    note_set(&why, "no memory for the results of games");
    pool_stop(pool, ERR_ENVIRONMENT, &why);
}

static bool is_idle(const struct pool *pool)
{
    for (int i = 0; i < pool->slot_count; i++) {
        if (pool->slots[i].run.is_busy) {
            return false;
        }
    }
    return true;
}

/* The async handle stays until pool_free: other threads use it. The loop ends without it. */
static void shut(struct pool *pool)
{
    pool->is_shut = true;
    if (pool->options.coordinator) {
        coordinator_detach(pool->options.coordinator);
    }
    uv_unref((uv_handle_t *)&pool->wake);
    uv_close((uv_handle_t *)&pool->settled, NULL);
    uv_close((uv_handle_t *)&pool->tick, NULL);
    for (int i = 0; i < pool->slot_count; i++) {
        pairing_run_close(&pool->slots[i].run);
    }
    match_runner_close(pool->runner);
}

static void shut_if_done(struct pool *pool)
{
    if (!pool->is_shut && is_idle(pool) && pool->source->is_over(pool->owner, pool->is_stopping)) {
        shut(pool);
    }
}

static void on_interrupt(void *owner)
{
    struct pool *pool = owner;
    struct note why;
    note_set(&why, "stopped");
    pool_stop(pool, ERR_INTERRUPTED, &why);
    shut_if_done(pool);
}

/* --- A pairing here --- */

static struct pool_place place_of(const struct pool_slot *slot)
{
    return (struct pool_place){slot->number, &slot->run.task.work, slot->run.index};
}

static void on_event(struct pairing_run *run, const struct game_event *event)
{
    const struct pool_slot *slot = (struct pool_slot *)run;
    const struct pool_place place = place_of(slot);
    if (slot->pool->source->on_event) {
        slot->pool->source->on_event(slot->pool->owner, &place, event);
    }
}

static void on_again(struct pairing_run *run, const struct note *why)
{
    const struct pool_slot *slot = (struct pool_slot *)run;
    const struct pool *pool = slot->pool;
    const struct pool_place place = place_of(slot);
    struct note sentence;
    if (pool->source->on_again) {
        pool->source->on_again(pool->owner, &place, why);
    } else {
        note_set(&sentence, "a game is played again: %.300s", why->text);
        pool->source->on_remark(pool->owner, sentence.text);
    }
}

static struct player *make_player(struct pairing_run *run, int player, struct note *why)
{
    const struct pool *pool = ((struct pool_slot *)run)->pool;
    return pool->source->make_player(pool->owner, &run->task.work, player, why);
}

/* The games whose turn it is. */
static void hand_over(struct pool *pool)
{
    struct ordered_game *next;
    while (!pool->is_stopping && (next = game_order_take(&pool->order))) {
        pool->source->on_game(pool->owner, &next->work, next->machine, &next->game);
        free(next);
    }
}

static void take_game(struct pool *pool, const struct tournament_work *work, const char *machine,
                      struct finished_game *take_game)
{
    int number = work->first_game + take_game->index;
    if (!pool->options.is_ordered) {
        pool->source->on_game(pool->owner, work, machine, take_game);
    } else if (number < pool->order.next) {
        finished_game_free(take_game);
        pool_stored(pool, number, 1);
    } else if (game_order_put(&pool->order, work, machine, take_game)) {
        hand_over(pool);
    } else {
        finished_game_free(take_game);
        stop_without_memory(pool);
    }
}

static void on_game(struct pairing_run *run, struct finished_game *game)
{
    take_game(((struct pool_slot *)run)->pool, &run->task.work, "", game);
}

static void keep_log(const struct pool *pool, const struct tournament_work *work,
                     const char *machine, int player, char *take_text)
{
    if (pool->source->on_log) {
        pool->source->on_log(pool->owner, work, machine, player, take_text);
    } else {
        free(take_text);
    }
}

static void on_log(struct pairing_run *run, int player, char *take_text)
{
    keep_log(((struct pool_slot *)run)->pool, &run->task.work, "", player, take_text);
}

static void keep_violation(const struct pool *pool, const struct tournament_work *work,
                           const char *machine, int player, const struct violation *violation)
{
    if (pool->source->on_violation) {
        pool->source->on_violation(pool->owner, work, machine, player, violation);
    }
}

static void on_violation(struct pairing_run *run, int player, const struct violation *violation)
{
    keep_violation(((struct pool_slot *)run)->pool, &run->task.work, "", player, violation);
}

static void play_next(struct pool *pool);

static void end_pairing(struct pool *pool, const struct tournament_work *work, enum err err,
                        const struct note *why)
{
    report_done(pool, work, err, why);
    if (err && err != ERR_INTERRUPTED && !pool->options.outlives_failures) {
        pool_stop(pool, err, why);
    }
}

static void on_done(struct pairing_run *run, enum err err, const struct note *why)
{
    struct pool *pool = ((struct pool_slot *)run)->pool;
    end_pairing(pool, &run->task.work, err, why);
    play_next(pool);
}

static const struct pairing_run_sink slot_sink = {
    .on_event = on_event,
    .make_player = make_player,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .on_again = on_again,
    .on_done = on_done,
};

static void describe(const struct pool *pool, const struct tournament_work *work,
                     struct pool_pairing *out)
{
    *out = (struct pool_pairing){.round = ""};
    pool->source->describe(pool->owner, work, out);
    out->task.work = *work;
    out->task.round = out->round[0] ? out->round : NULL;
}

static void play_here(struct pool_slot *slot, const struct tournament_work *work)
{
    struct note why;
    describe(slot->pool, work, &slot->pairing);
    enum err err = pairing_run_start(&slot->run, &slot->pairing.task, &why);
    if (err) {
        end_pairing(slot->pool, work, err, &why);
    }
}

/* --- Pairings for workers --- */

static struct cluster_player player_of(const struct pool_pairing *pairing, int i)
{
    const struct pairing_task *task = &pairing->task;
    const struct player_spec *spec = task->specs[i];
    const char *name = task->names[i] ? task->names[i] : spec ? spec->text : "";
    struct cluster_player out = {.can_play = spec};
    snprintf(out.name, sizeof out.name, "%.*s", (int)sizeof out.name - 1, name);
    if (spec) {
        snprintf(out.spec, sizeof out.spec, "%s",
                 pairing->specs[i] ? pairing->specs[i] : spec->text);
    } else {
        note_set(&out.absence, "%s", task->absence[i]);
    }
    if (spec && pairing->programs[i]) {
        snprintf(out.program, sizeof out.program, "%s", pairing->programs[i]);
    }
    return out;
}

/* "": the usual one. */
static void write_opening(const struct pairing_task *task, char out[GAME_POSITION_BYTES])
{
    const struct game *game = task->rules.judge.game;
    const struct match_options match = {.rules = task->rules,
                                        .seed = task->seed,
                                        .openings = task->openings,
                                        .opening_count = task->opening_count};
    const struct state usual = game->start();
    const struct state opening =
        match_opening(&match, task->work.first_game / (task->rules.is_selfplay ? 1 : 2));
    char start[GAME_POSITION_BYTES];
    game->write_position(&usual, start);
    game->write_position(&opening, out);
    if (strcmp(start, out) == 0) {
        out[0] = '\0';
    }
}

/* Whether two machines play it: a share of the pairings that does not depend on chance. */
static bool is_repeated(const struct pool *pool, const struct pairing_task *task)
{
    uint64_t draw = hash_pair(hash_pair(task->seed, VERIFY), (uint64_t)task->work.pairing);
    bool is_repeatable = true;
    for (int i = 0; i < 2; i++) {
        is_repeatable &= task->specs[i] && player_spec_is_deterministic(task->specs[i]);
    }
    return is_repeatable && draw % 100 < (uint64_t)pool->options.verify_percent;
}

static struct cluster_job job_of(const struct pool *pool, const struct tournament_work *work,
                                 bool *is_verified)
{
    struct pool_pairing pairing;
    describe(pool, work, &pairing);
    struct cluster_job job = {
        .key = {.work = *work},
        .seed = pairing.task.seed,
        .players = {player_of(&pairing, 0), player_of(&pairing, 1)},
    };
    memcpy(job.key.attempts, pairing.attempts, sizeof job.key.attempts);
    memcpy(job.round, pairing.round, sizeof job.round);
    if (pairing.has_one_opening) {
        write_opening(&pairing.task, job.start);
    }
    *is_verified = is_repeated(pool, &pairing.task);
    return job;
}

/* The next pairing; false: none begins now. */
static bool begin_next(struct pool *pool, struct tournament_work *out)
{
    return !pool->is_stopping && pool->order.bytes <= MOST_WAITING_BYTES &&
           pool->source->next(pool->owner, out);
}

static void hand_out(struct pool *pool)
{
    struct coordinator *coordinator = pool->options.coordinator;
    struct tournament_work work;
    bool is_verified = false;
    struct note why;
    int room = coordinator && pool->is_remote_ready ? coordinator_room(coordinator) : 0;
    while (room-- > 0 && begin_next(pool, &work)) {
        const struct cluster_job job = job_of(pool, &work, &is_verified);
        enum err err = coordinator_hand_out(coordinator, &job, is_verified, &why);
        if (err) {
            pool_stop(pool, err, &why);
        }
    }
}

/* A job that workers still have from an earlier run; else the coordinator removes it. */
static void adopt(struct pool *pool, const struct coordinator_event *event)
{
    const struct tournament_work *work = &event->key.work;
    bool is_verified = false;
    if (pool->is_stopping || !pool->source->claim(pool->owner, work)) {
        return;
    }
    const struct cluster_job job = job_of(pool, work, &is_verified);
    if (!coordinator_adopt(pool->options.coordinator, &job, is_verified, event->name)) {
        pool->source->unclaim(pool->owner, work);
    }
}

/* Whether a result that waited for this run can be true. */
static bool is_true(struct pool *pool, struct cluster_result *result)
{
    bool is_verified = false;
    const struct cluster_job job = job_of(pool, &result->key.work, &is_verified);
    return coordinator_is_true(pool->options.coordinator, &job, result);
}

/* A result that was not asked for since the start: whether its games are still to be played. It is
 * checked here. */
static bool is_wanted(struct pool *pool, struct cluster_result *result)
{
    const struct tournament_work *work = &result->key.work;
    bool is_in_time = !pool->is_remote_ready || pool->source->takes_late_results;
    if (!is_in_time || !pool->source->claim(pool->owner, work)) {
        return false;
    }
    if (!is_true(pool, result)) {
        pool->source->unclaim(pool->owner, work);
        return false;
    }
    return true;
}

static void end_plies(const struct pool *pool, const struct tournament_work *work)
{
    if (pool->source->on_plies_end) {
        pool->source->on_plies_end(pool->owner, work);
    }
}

/* Its games come last: when they are stored, so is all else, and the server may forget it. */
static void keep_result(struct pool *pool, struct coordinator_event *event)
{
    struct cluster_result *result = &event->result;
    const struct tournament_work work = result->key.work;
    struct pool_delivery *larger = array_reserve(pool->deliveries, &pool->delivery_capacity,
                                                 pool->delivery_count + 1, sizeof *larger);
    if (!larger) {
        stop_without_memory(pool);
        return;
    }
    end_plies(pool, &work);
    pool->deliveries = larger;
    pool->deliveries[pool->delivery_count++] =
        (struct pool_delivery){event->delivery, work, work.to - work.from};
    for (size_t i = 0; i < result->log_count; i++) {
        keep_log(pool, &work, result->machine, result->logs[i].player, result->logs[i].text);
        result->logs[i].text = NULL;
    }
    for (size_t i = 0; i < result->violation_count; i++) {
        struct violation violation = result->violations[i].violation;
        violation.first_ms = clock_unix_ms() - violation.first_ms; /* it is a duration */
        keep_violation(pool, &work, result->machine, result->violations[i].player, &violation);
    }
    for (int i = 0; i < work.to - work.from; i++) {
        take_game(pool, &work, result->machine, &result->games[i]);
    }
    end_pairing(pool, &work, ERR_NONE, NULL);
}

static void take_result(struct pool *pool, struct coordinator_event *event)
{
    if (pool->is_stopping) {
        /* It stays on the server. */
    } else if (event->is_expected || is_wanted(pool, &event->result)) {
        keep_result(pool, event);
    } else {
        coordinator_settle(pool->options.coordinator, event->delivery, true);
    }
    cluster_result_free(&event->result);
}

static void give_up(struct pool *pool, const struct tournament_work *work)
{
    struct tournament_work *larger = array_reserve(pool->given_up, &pool->given_up_capacity,
                                                   pool->given_up_count + 1, sizeof *larger);
    end_plies(pool, work);
    if (larger) {
        pool->given_up = larger;
        pool->given_up[pool->given_up_count++] = *work;
    } else {
        stop_without_memory(pool);
    }
}

static void take_event(struct pool *pool, struct coordinator_event *event)
{
    switch (event->kind) {
    case COORDINATOR_PENDING:
        adopt(pool, event);
        break;
    case COORDINATOR_READY:
        pool->is_remote_ready = true;
        break;
    case COORDINATOR_RESULT:
        take_result(pool, event);
        break;
    case COORDINATOR_GIVEN_UP:
        give_up(pool, &event->key.work);
        break;
    case COORDINATOR_REMARK:
        pool->source->on_remark(pool->owner, event->remark.text);
        break;
    case COORDINATOR_PLIES:
        if (pool->source->on_plies) {
            pool->source->on_plies(pool->owner, event->plies);
        }
        free(event->plies);
        break;
    case COORDINATOR_FAILURE:
        if (pool->source->on_failure) {
            pool->source->on_failure(pool->owner, event->machine, event->failure);
        }
        break;
    case COORDINATOR_CHANGED:
        break;
    }
}

/* True: there are more than one turn of the loop takes. */
static bool take_events(struct pool *pool)
{
    struct coordinator_event event;
    int taken = 0;
    while (pool->options.coordinator && taken < MOST_EVENTS && !pool->is_shut &&
           coordinator_next(pool->options.coordinator, &event)) {
        take_event(pool, &event);
        taken++;
    }
    return taken == MOST_EVENTS;
}

void pool_stored(struct pool *pool, int first, int count)
{
    for (size_t i = pool->delivery_count; i-- > 0;) {
        struct pool_delivery *delivery = &pool->deliveries[i];
        int begin = delivery->work.first_game + delivery->work.from;
        int end = delivery->work.first_game + delivery->work.to;
        begin = begin > first ? begin : first;
        end = end < first + count ? end : first + count;
        delivery->left -= end > begin ? end - begin : 0;
        if (delivery->left == 0) {
            coordinator_settle(pool->options.coordinator, delivery->id, false);
            *delivery = pool->deliveries[--pool->delivery_count];
        }
    }
}

/* --- All pairings --- */

/* For a slot that has nothing else to do, where no worker is there that could have it. */
static bool take_back(struct pool *pool, struct tournament_work *out)
{
    return pool->options.coordinator && coordinator_take_back(pool->options.coordinator, out);
}

static void fill_slots(struct pool *pool)
{
    bool may_begin = !pool->options.coordinator || pool->is_remote_ready;
    struct tournament_work work;
    for (int i = 0; i < pool->slot_count && !pool->is_stopping; i++) {
        struct pool_slot *slot = &pool->slots[i];
        if (slot->run.is_busy) {
            continue;
        }
        if (pool->given_up_count) {
            work = pool->given_up[--pool->given_up_count];
            play_here(slot, &work);
        } else if (may_begin && i < pool->options.slots &&
                   (begin_next(pool, &work) || take_back(pool, &work))) {
            play_here(slot, &work);
        }
    }
}

static void play_next(struct pool *pool)
{
    struct note why;
    if (pool->is_shut) {
        return;
    }
    if (!pool->is_stopping && pool->source->plan) {
        enum err err = pool->source->plan(pool->owner, &why);
        if (err) {
            pool_stop(pool, err, &why);
        }
    }
    fill_slots(pool);
    hand_out(pool);
    shut_if_done(pool);
}

static void on_wake(uv_async_t *async)
{
    struct pool *pool = async->data;
    bool has_more = take_events(pool);
    if (pool->source->on_wake && pool->source->on_wake(pool->owner)) {
        has_more = true;
    }
    if (has_more && !pool->is_shut) {
        uv_async_send(async);
    }
    play_next(pool);
}

static void on_tick(uv_timer_t *timer)
{
    struct pool *pool = timer->data;
    pool->source->on_tick(pool->owner);
}

static void on_settled(uv_prepare_t *settled)
{
    struct pool *pool = settled->data;
    pool->source->on_settled(pool->owner);
}

void pool_wake(struct pool *pool) { uv_async_send(&pool->wake); }

/* --- Opening and closing --- */

static void on_coordinator_events(void *owner) { pool_wake(owner); }

static void on_remark(void *owner, const struct game_event *event)
{
    const struct pool *pool = owner;
    pool->source->on_remark(pool->owner, event->remark);
}

static void free_memory(struct pool *pool)
{
    free(pool->slots);
    game_order_free(&pool->order);
    free(pool->deliveries);
    free(pool->given_up);
    free(pool);
}

static void open_handles(struct pool *pool)
{
    uv_loop_t *loop = match_runner_loop(pool->runner);
    for (int i = 0; i < pool->slot_count; i++) {
        struct pool_slot *slot = &pool->slots[i];
        slot->pool = pool;
        slot->number = i;
        pairing_run_init(&slot->run, pool->runner, i, &slot_sink);
    }
    uv_async_init(loop, &pool->wake, on_wake);
    uv_timer_init(loop, &pool->tick);
    uv_prepare_init(loop, &pool->settled);
    pool->wake.data = pool->tick.data = pool->settled.data = pool;
    if (pool->source->on_tick) {
        uint64_t tick_ms = pool->options.tick_ms ? (uint64_t)pool->options.tick_ms : POOL_TICK_MS;
        uv_timer_start(&pool->tick, on_tick, tick_ms, tick_ms);
    }
    if (pool->source->on_settled) {
        uv_prepare_start(&pool->settled, on_settled);
    }
}

enum err pool_open(struct pool **out, const struct pool_options *options, struct note *why)
{
    struct pool *pool = calloc(1, sizeof *pool);
    int slots = options->slots > 1 ? options->slots : 1;
    if (pool) {
        pool->slots = calloc((size_t)slots, sizeof *pool->slots);
    }
    if (!pool || !pool->slots) {
        free(pool);
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games at once", slots);
    }
    pool->options = *options;
    pool->source = options->source;
    pool->owner = options->owner;
    pool->slot_count = slots;
    pool->order.next = options->first_game;
    struct match_runner_setup setup = options->setup;
    setup.slots = slots;
    setup.sink = (struct game_sink){pool, on_remark};
    setup.owner = pool;
    setup.on_interrupt = options->leaves_signals ? NULL : on_interrupt;
    enum err err = match_runner_open(&pool->runner, &setup, why);
    if (err) {
        free_memory(pool);
        return err;
    }
    open_handles(pool);
    *out = pool;
    return ERR_NONE;
}

enum err pool_run(struct pool *pool, struct note *why)
{
    if (pool->options.coordinator) {
        coordinator_attach(pool->options.coordinator, pool, on_coordinator_events);
    }
    play_next(pool);
    uv_run(match_runner_loop(pool->runner), UV_RUN_DEFAULT);
    *why = pool->why;
    return pool->err;
}

void pool_free(struct pool *pool)
{
    if (!pool) {
        return;
    }
    if (!pool->is_shut) { /* it did not run */
        shut(pool);
    }
    uv_close((uv_handle_t *)&pool->wake, NULL);
    match_runner_finish(pool->runner);
    free_memory(pool);
}
