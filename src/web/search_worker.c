#include "web/search_worker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mailbox.h"

struct search_worker {
    struct api_context context;
    struct engine engine;
    pthread_t id;
    struct mailbox jobs; /* of struct search_worker_job * */

    /* The thread's: the clients whose jobs were done last, the latest at [(done_count - 1) %
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

/* How many jobs ago its client had a turn; SEARCH_WORKER_MAX_JOBS: longer ago, or never. */
static size_t jobs_since_turn(void *owner, const void *value)
{
    const struct search_worker *worker = owner;
    const struct search_worker_job *const *job = value;
    size_t known =
        worker->done_count < SEARCH_WORKER_MAX_JOBS ? worker->done_count : SEARCH_WORKER_MAX_JOBS;
    for (size_t i = 0; i < known; i++) {
        if (worker->done_for[(worker->done_count - 1 - i) % SEARCH_WORKER_MAX_JOBS] ==
            (*job)->client) {
            return i;
        }
    }
    return SEARCH_WORKER_MAX_JOBS;
}

static void *serve(void *argument)
{
    struct search_worker *worker = argument;
    struct search_worker_job *job = NULL;
    while (mailbox_wait_best(&worker->jobs, jobs_since_turn, worker, &job)) {
        worker->done_for[worker->done_count++ % SEARCH_WORKER_MAX_JOBS] = job->client;
        if (mailbox_is_closed(&worker->jobs)) {
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
    enum err err =
        mailbox_init(&worker->jobs, SEARCH_WORKER_MAX_JOBS, sizeof(void *), NULL, NULL, why);
    err = err ? err : engine_init(&worker->engine, SEARCH_WORKER_HASH_MB, 1, why);
    worker->context =
        (struct api_context){.cpu = cpu,
                             .engine = &worker->engine,
                             .max_time_ns = SEARCH_WORKER_MAX_TIME_MS * CLOCK_NS_PER_MS,
                             .max_nodes = UINT64_MAX,
                             .max_plies = SEARCH_WORKER_MAX_PLIES};
    int error = err ? 0 : pthread_create(&worker->id, NULL, serve, worker);
    if (error) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot start a thread: %s", strerror(error));
    }
    if (err) {
        search_worker_free(worker);
        return err;
    }
    *out = worker;
    return ERR_NONE;
}

void search_worker_stop(struct search_worker *worker)
{
    mailbox_close(&worker->jobs);
    pthread_join(worker->id, NULL);
}

void search_worker_free(struct search_worker *worker)
{
    if (worker) {
        mailbox_free(&worker->jobs);
        engine_free(&worker->engine);
        free(worker);
    }
}

static size_t is_of_client(void *owner, const void *value)
{
    const uint64_t *client = owner;
    const struct search_worker_job *const *job = value;
    return (*job)->client == *client;
}

enum search_worker_reply search_worker_add(struct search_worker *worker,
                                           struct search_worker_job *job)
{
    if (mailbox_count(&worker->jobs, is_of_client, &job->client) >= SEARCH_WORKER_MAX_JOBS_EACH) {
        return SEARCH_WORKER_SHARE_IS_FULL;
    }
    return mailbox_put(&worker->jobs, &job) ? SEARCH_WORKER_TAKEN : SEARCH_WORKER_IS_FULL;
}
