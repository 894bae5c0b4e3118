/* Long because five threads share one list of jobs, and all that changes it is here.
 *
 * Threads: the judge's, which is the caller's; one fetches jobs and programs and sends signs of
 * life; one delivers results; one renews the leases, whatever the others wait for; one tells
 * spectators about running games. */
#include "app/worker.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/match_runner.h"
#include "app/pairing_run.h"
#include "app/speed.h"
#include "app/worker_board.h"
#include "app/worker_link.h"
#include "base/array.h"
#include "base/clock.h"
#include "base/folder.h"
#include "cluster/cluster_codec.h"
#include "cluster/cluster_host.h"
#include "cluster/cluster_pack.h"
#include "cluster/program_files.h"
#include "game/registry.h"
#include "sandbox/sandbox_neighbours.h"

enum {
    HELLO_MS = 4000, /* between two signs of life */
    FETCH_MS = 1000,
    STORE_MS = 10000,
    PAUSE_MS = 300,
    LAST_STORE_MS = 15000, /* after Ctrl-C */
    SHOW_MS = 200,         /* between two messages about a running game */
    LATER_MS = 200,        /* at least, until a job that is for another machine is lent out again */
};

enum { FETCHER, DELIVERER, RENEWER, SHOWER, THREADS };

enum work_state { WORK_FETCHED, WORK_READY, WORK_PLAYING, WORK_DONE };

struct worker;

/* A job that is borrowed. */
struct worker_work {
    struct worker_work *next;
    enum work_state state;
    struct queue_message message;
    struct cluster_job job;
    struct player_spec specs[2];
    struct cluster_result result;
    size_t log_capacity;
    size_t violation_capacity;
};

struct worker_slot {
    struct pairing_run run; /* first: its sink gets it back */
    struct worker *worker;
    struct worker_work *work;  /* NULL: free */
    struct worker_board board; /* under the lock */
};

struct worker {
    const struct worker_options *options;
    struct worker_link link;
    struct cluster_terms terms;
    const struct game *game;
    struct folder_scratch scratch; /* the programs are below it */
    struct sandbox sandbox;
    struct sandbox_neighbours neighbours;
    struct match_runner *runner;
    struct worker_slot *slots;
    uv_async_t wake;
    bool is_shut;

    pthread_mutex_t mutex; /* of what follows */
    pthread_cond_t change;
    struct worker_work *works;
    bool is_stopping;
    bool is_ended; /* no more games: threads end when they have nothing left */
    enum err err;
    struct note why;
    int64_t busy_ns; /* when there was work last */
};

/* --- Stopping --- */

static void stop(struct worker *w, enum err err, const char *why)
{
    pthread_mutex_lock(&w->mutex);
    if (!w->is_stopping) {
        w->is_stopping = true;
        w->err = err;
        note_set(&w->why, "%s", why);
    }
    pthread_cond_broadcast(&w->change);
    pthread_mutex_unlock(&w->mutex);
    uv_async_send(&w->wake);
}

static bool is_stopping(struct worker *w)
{
    pthread_mutex_lock(&w->mutex);
    bool is_so = w->is_stopping;
    pthread_mutex_unlock(&w->mutex);
    return is_so;
}

static void on_over(void *owner, const void *data, size_t count, const char *reply)
{
    struct worker *w = owner;
    (void)reply;
    if (count == strlen(CLUSTER_OVER) && memcmp(data, CLUSTER_OVER, count) == 0) {
        stop(w, ERR_NONE, w->terms.is_selfplay ? "all games are played" : "the tournament is over");
    }
}

static void pause_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * CLOCK_NS_PER_MS},
              NULL);
}

/* --- Works --- */

static void free_work(struct worker_work *work)
{
    queue_free(&work->message);
    cluster_result_free(&work->result);
    free(work);
}

/* The lock is held. */
static void unlink_work(struct worker *w, struct worker_work *work)
{
    for (struct worker_work **at = &w->works; *at; at = &(*at)->next) {
        if (*at == work) {
            *at = work->next;
            return;
        }
    }
}

