#include "web/thinker.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

struct thinker {
    struct answerer answerer;
    struct engine engine;
    pthread_t id;
    pthread_mutex_t lock; /* guards everything below it */
    pthread_cond_t changed;
    bool is_ending;
    size_t count;
    struct thinker_job *jobs[THINKER_MAX_JOBS];

    /* Whose jobs were done last, the latest at [(done_count - 1) % THINKER_MAX_JOBS]. */
    uint64_t done_for[THINKER_MAX_JOBS];
    size_t done_count;
};

static void refuse(struct thinker_job *job, const char *why)
{
    job->err = ERR_ENVIRONMENT;
    note_set(&job->why, "%s", why);
}

static void do_job(const struct answerer *answerer, struct thinker_job *job)
{
    FILE *out = open_memstream(&job->text, &job->size);
    if (!out) {
        refuse(job, "there is not enough memory for the answer");
        return;
    }
    job->err = job->answer->write(answerer, &job->question, out, &job->why);
    fclose(out);
    if (job->err) {
        free(job->text);
        job->text = NULL;
    }
}

/* How many jobs ago this visitor had a turn; THINKER_MAX_JOBS: longer ago, or never. */
static size_t jobs_since_turn(const struct thinker *thinker, uint64_t visitor)
{
    size_t known = thinker->done_count < THINKER_MAX_JOBS ? thinker->done_count : THINKER_MAX_JOBS;
    for (size_t i = 0; i < known; i++) {
        if (thinker->done_for[(thinker->done_count - 1 - i) % THINKER_MAX_JOBS] == visitor) {
            return i;
        }
    }
    return THINKER_MAX_JOBS;
}

/* The oldest job of whoever has waited longest for a turn. */
static struct thinker_job *take_next(struct thinker *thinker)
{
    size_t chosen = 0;
    for (size_t i = 1; i < thinker->count; i++) {
        if (jobs_since_turn(thinker, thinker->jobs[i]->visitor) >
            jobs_since_turn(thinker, thinker->jobs[chosen]->visitor)) {
            chosen = i;
        }
    }
    struct thinker_job *job = thinker->jobs[chosen];
    thinker->count--;
    memmove(thinker->jobs + chosen, thinker->jobs + chosen + 1,
            (thinker->count - chosen) * sizeof thinker->jobs[0]);
    thinker->done_for[thinker->done_count++ % THINKER_MAX_JOBS] = job->visitor;
    return job;
}

/* NULL: the thinker is sent home and nothing is left to do. */
static struct thinker_job *wait_for_job(struct thinker *thinker, bool *is_ending)
{
    pthread_mutex_lock(&thinker->lock);
    while (thinker->count == 0 && !thinker->is_ending) {
        pthread_cond_wait(&thinker->changed, &thinker->lock);
    }
    struct thinker_job *job = thinker->count ? take_next(thinker) : NULL;
    *is_ending = thinker->is_ending;
    pthread_mutex_unlock(&thinker->lock);
    return job;
}

static void *serve(void *argument)
{
    struct thinker *thinker = argument;
    bool is_ending = false;
    struct thinker_job *job = NULL;
    while ((job = wait_for_job(thinker, &is_ending))) {
        if (is_ending) {
            refuse(job, "the arena is closing");
        } else {
            do_job(&thinker->answerer, job);
        }
        job->on_done(job->owner);
    }
    return NULL;
}

enum err thinker_start(enum cpu_level cpu, struct thinker **out, struct note *why)
{
    struct thinker *thinker = calloc(1, sizeof *thinker);
    if (!thinker) {
        note_set(why, "there is not enough memory to think");
        return ERR_ENVIRONMENT;
    }
    enum err err = engine_init(&thinker->engine, THINKER_HASH_MB, 1, why);
    if (err) {
        free(thinker);
        return err;
    }
    thinker->answerer = (struct answerer){.cpu = cpu,
                                          .engine = &thinker->engine,
                                          .max_time_ns = THINKER_MAX_TIME_MS * CLOCK_NS_PER_MS,
                                          .max_nodes = UINT64_MAX,
                                          .max_plies = THINKER_MAX_PLIES};
    pthread_mutex_init(&thinker->lock, NULL);
    pthread_cond_init(&thinker->changed, NULL);
    int error = pthread_create(&thinker->id, NULL, serve, thinker);
    if (error) {
        note_set(why, "cannot start a thread: %s", strerror(error));
        engine_free(&thinker->engine);
        free(thinker);
        return ERR_ENVIRONMENT;
    }
    *out = thinker;
    return ERR_NONE;
}

void thinker_stop(struct thinker *thinker)
{
    pthread_mutex_lock(&thinker->lock);
    thinker->is_ending = true;
    pthread_cond_signal(&thinker->changed);
    pthread_mutex_unlock(&thinker->lock);
    pthread_join(thinker->id, NULL);
}

void thinker_free(struct thinker *thinker)
{
    if (thinker) {
        pthread_cond_destroy(&thinker->changed);
        pthread_mutex_destroy(&thinker->lock);
        engine_free(&thinker->engine);
        free(thinker);
    }
}

static enum thinker_reply room_for(const struct thinker *thinker, uint64_t visitor)
{
    size_t own = 0;
    for (size_t i = 0; i < thinker->count; i++) {
        own += thinker->jobs[i]->visitor == visitor;
    }
    if (own >= THINKER_MAX_JOBS_EACH) {
        return THINKER_SHARE_IS_FULL;
    }
    bool has_room = thinker->count < THINKER_MAX_JOBS && !thinker->is_ending;
    return has_room ? THINKER_TAKEN : THINKER_IS_FULL;
}

enum thinker_reply thinker_add(struct thinker *thinker, struct thinker_job *job)
{
    pthread_mutex_lock(&thinker->lock);
    enum thinker_reply reply = room_for(thinker, job->visitor);
    if (reply == THINKER_TAKEN) {
        thinker->jobs[thinker->count++] = job;
        pthread_cond_signal(&thinker->changed);
    }
    pthread_mutex_unlock(&thinker->lock);
    return reply;
}
