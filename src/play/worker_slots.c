/* Slots of a worker: in each a job is played, in the judge's thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/worker_state.h"
#include "base/array.h"
#include "base/clock.h"

enum { SHOW_MS = 200 }; /* between two messages about a running game */

/* --- Spectators --- */

/* The lock is held. */
static bool has_running_game(const struct worker *w)
{
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        if (w->slots[i].board.is_running) {
            return true;
        }
    }
    return false;
}

/* One message for each game, and not more often than SHOW_MS. Not in the judge's thread: to send
 * may mean to wait for the network. */
void *worker_slots_show(void *owner)
{
    struct worker *w = owner;
    struct cluster_plies *plies = malloc(sizeof *plies);
    pthread_mutex_lock(&w->mutex);
    while (plies && !w->is_ended) {
        if (!has_running_game(w)) {
            pthread_cond_wait(&w->change, &w->mutex);
            continue;
        }
        for (int i = 0; i < w->link.hello.concurrency; i++) {
            bool is_new = worker_board_next(&w->slots[i].board, w->game, plies);
            pthread_mutex_unlock(&w->mutex);
            if (is_new) {
                worker_link_show(&w->link, plies);
            }
            pthread_mutex_lock(&w->mutex);
        }
        struct timespec until = clock_realtime_after(SHOW_MS * CLOCK_NS_PER_MS);
        while (!w->is_ended && pthread_cond_timedwait(&w->change, &w->mutex, &until) == 0) {
        }
    }
    pthread_mutex_unlock(&w->mutex);
    free(plies);
    return NULL;
}

/* --- Playing --- */

static void on_event(struct pairing_run *run, const struct game_event *event)
{
    struct worker_slot *slot = (struct worker_slot *)run;
    struct worker *w = slot->worker;
    const struct cluster_key *key = &slot->work->job.key;
    pthread_mutex_lock(&w->mutex);
    if (event->kind == GAME_EVENT_PLY) {
        worker_board_add(&slot->board, event->ply);
    } else if (!key->is_qualification && !w->terms.is_selfplay) { /* these have no spectators */
        worker_board_begin(&slot->board, key, run->index, event->judge);
        pthread_cond_broadcast(&w->change);
    }
    pthread_mutex_unlock(&w->mutex);
}

static void end_board(struct worker_slot *slot)
{
    pthread_mutex_lock(&slot->worker->mutex);
    worker_board_end(&slot->board);
    pthread_mutex_unlock(&slot->worker->mutex);
}

static void on_game(struct pairing_run *run, struct pairing_game *take_game)
{
    struct worker_work *work = ((struct worker_slot *)run)->work;
    end_board((struct worker_slot *)run);
    work->result.games[take_game->index - work->job.key.work.from] = *take_game;
}

static void on_log(struct pairing_run *run, int player, char *take_text)
{
    struct worker_work *work = ((struct worker_slot *)run)->work;
    struct cluster_result *result = &work->result;
    struct cluster_log *logs =
        array_reserve(result->logs, &work->log_capacity, result->log_count + 1, sizeof *logs);
    result->logs = logs ? logs : result->logs;
    if (!logs || result->log_count == CLUSTER_MAX_LOGS) {
        free(take_text);
        return;
    }
    logs[result->log_count++] = (struct cluster_log){player, take_text};
}

/* Its time becomes a duration: the clock of this machine may be wrong. */
static void on_violation(struct pairing_run *run, int player, const struct violation *violation)
{
    struct worker_work *work = ((struct worker_slot *)run)->work;
    struct cluster_result *result = &work->result;
    struct cluster_violation *list = array_reserve(result->violations, &work->violation_capacity,
                                                   result->violation_count + 1, sizeof *list);
    int64_t age_ms = clock_unix_ms() - violation->first_ms;
    result->violations = list ? list : result->violations;
    if (list && result->violation_count < CLUSTER_MAX_VIOLATIONS) {
        list[result->violation_count] = (struct cluster_violation){player, *violation};
        list[result->violation_count++].violation.first_ms = age_ms > 0 ? age_ms : 0;
    }
}

static void on_again(struct pairing_run *run, const struct note *why)
{
    const struct worker *w = ((struct worker_slot *)run)->worker;
    struct note sentence;
    note_set(&sentence, "a game is played again: %.300s", why->text);
    w->options->on_remark(w->options->owner, sentence.text);
}

static void shut_if_done(struct worker *w);

static void on_done(struct pairing_run *run, enum err err, const struct note *why)
{
    struct worker_slot *slot = (struct worker_slot *)run;
    struct worker *w = slot->worker;
    struct worker_work *work = slot->work;
    end_board(slot);
    slot->work = NULL;
    if (!err) {
        worker_jobs_set_state(w, work, WORK_DONE);
    } else if (err == ERR_INTERRUPTED) {
        worker_jobs_give_back(w, work, "the worker was stopped");
    } else {
        struct note reason;
        note_set(&reason, "the work is given back: %.300s", why->text);
        worker_jobs_give_back(w, work, why->text);
        worker_stop(w, ERR_ENVIRONMENT, reason.text);
    }
    shut_if_done(w);
}