static void set_state(struct worker *w, struct worker_work *work, enum work_state state)
{
    pthread_mutex_lock(&w->mutex);
    work->state = state;
    w->busy_ns = clock_now_ns();
    pthread_cond_broadcast(&w->change);
    pthread_mutex_unlock(&w->mutex);
}

static void drop_work(struct worker *w, struct worker_work *work)
{
    pthread_mutex_lock(&w->mutex);
    unlink_work(w, work);
    w->busy_ns = clock_now_ns();
    pthread_cond_broadcast(&w->change);
    pthread_mutex_unlock(&w->mutex);
    free_work(work);
}

/* For this machine's own reasons: it does not count against the pairing. */
static void give_back(struct worker *w, struct worker_work *work, const char *why)
{
    worker_link_report(&w->link, CLUSTER_RETURNED, &work->job.key, why);
    queue_give_back(w->link.queue, &work->message);
    drop_work(w, work);
}

/* --- Fetching jobs --- */

/* Programs and players. ERR_ENVIRONMENT: this machine cannot play it. */
static enum err prepare_work(struct worker *w, struct worker_work *work, struct note *why)
{
    size_t games = (size_t)(work->job.key.work.to - work->job.key.work.from);
    enum err err = ERR_NONE;
    work->result.key = work->job.key;
    work->result.games = calloc(games, sizeof *work->result.games);
    if (!work->result.games) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for %zu games", games);
    }
    memcpy(work->result.machine, w->link.hello.machine, sizeof work->result.machine);
    if (strcmp(work->job.version, w->link.hello.host.version) != 0) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "the coordinator is now plum %s, this worker is plum %s: install the same",
                         work->job.version, w->link.hello.host.version);
    }
    if (!cluster_terms_equal(&work->job.terms, &w->terms)) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "other games or rules than when this worker began: start it again");
    }
    for (int i = 0; !err && i < 2; i++) {
        const struct cluster_player *player = &work->job.players[i];
        if (player->program[0]) {
            err = program_files_fetch(w->link.queue, w->link.names.blob, player->program,
                                      w->scratch.path, why);
        }
        if (!err && player->can_play) {
            err = player_spec_read(player->spec, w->game, &work->specs[i], why);
        }
        if (!err && player->can_play) {
            err = player_spec_rehearse(&work->specs[i], w->terms.python, &w->sandbox, why);
        }
    }
    return err ? ERR_ENVIRONMENT : ERR_NONE;
}

static void take_job(struct worker *w, struct queue_message *message)
{
    struct note why;
    struct worker_work *work = calloc(1, sizeof *work);
    if (!work) {
        queue_give_back(w->link.queue, message);
        queue_free(message);
        stop(w, ERR_ENVIRONMENT, "no memory for a job");
        return;
    }
    if (cluster_read_job(message->data, message->count, &work->job, &why)) {
        /* Not from the coordinator: it would stop one worker after the other. */
        queue_acknowledge(w->link.queue, message);
        queue_free(message);
        free(work);
        w->options->on_remark(w->options->owner, why.text);
        return;
    }
    work->message = *message;
    pthread_mutex_lock(&w->mutex);
    work->next = w->works;
    w->works = work;
    w->busy_ns = clock_now_ns();
    pthread_mutex_unlock(&w->mutex);
    enum worker_claim claim = worker_link_claim(&w->link, &work->job.key);
    if (claim == CLAIM_DROP) {
        queue_acknowledge(w->link.queue, &work->message);
    } else if (claim == CLAIM_RETURN) {
        /* Not always the same time: two workers could keep fetching each other's jobs. */
        int more_ms = (int)(clock_now_ns() / 1000 % LATER_MS);
        queue_give_back_later(w->link.queue, &work->message, LATER_MS + more_ms);
    }
    if (claim != CLAIM_PLAY) {
        drop_work(w, work);
        return;
    }
    if (prepare_work(w, work, &why)) {
        struct note reason;
        note_set(&reason, "the work is given back: %.300s", why.text);
        give_back(w, work, why.text);
        stop(w, ERR_ENVIRONMENT, reason.text);
        return;
    }
    set_state(w, work, WORK_READY);
    uv_async_send(&w->wake);
}

