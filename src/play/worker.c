#include "play/worker.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "play/speed.h"
#include "play/worker_state.h"
#include "base/clock.h"
#include "base/cores.h"
#include "cluster/cluster_host.h"
#include "game/registry.h"

enum { PAUSE_MS = 300 }; /* between two attempts to connect */

/* --- Stopping --- */

/* The lock is held. */
static void wake_all(struct worker *w)
{
    for (int i = 0; i < WORKER_THREADS; i++) {
        pthread_cond_signal(&w->wakes[i]);
    }
}

void worker_stop(struct worker *w, enum err err, const char *why)
{
    pthread_mutex_lock(&w->mutex);
    if (!w->is_stopping) {
        w->is_stopping = true;
        w->err = err;
        note_set(&w->why, "%s", why);
    }
    wake_all(w);
    pthread_mutex_unlock(&w->mutex);
    pool_wake(w->pool);
}

bool worker_is_stopping(struct worker *w)
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
        worker_stop(w, ERR_NONE,
                    w->terms.event[0] ? "the tournament is over" : "all games are played");
    }
}

void worker_pause(int ms)
{
    nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * CLOCK_NS_PER_MS},
              NULL);
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
            w->conditions = welcome.conditions;
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
        worker_pause(PAUSE_MS);
    }
}

static void report_acceptance(const struct worker *w)
{
    struct note sentence;
    int slots = w->link.hello.concurrency;
    const char *kind = w->terms.rules.is_selfplay ? "self-play"
                       : w->terms.event[0]        ? "tournament: "
                                                  : "match";
    note_set(&sentence, "accepted by the coordinator: %s%.200s (%s), %d slot%s", kind,
             w->terms.event, w->terms.game, slots, slots == 1 ? "" : "s");
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
    w->terms.rules.judge.game = w->game;
    limits.memory_bytes = w->terms.rules.memory_bytes;
    if (w->terms.has_programs) {
        err = sandbox_probe(w->terms.rules.sandbox, &limits, NULL, &w->sandbox, &missing);
        if (err) {
            *why = missing;
            return err;
        }
        err = sandbox_folder_add_own(&w->neighbours, w->scratch.path, why);
        w->sandbox.neighbours = &w->neighbours;
    }
    if (err) {
        return err;
    }
    err = speed_measure(w->game, &w->link.hello.speed, why);
    if (err) {
        return err;
    }
    w->link.hello.host =
        cluster_host_make(w->options->version, w->terms.has_programs ? w->terms.rules.python : NULL,
                          w->sandbox.features);
    w->link.hello.is_ready = true;
    if (w->terms.rules.is_selfplay && !w->options->concurrency) {
        w->link.hello.concurrency = cores_count(); /* one side thinks at a time */
    }
    struct cluster_welcome welcome;
    err = worker_link_hello(&w->link, &welcome, why);
    if (!err) {
        report_acceptance(w);
    }
    return err == ERR_ENVIRONMENT ? ERR_NONE : err; /* it is repeated */
}

static void end_threads(struct worker *w, pthread_t *threads, int count)
{
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
        if (i == WORKER_FETCHER) { /* no more jobs: the others end when all is delivered */
            pthread_mutex_lock(&w->mutex);
            w->is_ended = true;
            wake_all(w);
            pthread_mutex_unlock(&w->mutex);
        }
    }
}

/* The pool is freed last: the threads wake it. */
static enum err play(struct worker *w, struct note *why)
{
    static void *(*const bodies[WORKER_THREADS])(void *) = {[WORKER_FETCHER] = worker_jobs_fetch,
                                                            [WORKER_DELIVERER] =
                                                                worker_results_deliver,
                                                            [WORKER_RENEWER] = worker_jobs_renew,
                                                            [WORKER_SHOWER] = worker_slots_show};
    pthread_t threads[WORKER_THREADS];
    int count = 0;
    enum err err = worker_slots_open(w, why);
    if (err) {
        return err;
    }
    w->busy_ns = clock_now_ns();
    if (queue_subscribe(w->link.queue, w->link.names.over, on_over, w, why)) {
        worker_stop(w, ERR_ENVIRONMENT, why->text);
    }
    while (count < WORKER_THREADS && pthread_create(&threads[count], NULL, bodies[count], w) == 0) {
        count++;
    }
    if (count < WORKER_THREADS) {
        worker_stop(w, ERR_ENVIRONMENT, "cannot start a thread");
    }
    struct note ended;
    worker_stop(w, pool_run(w->pool, &ended), ended.text); /* the first reason counts */
    end_threads(w, threads, count);
    while (w->works) {
        worker_jobs_give_back(w, w->works, "the worker was stopped");
    }
    worker_link_report(&w->link, CLUSTER_LEAVING, NULL,
                       w->err && w->err != ERR_INTERRUPTED ? w->why.text : "");
    queue_close(w->link.queue); /* no call follows */
    w->link.queue = NULL;
    pool_free(w->pool);
    *why = w->why;
    return w->err;
}

enum err worker_run(const struct worker_options *options, struct note *why)
{
    struct worker w = {.options = options};
    int back = -1;
    int pairs = (cores_count() - 1) / 2;
    w.link = worker_link_make(&options->address, options->version, options->name,
                              options->concurrency ? options->concurrency
                              : pairs > 1          ? pairs
                                                   : 1);
    pthread_mutex_init(&w.mutex, NULL);
    for (int i = 0; i < WORKER_THREADS; i++) {
        pthread_cond_init(&w.wakes[i], NULL);
    }
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
    worker_slots_free(&w);
    sandbox_folder_free_neighbours(&w.neighbours);
    folder_scratch_remove(&w.scratch);
    for (int i = 0; i < WORKER_THREADS; i++) {
        pthread_cond_destroy(&w.wakes[i]);
    }
    pthread_mutex_destroy(&w.mutex);
    return err;
}
