/* Jobs of a worker: borrowed from the server, with their programs and leases. */
#include <stdlib.h>
#include <string.h>

#include "play/worker_state.h"
#include "base/array.h"
#include "base/clock.h"
#include "cluster/program_files.h"

enum {
    HELLO_MS = 4000, /* between two signs of life */
    FETCH_MS = 1000,
    PAUSE_MS = 300,
    LATER_MS = 200, /* at least, until a job that is for another machine is lent out again */
};

/* --- The list --- */

struct worker_work *worker_jobs_find(struct worker *w, enum work_state state)
{
    for (struct worker_work *work = w->works; work; work = work->next) {
        if (work->state == state) {
            return work;
        }
    }
    return NULL;
}

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

void worker_jobs_set_state(struct worker *w, struct worker_work *work, enum work_state state)
{
    pthread_mutex_lock(&w->mutex);
    work->state = state;
    w->busy_ns = clock_now_ns();
    if (state == WORK_DONE) { /* its slot is free */
        pthread_cond_signal(&w->wakes[WORKER_DELIVERER]);
        pthread_cond_signal(&w->wakes[WORKER_FETCHER]);
    }
    pthread_mutex_unlock(&w->mutex);
}

void worker_jobs_drop(struct worker *w, struct worker_work *work)
{
    pthread_mutex_lock(&w->mutex);
    unlink_work(w, work);
    w->busy_ns = clock_now_ns();
    if (work->state != WORK_DONE) {
        pthread_cond_signal(&w->wakes[WORKER_FETCHER]);
    }
    pthread_mutex_unlock(&w->mutex);
    free_work(work);
}

void worker_jobs_give_back(struct worker *w, struct worker_work *work, const char *why)
{
    worker_link_report(&w->link, CLUSTER_RETURNED, &work->job.key, why);
    queue_give_back(w->link.queue, &work->message);
    worker_jobs_drop(w, work);
}

/* --- Fetching --- */

/* A sign of life; date and lease may be new. False: no coordinator answers. */
static bool greet(struct worker *w)
{
    struct cluster_welcome welcome;
    struct note why;
    enum err err = worker_link_hello(&w->link, &welcome, &why);
    if (err == ERR_NEGATIVE) {
        worker_stop(w, err, why.text);
    } else if (!err && welcome.conditions != w->conditions) {
        worker_stop(w, ERR_ENVIRONMENT,
                    "other games or rules than when this worker began: start it again");
    } else if (!err) {
        pthread_mutex_lock(&w->mutex);
        memcpy(w->terms.date, welcome.terms.date, sizeof w->terms.date);
        w->terms.lease_ms = welcome.terms.lease_ms;
        pthread_cond_signal(&w->wakes[WORKER_RENEWER]);
        pthread_mutex_unlock(&w->mutex);
    }
    return !err;
}

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
    if (work->job.start[0]) {
        err = game_read_position(w->game, work->job.start, &work->start, why);
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
            err = player_spec_rehearse(&work->specs[i], w->terms.rules.python, &w->sandbox, why);
        }
    }
    return err ? ERR_ENVIRONMENT : ERR_NONE;
}

/* A job that is not for this worker, now. Not always for the same time: two workers could keep
 * fetching each other's jobs. */
static void put_off(struct worker *w, struct queue_message *message, struct worker_work *work)
{
    int more_ms = (int)(clock_now_ns() / 1000 % LATER_MS);
    queue_give_back_later(w->link.queue, message, LATER_MS + more_ms);
    queue_free(message);
    free(work);
}

/* Its lease ran out while this machine slept, and it is lent to it again: what renews and
 * acknowledges the first loan also does so for this one. */
static bool has_work(struct worker *w, const struct cluster_key *key)
{
    pthread_mutex_lock(&w->mutex);
    const struct worker_work *work = w->works;
    while (work && !cluster_key_equal(&work->job.key, key)) {
        work = work->next;
    }
    pthread_mutex_unlock(&w->mutex);
    return work;
}