static bool is_idle_too_long(struct worker *w)
{
    pthread_mutex_lock(&w->mutex);
    bool is_so =
        w->options->idle_ns && !w->works && clock_now_ns() - w->busy_ns > w->options->idle_ns;
    pthread_mutex_unlock(&w->mutex);
    return is_so;
}

/* Waits a moment if there is none. */
static bool has_free_slot(struct worker *w)
{
    struct timespec until = clock_realtime_after(PAUSE_MS * CLOCK_NS_PER_MS);
    pthread_mutex_lock(&w->mutex);
    bool is_first = true;
    int busy = 0;
    for (;;) {
        busy = 0;
        for (const struct worker_work *work = w->works; work; work = work->next) {
            busy += work->state <= WORK_PLAYING;
        }
        if (busy < w->link.hello.concurrency || !is_first || w->is_stopping) {
            break;
        }
        is_first = false;
        pthread_cond_timedwait(&w->change, &w->mutex, &until);
    }
    pthread_mutex_unlock(&w->mutex);
    return busy < w->link.hello.concurrency;
}

static void *fetch_jobs(void *owner)
{
    struct worker *w = owner;
    int64_t hello_ns = clock_now_ns();
    struct cluster_welcome welcome;
    struct note why;
    while (!is_stopping(w)) {
        if (clock_now_ns() - hello_ns > HELLO_MS * CLOCK_NS_PER_MS) {
            if (worker_link_hello(&w->link, &welcome, &why) == ERR_NEGATIVE) {
                stop(w, ERR_NEGATIVE, why.text);
            }
            hello_ns = clock_now_ns();
        }
        if (queue_is_closed(w->link.queue)) {
            stop(w, ERR_NEGATIVE, "the NATS server refuses this worker file");
        }
        if (is_idle_too_long(w)) {
            stop(w, ERR_NONE, "there was no work for the time of --idle-exit");
        }
        struct queue_message message = {0};
        if (!has_free_slot(w) || is_stopping(w)) {
            continue;
        }
        enum err err = queue_fetch(w->link.queue, w->link.names.jobs, FETCH_MS, &message, &why);
        if (!err) {
            take_job(w, &message);
        } else if (err == ERR_ENVIRONMENT) {
            pause_ms(PAUSE_MS);
        }
    }
    return NULL;
}

/* --- Delivering results --- */

static struct worker_work *find_work(struct worker *w, enum work_state state)
{
    for (struct worker_work *work = w->works; work; work = work->next) {
        if (work->state == state) {
            return work;
        }
    }
    return NULL;
}

static enum err encode(struct worker *w, struct worker_work *work, struct cluster_bytes *out)
{
    enum err err = cluster_write_result(&work->result, out);
    err = err ? err : cluster_pack(out);
    bool is_too_large = err || out->count > queue_max_bytes(w->link.queue);
    if (is_too_large && work->result.log_count) {
        free(out->data); /* what programs printed is worth less than the games */
        *out = (struct cluster_bytes){0};
        for (size_t i = 0; i < work->result.log_count; i++) {
            free(work->result.logs[i].text);
        }
        work->result.log_count = 0;
        return encode(w, work, out);
    }
    return err;
}

/* Whether it should be tried once more to store a result. A worker that is stopped tries for a
 * while, and not at all when the tournament is over. */
static bool may_retry(struct worker *w, int64_t *stopped_ns)
{
    pthread_mutex_lock(&w->mutex);
    bool is_so = w->is_stopping;
    bool is_over = is_so && !w->err;
    pthread_mutex_unlock(&w->mutex);
    int64_t now_ns = clock_now_ns();
    *stopped_ns = *stopped_ns ? *stopped_ns : is_so ? now_ns : 0;
    return !is_so || (!is_over && now_ns - *stopped_ns < LAST_STORE_MS * CLOCK_NS_PER_MS &&
                      !queue_is_closed(w->link.queue));
}

