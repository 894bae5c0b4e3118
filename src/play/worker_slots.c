/* Slots of a worker: the source of a pool (play/pool.h) that plays the jobs which were fetched. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "play/worker_state.h"
#include "base/array.h"
#include "base/clock.h"

enum { SHOW_MS = 200 }; /* between two messages about a running game */

/* --- Spectators --- */

/* The lock is held. */
static bool has_running_game(const struct worker *w)
{
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        if (w->boards[i].is_running) {
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
            w->is_shower_idle = true;
            pthread_cond_wait(&w->wakes[WORKER_SHOWER], &w->mutex);
            w->is_shower_idle = false;
            continue;
        }
        for (int i = 0; i < w->link.hello.concurrency; i++) {
            bool is_new = worker_board_next(&w->boards[i], w->game, plies);
            pthread_mutex_unlock(&w->mutex);
            if (is_new) {
                worker_link_show(&w->link, plies);
            }
            pthread_mutex_lock(&w->mutex);
        }
        struct timespec until = clock_realtime_after(SHOW_MS * CLOCK_NS_PER_MS);
        while (!w->is_ended &&
               pthread_cond_timedwait(&w->wakes[WORKER_SHOWER], &w->mutex, &until) == 0) {
        }
    }
    pthread_mutex_unlock(&w->mutex);
    free(plies);
    return NULL;
}

/* --- Playing --- */

static bool is_of(const struct tournament_work *one, const struct tournament_work *other)
{
    return one->pairing == other->pairing && one->from == other->from;
}

/* The job that is played. Only the judge's thread changes this state. */
static struct worker_work *find_played(struct worker *w, const struct tournament_work *work)
{
    pthread_mutex_lock(&w->mutex);
    struct worker_work *found = w->works;
    while (found && (found->state != WORK_PLAYING || !is_of(&found->job.key.work, work))) {
        found = found->next;
    }
    pthread_mutex_unlock(&w->mutex);
    assert(found);
    return found;
}

static bool take_ready(void *owner, struct tournament_work *out)
{
    struct worker *w = owner;
    pthread_mutex_lock(&w->mutex);
    struct worker_work *work = w->is_stopping ? NULL : worker_jobs_find(w, WORK_READY);
    pthread_mutex_unlock(&w->mutex);
    if (work) {
        *out = work->job.key.work;
        worker_jobs_set_state(w, work, WORK_PLAYING);
    }
    return work;
}

static void describe(void *owner, const struct tournament_work *played, struct pool_pairing *out)
{
    struct worker *w = owner;
    struct worker_work *work = find_played(w, played);
    const struct cluster_terms *terms = &w->terms;
    const struct cluster_job *job = &work->job;
    bool is_selfplay = terms->rules.is_selfplay;
    out->task = (struct pairing_task){
        .rules = terms->rules,
        .seed = job->seed,
        .event = terms->event[0] ? terms->event : NULL,
        .openings = job->start[0] ? &work->start : NULL,
        .opening_count = 1,
        .date = work->date,
        .machine = is_selfplay ? NULL : work->result.machine,
        .sandbox = terms->has_programs ? sandbox_level(&w->sandbox) : NULL,
    };
    snprintf(out->round, sizeof out->round, "%s", job->round);
    for (int i = 0; i < 2; i++) {
        out->task.specs[i] = job->players[i].can_play ? &work->specs[i] : NULL;
        out->task.absence[i] = job->players[i].absence.text;
        out->task.names[i] = is_selfplay ? NULL : job->players[i].name;
    }
    snprintf(work->result.sandbox, sizeof work->result.sandbox, "%s",
             out->task.sandbox ? out->task.sandbox : "");
}

static void on_event(void *owner, const struct pool_place *place, const struct game_event *event)
{
    struct worker *w = owner;
    struct worker_board *board = &w->boards[place->slot];
    const struct cluster_key *key = &find_played(w, place->work)->job.key;
    pthread_mutex_lock(&w->mutex);
    if (event->kind == GAME_EVENT_PLY) {
        worker_board_add(board, event->ply);
    } else if (event->kind == GAME_EVENT_START && key->work.phase == PHASE_ROUNDS &&
               !w->terms.rules.is_selfplay) { /* the others have no spectators */
        worker_board_begin(board, key, place->index, event->judge);
        if (w->is_shower_idle) {
            pthread_cond_signal(&w->wakes[WORKER_SHOWER]);
        }
    }
    pthread_mutex_unlock(&w->mutex);
}

