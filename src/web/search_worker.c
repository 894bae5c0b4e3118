#include "web/search_worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

struct search_worker {
    struct api_context context;
    struct engine engine;
    pthread_t id;
    pthread_mutex_t lock; /* guards everything below it */
    pthread_cond_t changed;
    bool is_ending;
    size_t count;
    struct search_worker_job *jobs[SEARCH_WORKER_MAX_JOBS];

    /* The clients whose jobs were done last, the latest at [(done_count - 1) %
     * SEARCH_WORKER_MAX_JOBS]. */
    uint64_t done_for[SEARCH_WORKER_MAX_JOBS];
    size_t done_count;
};

static void refuse(struct search_worker_job *job, const char *why)
{
    job->err = ERR_ENVIRONMENT;
    note_set(&job->why, "%s", why);
}

static void do_job(const struct api_context *context, struct search_worker_job *job)
{
    FILE *out = open_memstream(&job->text, &job->size);
    if (!out) {
        refuse(job, "out of memory for the answer");
        return;
    }
    job->err = job->endpoint->write(context, &job->query, out, &job->why);
    fclose(out);
    if (job->err) {
        free(job->text);
        job->text = NULL;
    }
}

/* How many jobs ago this client had a turn; SEARCH_WORKER_MAX_JOBS: longer ago, or never. */
static size_t jobs_since_turn(const struct search_worker *worker, uint64_t client)
{
    size_t known =
        worker->done_count < SEARCH_WORKER_MAX_JOBS ? worker->done_count : SEARCH_WORKER_MAX_JOBS;
    for (size_t i = 0; i < known; i++) {
        if (worker->done_for[(worker->done_count - 1 - i) % SEARCH_WORKER_MAX_JOBS] == client) {
            return i;
        }
    }
    return SEARCH_WORKER_MAX_JOBS;
}

/* The oldest job of the client that has waited longest for a turn. */
static struct search_worker_job *take_next(struct search_worker *worker)
{
    size_t chosen = 0;
    for (size_t i = 1; i < worker->count; i++) {
        if (jobs_since_turn(worker, worker->jobs[i]->client) >
            jobs_since_turn(worker, worker->jobs[chosen]->client)) {
            chosen = i;
        }
    }
    struct search_worker_job *job = worker->jobs[chosen];
    worker->count--;
    memmove(worker->jobs + chosen, worker->jobs + chosen + 1,
            (worker->count - chosen) * sizeof worker->jobs[0]);
    worker->done_for[worker->done_count++ % SEARCH_WORKER_MAX_JOBS] = job->client;
    return job;
}

/* NULL: the worker must stop and nothing is left to do. */
static struct search_worker_job *wait_for_job(struct search_worker *worker, bool *is_ending)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->count == 0 && !worker->is_ending) {
        pthread_cond_wait(&worker->changed, &worker->lock);
    }
    struct search_worker_job *job = worker->count ? take_next(worker) : NULL;
    *is_ending = worker->is_ending;
    pthread_mutex_unlock(&worker->lock);
    return job;
}

static void *serve(void *argument)
{
    struct search_worker *worker = argument;
    bool is_ending = false;
    struct search_worker_job *job = NULL;
    while ((job = wait_for_job(worker, &is_ending))) {
        if (is_ending) {
            refuse(job, "the server is stopping");
        } else {
            do_job(&worker->context, job);
        }
        job->on_done(job->owner);
    }
    return NULL;
}

enum err search_worker_start(enum cpu_level cpu, struct search_worker **out, struct note *why)
{
    struct search_worker *worker = calloc(1, sizeof *worker);
    if (!worker) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory for the search worker");
    }
    enum err err = engine_init(&worker->engine, SEARCH_WORKER_HASH_MB, 1, why);
    if (err) {
        free(worker);
        return err;
    }
    worker->context =
        (struct api_context){.cpu = cpu,
                             .engine = &worker->engine,
                             .max_time_ns = SEARCH_WORKER_MAX_TIME_MS * CLOCK_NS_PER_MS,
                             .max_nodes = UINT64_MAX,
                             .max_plies = SEARCH_WORKER_MAX_PLIES};
    pthread_mutex_init(&worker->lock, NULL);
    pthread_cond_init(&worker->changed, NULL);
    int error = pthread_create(&worker->id, NULL, serve, worker);
    if (error) {
        note_set(why, "cannot start a thread: %s", strerror(error));
        engine_free(&worker->engine);
        free(worker);
        return ERR_ENVIRONMENT;
    }
    *out = worker;
    return ERR_NONE;
}

void search_worker_stop(struct search_worker *worker)
{
    pthread_mutex_lock(&worker->lock);
    worker->is_ending = true;
    pthread_cond_signal(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
    pthread_join(worker->id, NULL);
}

void search_worker_free(struct search_worker *worker)
{
    if (worker) {
        pthread_cond_destroy(&worker->changed);
        pthread_mutex_destroy(&worker->lock);
        engine_free(&worker->engine);
        free(worker);
    }
}

static enum search_worker_reply room_for(const struct search_worker *worker, uint64_t client)
{
    size_t own = 0;
    for (size_t i = 0; i < worker->count; i++) {
        own += worker->jobs[i]->client == client;
    }
    if (own >= SEARCH_WORKER_MAX_JOBS_EACH) {
        return SEARCH_WORKER_SHARE_IS_FULL;
    }
    bool has_room = worker->count < SEARCH_WORKER_MAX_JOBS && !worker->is_ending;
    return has_room ? SEARCH_WORKER_TAKEN : SEARCH_WORKER_IS_FULL;
}

enum search_worker_reply search_worker_add(struct search_worker *worker,
                                           struct search_worker_job *job)
{
    pthread_mutex_lock(&worker->lock);
    enum search_worker_reply reply = room_for(worker, job->client);
    if (reply == SEARCH_WORKER_TAKEN) {
        worker->jobs[worker->count++] = job;
        pthread_cond_signal(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);
    return reply;
}