/* Until the server has confirmed it. */
static void deliver(struct worker *w, struct worker_work *work)
{
    struct cluster_bytes bytes = {0};
    struct note why;
    uint64_t number = 0;
    int64_t stopped_ns = 0;
    enum err err = encode(w, work, &bytes);
    bool is_too_large = !err && bytes.count > queue_max_bytes(w->link.queue);
    bool is_stored = false;
    bool is_remarked = false;
    bool may_try = !err && !is_too_large;
    while (may_try && !is_stored) {
        is_stored = !queue_store(w->link.queue, w->link.names.result, bytes.data, bytes.count,
                                 STORE_MS, &number, &why);
        may_try = is_stored || may_retry(w, &stopped_ns);
        if (!is_stored && may_try) {
            if (!is_remarked) {
                is_remarked = true;
                note_prefix(&why, "a result cannot be delivered yet");
                w->options->on_remark(w->options->owner, why.text);
            }
            pause_ms(PAUSE_MS);
        }
    }
    free(bytes.data);
    if (is_too_large) { /* also for every other worker */
        worker_link_report(&w->link, CLUSTER_TOO_LARGE, &work->job.key, "");
    }
    if (is_stored && is_remarked) {
        w->options->on_remark(w->options->owner, "the delayed result is delivered");
    }
    if (is_stored || is_too_large) {
        queue_acknowledge(w->link.queue, &work->message);
        drop_work(w, work);
    } else {
        give_back(w, work, err ? "no memory for a result" : "the server does not take the result");
        stop(w, ERR_ENVIRONMENT, "a result could not be delivered; the work is given back");
    }
}