static void end_board(struct worker *w, const struct tournament_work *work)
{
    pthread_mutex_lock(&w->mutex);
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        if (is_of(&w->boards[i].key.work, work)) {
            worker_board_end(&w->boards[i]);
        }
    }
    pthread_mutex_unlock(&w->mutex);
}

static void on_game(void *owner, const struct tournament_work *played, const char *machine,
                    struct finished_game *take_game)
{
    struct worker_work *work = find_played(owner, played);
    (void)machine;
    end_board(owner, played);
    work->result.games[take_game->index - played->from] = *take_game;
}

static void on_log(void *owner, const struct tournament_work *played, const char *machine,
                   int player, char *take_text)
{
    struct worker_work *work = find_played(owner, played);
    struct cluster_result *result = &work->result;
    struct cluster_log *logs =
        array_reserve(result->logs, &work->log_capacity, result->log_count + 1, sizeof *logs);
    (void)machine;
    result->logs = logs ? logs : result->logs;
    if (!logs || result->log_count == CLUSTER_MAX_LOGS) {
        free(take_text);
        return;
    }
    logs[result->log_count++] = (struct cluster_log){player, take_text};
}

/* Its time becomes a duration: the clock of this machine may be wrong. */
static void on_violation(void *owner, const struct tournament_work *played, const char *machine,
                         int player, const struct violation *violation)
{
    struct worker_work *work = find_played(owner, played);
    struct cluster_result *result = &work->result;
    struct cluster_violation *list = array_reserve(result->violations, &work->violation_capacity,
                                                   result->violation_count + 1, sizeof *list);
    int64_t age_ms = clock_unix_ms() - violation->first_ms;
    (void)machine;
    result->violations = list ? list : result->violations;
    if (list && result->violation_count < CLUSTER_MAX_VIOLATIONS) {
        list[result->violation_count] = (struct cluster_violation){player, *violation};
        list[result->violation_count++].violation.first_ms = age_ms > 0 ? age_ms : 0;
    }
}

static void on_remark(void *owner, const char *sentence)
{
    const struct worker *w = owner;
    w->options->on_remark(w->options->owner, sentence);
}

static void on_done(void *owner, const struct tournament_work *played, enum err err,
                    const struct note *why)
{
    struct worker *w = owner;
    struct worker_work *work = find_played(w, played);
    end_board(w, played);
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
}

static bool is_over(void *owner, bool is_stopping)
{
    (void)owner;
    return is_stopping;
}

static void on_stop(void *owner, enum err err, const struct note *why)
{
    worker_stop(owner, err, why->text);
}

static bool on_wake(void *owner)
{
    struct worker *w = owner;
    if (worker_is_stopping(w)) {
        pool_stop(w->pool, w->err, &w->why);
    }
    return false;
}

static const struct pool_source source = {
    .next = take_ready,
    .describe = describe,
    .on_event = on_event,
    .on_game = on_game,
    .on_log = on_log,
    .on_violation = on_violation,
    .on_done = on_done,
    .is_over = is_over,
    .on_stop = on_stop,
    .on_wake = on_wake,
    .on_remark = on_remark,
};

/* --- Opening and closing --- */

enum err worker_slots_open(struct worker *w, struct note *why)
{
    const struct pool_options options = {
        .source = &source,
        .owner = w,
        .setup = {.cpu_level = w->options->cpu,
                  .sandbox = w->terms.has_programs ? &w->sandbox : NULL,
                  .has_tcp = w->terms.has_tcp},
        .slots = w->link.hello.concurrency,
    };
    w->boards = calloc((size_t)w->link.hello.concurrency, sizeof *w->boards);
    if (!w->boards) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %d games at once",
                         w->link.hello.concurrency);
    }
    return pool_open(&w->pool, &options, why);
}

void worker_slots_free(struct worker *w)
{
    for (int i = 0; w->boards && i < w->link.hello.concurrency; i++) {
        worker_board_free(&w->boards[i]);
    }
    free(w->boards);
    w->boards = NULL;
}
