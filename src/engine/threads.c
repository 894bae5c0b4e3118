#include "engine/threads.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct member {
    struct threads *crew;
    pthread_t id;
    int index;
};

struct threads {
    pthread_mutex_t lock; /* guards everything below it */
    pthread_cond_t work_came;
    pthread_cond_t work_done;
    unsigned round; /* counts pieces of work, so that a waiting member knows a new one */
    int busy;
    bool is_ending;
    threads_work_fn *work;
    void *context;
    int count; /* of members: the caller is none */
    struct member members[];
};

/* Waits for a round after `seen`; false when the crew is sent home. */
static bool wait_for_work(struct threads *crew, unsigned seen)
{
    pthread_mutex_lock(&crew->lock);
    while (crew->round == seen && !crew->is_ending) {
        pthread_cond_wait(&crew->work_came, &crew->lock);
    }
    bool is_ending = crew->is_ending;
    pthread_mutex_unlock(&crew->lock);
    return !is_ending;
}

static void report_done(struct threads *crew)
{
    pthread_mutex_lock(&crew->lock);
    if (--crew->busy == 0) {
        pthread_cond_signal(&crew->work_done);
    }
    pthread_mutex_unlock(&crew->lock);
}

static void *serve(void *argument)
{
    struct member *member = argument;
    struct threads *crew = member->crew;
    for (unsigned round = 0; wait_for_work(crew, round); round++) {
        crew->work(crew->context, member->index);
        report_done(crew);
    }
    return NULL;
}

enum err threads_start(int count, struct threads **out, struct note *why)
{
    if (count <= 1) {
        *out = NULL;
        return ERR_NONE;
    }
    size_t others = (size_t)count - 1;
    struct threads *crew = calloc(1, sizeof *crew + others * sizeof crew->members[0]);
    if (!crew) {
        note_set(why, "there is not enough memory for %d threads", count);
        return ERR_ENVIRONMENT;
    }
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->work_came, NULL);
    pthread_cond_init(&crew->work_done, NULL);
    for (size_t i = 0; i < others; i++) {
        crew->members[i] = (struct member){.crew = crew, .index = (int)i + 1};
        int error = pthread_create(&crew->members[i].id, NULL, serve, &crew->members[i]);
        if (error) {
            note_set(why, "cannot start thread %zu: %s", i + 2, strerror(error));
            threads_end(crew);
            return ERR_ENVIRONMENT;
        }
        crew->count++;
    }
    *out = crew;
    return ERR_NONE;
}

void threads_run(struct threads *threads, threads_work_fn *work, void *context)
{
    if (!threads) {
        work(context, 0);
        return;
    }
    pthread_mutex_lock(&threads->lock);
    threads->work = work;
    threads->context = context;
    threads->busy = threads->count;
    threads->round++;
    pthread_cond_broadcast(&threads->work_came);
    pthread_mutex_unlock(&threads->lock);
    work(context, 0);
    pthread_mutex_lock(&threads->lock);
    while (threads->busy > 0) {
        pthread_cond_wait(&threads->work_done, &threads->lock);
    }
    pthread_mutex_unlock(&threads->lock);
}

void threads_end(struct threads *threads)
{
    if (!threads) {
        return;
    }
    pthread_mutex_lock(&threads->lock);
    threads->is_ending = true;
    pthread_cond_broadcast(&threads->work_came);
    pthread_mutex_unlock(&threads->lock);
    for (int i = 0; i < threads->count; i++) {
        pthread_join(threads->members[i].id, NULL);
    }
    pthread_cond_destroy(&threads->work_done);
    pthread_cond_destroy(&threads->work_came);
    pthread_mutex_destroy(&threads->lock);
    free(threads);
}
