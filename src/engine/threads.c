#include "engine/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A thread of the pool; the first one is the caller's. */
struct pool_thread {
    struct threads *pool;
    pthread_t id;
    int index;
    pthread_mutex_t lock; /* guards `is_woken` */
    pthread_cond_t woken;
    bool is_woken;
};

struct threads {
    pthread_mutex_t lock; /* guards everything below it */
    pthread_cond_t work_came;
    pthread_cond_t work_done;
    unsigned round; /* counts pieces of work, so that a waiting thread knows a new one */
    int busy;
    bool is_ending;
    threads_work_fn *work;
    void *context;
    int count; /* of threads that run, the caller included */
    struct pool_thread all[];
};

/* Waits for a round after `seen`; false when the pool ends. */
static bool wait_for_work(struct threads *pool, unsigned seen)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->round == seen && !pool->is_ending) {
        pthread_cond_wait(&pool->work_came, &pool->lock);
    }
    bool is_ending = pool->is_ending;
    pthread_mutex_unlock(&pool->lock);
    return !is_ending;
}

static void report_done(struct threads *pool)
{
    pthread_mutex_lock(&pool->lock);
    if (--pool->busy == 0) {
        pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *serve(void *argument)
{
    struct pool_thread *self = argument;
    struct threads *pool = self->pool;
    for (unsigned round = 0; wait_for_work(pool, round); round++) {
        pool->work(pool->context, self->index);
        report_done(pool);
    }
    return NULL;
}

static int start_thread(struct threads *pool, int index)
{
    struct pool_thread *thread = &pool->all[index];
    *thread = (struct pool_thread){.pool = pool, .index = index};
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->woken, NULL);
    int error = index > 0 ? pthread_create(&thread->id, NULL, serve, thread) : 0;
    if (error) {
        pthread_cond_destroy(&thread->woken);
        pthread_mutex_destroy(&thread->lock);
    }
    return error;
}

enum err threads_start(int count, struct threads **out, struct note *why)
{
    if (count <= 1) {
        *out = NULL;
        return ERR_NONE;
    }
    struct threads *pool = calloc(1, sizeof *pool + (size_t)count * sizeof pool->all[0]);
    if (!pool) {
        note_set(why, "there is not enough memory for %d threads", count);
        return ERR_ENVIRONMENT;
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_came, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    for (; pool->count < count; pool->count++) {
        int error = start_thread(pool, pool->count);
        if (error) {
            note_set(why, "cannot start thread %d: %s", pool->count + 1, strerror(error));
            threads_end(pool);
            return ERR_ENVIRONMENT;
        }
    }
    *out = pool;
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
    threads->busy = threads->count - 1;
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

void threads_sleep(struct threads *threads, int index)
{
    struct pool_thread *thread = &threads->all[index];
    pthread_mutex_lock(&thread->lock);
    while (!thread->is_woken) {
        pthread_cond_wait(&thread->woken, &thread->lock);
    }
    thread->is_woken = false;
    pthread_mutex_unlock(&thread->lock);
}

void threads_wake(struct threads *threads, int index)
{
    struct pool_thread *thread = &threads->all[index];
    pthread_mutex_lock(&thread->lock);
    thread->is_woken = true;
    pthread_cond_signal(&thread->woken);
    pthread_mutex_unlock(&thread->lock);
}

void threads_yield(void) { sched_yield(); }

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
        struct pool_thread *thread = &threads->all[i];
        if (i > 0) {
            pthread_join(thread->id, NULL);
        }
        pthread_cond_destroy(&thread->woken);
        pthread_mutex_destroy(&thread->lock);
    }
    pthread_cond_destroy(&threads->work_done);
    pthread_cond_destroy(&threads->work_came);
    pthread_mutex_destroy(&threads->lock);
    free(threads);
}