static const struct pairing_run_sink slot_sink = {
    .on_event = on_event,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .on_again = on_again,
    .on_done = on_done,
};

static void start_work(struct worker *w, struct worker_slot *slot, struct worker_work *work)
{
    const struct cluster_terms *terms = &w->terms;
    const struct cluster_job *job = &work->job;
    struct note why;
    struct pairing_task task = {
        .work = job->key.work,
        .rules = {.game = w->game,
                  .has_auction = terms->has_auction,
                  .limit_ns = terms->limit_ns,
                  .grace_ns = terms->grace_ns,
                  .hard_limit_ns = terms->hard_limit_ns,
                  .game_limit_ns = terms->game_limit_ns,
                  .startup_ns = terms->startup_ns,
                  .late_limit = terms->late_limit},
        .seed = job->seed,
        .event = job->terms.is_selfplay ? NULL : job->terms.event,
        .round = job->terms.is_selfplay ? NULL : job->round,
        .is_selfplay = job->terms.is_selfplay,
        .opening_plies = job->terms.opening_plies,
        .date = job->terms.date,
        .sandbox = terms->has_programs ? sandbox_level(&w->sandbox) : NULL,
    };
    for (int i = 0; i < 2; i++) {
        task.specs[i] = job->players[i].can_play ? &work->specs[i] : NULL;
        task.absence[i] = job->players[i].absence.text;
        task.names[i] = job->terms.is_selfplay ? NULL : job->players[i].name;
    }
    snprintf(work->result.sandbox, sizeof work->result.sandbox, "%s",
             task.sandbox ? task.sandbox : "");
    slot->work = work;
    worker_jobs_set_state(w, work, WORK_PLAYING);
    enum err err = pairing_run_start(&slot->run, &task, &why);
    if (err) {
        on_done(&slot->run, err, &why);
    }
}

static struct worker_work *take_ready(struct worker *w)
{
    pthread_mutex_lock(&w->mutex);
    struct worker_work *work = w->is_stopping ? NULL : worker_jobs_find(w, WORK_READY);
    pthread_mutex_unlock(&w->mutex);
    return work;
}

static void shut_if_done(struct worker *w)
{
    bool is_busy = false;
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        is_busy |= w->slots[i].run.is_busy;
    }
    if (w->is_shut || is_busy || !worker_is_stopping(w)) {
        return;
    }
    w->is_shut = true;
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        pairing_run_close(&w->slots[i].run);
    }
    match_runner_close(w->runner);
}

static void on_wake(uv_async_t *async)
{
    struct worker *w = async->data;
    struct worker_work *work = NULL;
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        if (!w->slots[i].work && (work = take_ready(w))) {
            start_work(w, &w->slots[i], work);
        }
    }
    if (worker_is_stopping(w) && !w->is_shut) {
        for (int i = 0; i < w->link.hello.concurrency; i++) {
            struct worker_slot *slot = &w->slots[i];
            pairing_run_stop(&slot->run);
            if (slot->work && !slot->run.is_busy) { /* it waited to play a game again */
                worker_jobs_give_back(w, slot->work, "the worker was stopped");
                slot->work = NULL;
            }
        }
        shut_if_done(w);
    }
}

/* --- Opening and closing --- */

static void on_interrupt(void *owner) { worker_stop(owner, ERR_INTERRUPTED, "stopped"); }

static void on_remark(void *owner, const struct game_event *event)
{
    const struct worker *w = owner;
    w->options->on_remark(w->options->owner, event->remark);
}

enum err worker_slots_open(struct worker *w, struct note *why)
{
    const struct match_runner_setup setup = {
        .cpu_level = w->options->cpu,
        .sandbox = w->terms.has_programs ? &w->sandbox : NULL,
        .python = w->terms.python,
        .violations_lose = w->terms.violations_lose,
        .ponder = w->terms.ponder,
        .slots = w->link.hello.concurrency,
        .has_tcp = w->terms.has_tcp,
        .sink = {w, on_remark},
        .owner = w,
        .on_interrupt = on_interrupt,
    };
    w->slots = calloc((size_t)w->link.hello.concurrency, sizeof *w->slots);
    if (!w->slots) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games at once",
                         w->link.hello.concurrency);
    }
    enum err err = match_runner_open(&w->runner, &setup, why);
    if (err) {
        return err;
    }
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        pairing_run_init(&w->slots[i].run, w->runner, i, &slot_sink);
        w->slots[i].worker = w;
    }
    uv_async_init(match_runner_loop(w->runner), &w->wake, on_wake);
    w->wake.data = w;
    return ERR_NONE;
}

void worker_slots_free(struct worker *w)
{
    for (int i = 0; w->slots && i < w->link.hello.concurrency; i++) {
        pairing_run_free(&w->slots[i].run);
        worker_board_free(&w->slots[i].board);
    }
    free(w->slots);
    w->slots = NULL;
}