static void *deliver_results(void *owner)
{
    struct worker *w = owner;
    pthread_mutex_lock(&w->mutex);
    for (;;) {
        struct worker_work *work = find_work(w, WORK_DONE);
        if (work) {
            pthread_mutex_unlock(&w->mutex);
            deliver(w, work);
            pthread_mutex_lock(&w->mutex);
        } else if (w->is_ended) {
            break;
        } else {
            pthread_cond_wait(&w->change, &w->mutex);
        }
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

/* --- Leases --- */

/* The shortest lease of its jobs: a tournament that was resumed may have another one. */
static int lease_ms(const struct worker *w)
{
    int shortest_ms = w->terms.lease_ms;
    for (const struct worker_work *work = w->works; work; work = work->next) {
        int own_ms = work->job.terms.lease_ms;
        shortest_ms = own_ms < shortest_ms ? own_ms : shortest_ms;
    }
    return shortest_ms;
}

/* The lock is not held while the connection is used, which may wait for the network: the judge
 * takes it. */
static void *renew_leases(void *owner)
{
    struct worker *w = owner;
    struct queue_lease *leases = NULL;
    size_t capacity = 0;
    pthread_mutex_lock(&w->mutex);
    while (!w->is_ended) {
        struct timespec until = clock_realtime_after(lease_ms(w) * CLOCK_NS_PER_MS / 3);
        int known_ms = lease_ms(w);
        while (!w->is_ended && lease_ms(w) >= known_ms &&
               pthread_cond_timedwait(&w->change, &w->mutex, &until) == 0) {
        }
        size_t count = 0;
        for (const struct worker_work *work = w->works; work; work = work->next) {
            struct queue_lease *larger =
                array_reserve(leases, &capacity, count + 1, sizeof *larger);
            if (larger) {
                leases = larger;
                leases[count++] = queue_lease(&work->message);
            }
        }
        pthread_mutex_unlock(&w->mutex);
        for (size_t i = 0; i < count; i++) {
            queue_renew(w->link.queue, &leases[i]);
        }
        pthread_mutex_lock(&w->mutex);
    }
    pthread_mutex_unlock(&w->mutex);
    free(leases);
    return NULL;
}

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
static void *show_games(void *owner)
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
        set_state(w, work, WORK_DONE);
    } else if (err == ERR_INTERRUPTED) {
        give_back(w, work, "the worker was stopped");
    } else {
        struct note reason;
        note_set(&reason, "the work is given back: %.300s", why->text);
        give_back(w, work, why->text);
        stop(w, ERR_ENVIRONMENT, reason.text);
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
    set_state(w, work, WORK_PLAYING);
    enum err err = pairing_run_start(&slot->run, &task, &why);
    if (err) {
        on_done(&slot->run, err, &why);
    }
}

static struct worker_work *take_ready(struct worker *w)
{
    pthread_mutex_lock(&w->mutex);
    struct worker_work *work = w->is_stopping ? NULL : find_work(w, WORK_READY);
    pthread_mutex_unlock(&w->mutex);
    return work;
}

static void shut_if_done(struct worker *w)
{
    bool is_busy = false;
    for (int i = 0; i < w->link.hello.concurrency; i++) {
        is_busy |= w->slots[i].run.is_busy;
    }
    if (w->is_shut || is_busy || !is_stopping(w)) {
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
    if (is_stopping(w) && !w->is_shut) {
        for (int i = 0; i < w->link.hello.concurrency; i++) {
            struct worker_slot *slot = &w->slots[i];
            pairing_run_stop(&slot->run);
            if (slot->work && !slot->run.is_busy) { /* it waited to play a game again */
                give_back(w, slot->work, "the worker was stopped");
                slot->work = NULL;
            }
        }
        shut_if_done(w);
    }
}

static void on_interrupt(void *owner) { stop(owner, ERR_INTERRUPTED, "stopped"); }

static void on_remark(void *owner, const struct game_event *event)
{
    const struct worker *w = owner;
    w->options->on_remark(w->options->owner, event->remark);
}

/* --- From the first connection to the last --- */

static enum err must_stop(const struct worker *w, int64_t since_ns, struct note *why)
{
    if (atomic_load(w->options->stop)) {
        return note_fail(why, ERR_INTERRUPTED, "stopped");
    }
    if (w->options->idle_ns && clock_now_ns() - since_ns > w->options->idle_ns) {
        return note_fail(why, ERR_ENVIRONMENT,
                         "no coordinator answered within the time of --idle-exit");
    }
    return ERR_NONE;
}

/* The coordinator may start later than its workers. */
static enum err enter(struct worker *w, struct note *why)
{
    int64_t since_ns = clock_now_ns();
    struct cluster_welcome welcome;
    bool is_remarked = false;
    for (;;) {
        struct note reason;
        enum err err = w->link.queue ? ERR_NONE
                                     : queue_open(&w->link.queue, &w->options->address,
                                                  "plum worker", &reason);
        err = err ? err : worker_link_hello(&w->link, &welcome, &reason);
        if (!err) {
            w->terms = welcome.terms;
            return ERR_NONE;
        }
        if (err == ERR_NEGATIVE || (w->link.queue && queue_is_closed(w->link.queue))) {
            *why = reason;
            return ERR_NEGATIVE;
        }
        if (!is_remarked) {
            is_remarked = true;
            note_prefix(&reason, "waiting");
            w->options->on_remark(w->options->owner, reason.text);
        }
        err = must_stop(w, since_ns, why);
        if (err) {
            return err;
        }
        pause_ms(PAUSE_MS);
    }
}

static void report_acceptance(const struct worker *w)
{
    struct note sentence;
    int slots = w->link.hello.concurrency;
    note_set(&sentence, "accepted by the coordinator: %s%.200s (%s), %d slot%s",
             w->terms.is_selfplay ? "self-play" : "tournament: ",
             w->terms.is_selfplay ? "" : w->terms.event, w->terms.game, slots,
             slots == 1 ? "" : "s");
    w->options->on_remark(w->options->owner, sentence.text);
}

/* Programs see only their own files: the folder of all programs belongs to Plum. */
static enum err prepare(struct worker *w, struct note *why)
{
    struct sandbox_limits limits = sandbox_limits_default();
    struct note missing = {""};
    enum err err = ERR_NONE;
    w->game = registry_find(w->options->cpu, w->terms.game, why);
    if (!w->game) {
        return ERR_NEGATIVE;
    }
    limits.memory_bytes = w->terms.memory_bytes;
    if (w->terms.has_programs) {
        err = sandbox_probe(w->terms.sandbox, &limits, NULL, &w->sandbox, &missing);
        if (err) {
            *why = missing;
            return err;
        }
        err = sandbox_neighbours_add_own(&w->neighbours, w->scratch.path, true, why);
        w->sandbox.neighbours = &w->neighbours;
    }
    if (err) {
        return err;
    }
    err = speed_measure(w->game, &w->link.hello.speed, why);
    if (err) {
        return err;
    }
    w->link.hello.host = cluster_host_make(
        w->options->version, w->terms.has_programs ? w->terms.python : NULL, w->sandbox.features);
    w->link.hello.is_ready = true;
    if (w->terms.is_selfplay && !w->options->concurrency) {
        w->link.hello.concurrency = match_runner_cores(); /* one side thinks at a time */
    }
    struct cluster_welcome welcome;
    err = worker_link_hello(&w->link, &welcome, why);
    if (!err) {
        report_acceptance(w);
    }
    return err == ERR_ENVIRONMENT ? ERR_NONE : err; /* it is repeated */
}

static enum err open_runner(struct worker *w, struct note *why)
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

static void end_threads(struct worker *w, pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        if (i == FETCHER) { /* no more jobs: the others end when all is delivered */
            pthread_mutex_lock(&w->mutex);
            w->is_ended = true;
            pthread_cond_broadcast(&w->change);
            pthread_mutex_unlock(&w->mutex);
        }
    }
}

/* The async handle is closed last: the threads use it. */
static enum err play(struct worker *w, struct note *why)
{
    static void *(*const bodies[THREADS])(void *) = {[FETCHER] = fetch_jobs,
                                                     [DELIVERER] = deliver_results,
                                                     [RENEWER] = renew_leases,
                                                     [SHOWER] = show_games};
    pthread_t threads[THREADS];
    int count = 0;
    enum err err = open_runner(w, why);
    if (err) {
        return err;
    }
    uv_unref((uv_handle_t *)&w->wake);
    w->busy_ns = clock_now_ns();
    if (queue_subscribe(w->link.queue, w->link.names.over, on_over, w, why)) {
        stop(w, ERR_ENVIRONMENT, why->text);
    }
    while (count < THREADS && pthread_create(&threads[count], NULL, bodies[count], w) == 0) {
        count++;
    }
    if (count < THREADS) {
        stop(w, ERR_ENVIRONMENT, "cannot start a thread");
    }
    uv_run(match_runner_loop(w->runner), UV_RUN_DEFAULT);
    end_threads(w, threads, count);
    while (w->works) {
        give_back(w, w->works, "the worker was stopped");
    }
    worker_link_report(&w->link, CLUSTER_LEAVING, NULL,
                       w->err && w->err != ERR_INTERRUPTED ? w->why.text : "");
    queue_close(w->link.queue); /* no call follows */
    w->link.queue = NULL;
    uv_close((uv_handle_t *)&w->wake, NULL);
    match_runner_finish(w->runner);
    *why = w->why;
    return w->err;
}

enum err worker_run(const struct worker_options *options, struct note *why)
{
    struct worker w = {.options = options};
    int back = -1;
    int pairs = (match_runner_cores() - 1) / 2;
    w.link = worker_link_make(&options->address, options->version, options->name,
                              options->concurrency ? options->concurrency
                              : pairs > 1          ? pairs
                                                   : 1);
    pthread_mutex_init(&w.mutex, NULL);
    pthread_cond_init(&w.change, NULL);
    enum err err = folder_scratch_make(&w.scratch, why);
    if (!err) {
        (void)chmod(w.scratch.path, 0755); /* root's programs run as another user */
        err = folder_enter(w.scratch.path, &back, why);
    }
    err = err ? err : enter(&w, why);
    err = err ? err : prepare(&w, why);
    err = err ? err : play(&w, why);
    err = folder_return(back, err, why);
    queue_close(w.link.queue);
    for (int i = 0; w.slots && i < w.link.hello.concurrency; i++) {
        pairing_run_free(&w.slots[i].run);
        worker_board_free(&w.slots[i].board);
    }
    free(w.slots);
    sandbox_neighbours_free(&w.neighbours);
    folder_scratch_remove(&w.scratch);
    pthread_cond_destroy(&w.change);
    pthread_mutex_destroy(&w.mutex);
    return err;
}