static void take_job(struct worker *w, struct queue_message *message)
{
    struct note why;
    struct worker_work *work = calloc(1, sizeof *work);
    if (!work) {
        queue_give_back(w->link.queue, message);
        queue_free(message);
        worker_stop(w, ERR_ENVIRONMENT, "no memory for a job");
        return;
    }
    if (cluster_read_job(message->data, message->count, &work->job, &why) ||
        work->job.conditions != w->conditions) {
        put_off(w, message, work);
        greet(w); /* another coordinator refuses it, or removes the job */
        return;
    }
    if (strcmp(work->job.avoid, w->link.hello.machine) == 0) {
        put_off(w, message, work);
        return;
    }
    if (has_work(w, &work->job.key)) {
        queue_free(message);
        free(work);
        return;
    }
    work->message = *message;
    pthread_mutex_lock(&w->mutex);
    memcpy(work->date, w->terms.date, sizeof work->date);
    work->next = w->works;
    w->works = work;
    w->busy_ns = clock_now_ns();
    pthread_mutex_unlock(&w->mutex);
    worker_link_report(&w->link, CLUSTER_BEGUN, &work->job.key, "");
    if (prepare_work(w, work, &why)) {
        struct note reason;
        note_set(&reason, "the work is given back: %.300s", why.text);
        worker_jobs_give_back(w, work, why.text);
        worker_stop(w, ERR_ENVIRONMENT, reason.text);
        return;
    }
    worker_jobs_set_state(w, work, WORK_READY);
    pool_wake(w->pool);
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
        pthread_cond_timedwait(&w->wakes[WORKER_FETCHER], &w->mutex, &until);
    }
    pthread_mutex_unlock(&w->mutex);
    return busy < w->link.hello.concurrency;
}

void *worker_jobs_fetch(void *owner)
{
    struct worker *w = owner;
    int64_t hello_ns = clock_now_ns();
    unsigned reconnects = 0; /* until then a coordinator has answered: a new one knows no workers */
    struct note why;
    while (!worker_is_stopping(w)) {
        if (atomic_load(w->options->stop)) { /* before the loop had its handlers, or SIGHUP */
            worker_stop(w, ERR_INTERRUPTED, "stopped");
        }
        unsigned reconnected = queue_reconnects(w->link.queue);
        if (clock_now_ns() - hello_ns > HELLO_MS * CLOCK_NS_PER_MS || reconnected != reconnects) {
            reconnects = greet(w) ? reconnected : reconnects;
            hello_ns = clock_now_ns();
        }
        if (queue_is_closed(w->link.queue)) {
            worker_stop(w, ERR_NEGATIVE, "the NATS server refuses this worker file");
        }
        if (is_idle_too_long(w)) {
            worker_stop(w, ERR_NONE, "there was no work for the time of --idle-exit");
        }
        struct queue_message message = {0};
        if (!has_free_slot(w) || worker_is_stopping(w)) {
            continue;
        }
        enum err err = queue_fetch(w->link.queue, w->link.names.jobs, 1, FETCH_MS, &message, &why);
        if (!err) {
            take_job(w, &message);
        } else if (err == ERR_ENVIRONMENT) {
            worker_pause(PAUSE_MS);
        }
    }
    return NULL;
}

/* --- Leases --- */

/* The lock is not held while the connection is used, which may wait for the network: the judge
 * takes it. */
void *worker_jobs_renew(void *owner)
{
    struct worker *w = owner;
    struct queue_lease *leases = NULL;
    size_t capacity = 0;
    pthread_mutex_lock(&w->mutex);
    while (!w->is_ended) {
        int known_ms = w->terms.lease_ms; /* a tournament that was resumed may have another one */
        struct timespec until = clock_realtime_after(known_ms * CLOCK_NS_PER_MS / 3);
        while (!w->is_ended && w->terms.lease_ms >= known_ms &&
               pthread_cond_timedwait(&w->wakes[WORKER_RENEWER], &w->mutex, &until) == 0) {
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
