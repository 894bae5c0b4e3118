#include "engine/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A thread of the pool; the first one is the caller's. */
struct thread_pool_thread {
    struct thread_pool *pool;
    pthread_t id;
    int index;
    pthread_mutex_t lock; /* guards `is_woken` */
    pthread_cond_t woken;
    bool is_woken;
};

struct thread_pool {
    pthread_mutex_t lock; /* guards everything below it */
    pthread_cond_t work_came;
    pthread_cond_t work_done;
    unsigned round; /* counts pieces of work, so that a waiting thread knows a new one */
    int busy;
    bool is_ending;
    thread_pool_work_fn *work;
    void *context;
    int count; /* of threads that run, the caller included */
    struct thread_pool_thread all[];
};

/* Waits for a round after `seen`; false when the pool ends. */
static bool wait_for_work(struct thread_pool *pool, unsigned seen)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->round == seen && !pool->is_ending) {
        pthread_cond_wait(&pool->work_came, &pool->lock);
    }
    bool is_ending = pool->is_ending;
    pthread_mutex_unlock(&pool->lock);
    return !is_ending;
}

static void report_done(struct thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    if (--pool->busy == 0) {
        pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *serve(void *argument)
{
    struct thread_pool_thread *self = argument;
    struct thread_pool *pool = self->pool;
    for (unsigned round = 0; wait_for_work(pool, round); round++) {
        pool->work(pool->context, self->index);
        report_done(pool);
    }
    return NULL;
}

static int start_thread(struct thread_pool *pool, int index)
{
    struct thread_pool_thread *thread = &pool->all[index];
    *thread = (struct thread_pool_thread){.pool = pool, .index = index};
    pthread_mutex_init(&thread->lock, NULL);
    pthread_cond_init(&thread->woken, NULL);
    int error = index > 0 ? pthread_create(&thread->id, NULL, serve, thread) : 0;
    if (error) {
        pthread_cond_destroy(&thread->woken);
        pthread_mutex_destroy(&thread->lock);
    }
    return error;
}

enum err thread_pool_start(int count, struct thread_pool **out, struct note *why)
{
    if (count <= 1) {
        *out = NULL;
        return ERR_NONE;
    }
    struct thread_pool *pool = calloc(1, sizeof *pool + (size_t)count * sizeof pool->all[0]);
    if (!pool) {
        return note_fail(why, ERR_ENVIRONMENT, "there is not enough memory for %d threads", count);
    }
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->work_came, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    for (; pool->count < count; pool->count++) {
        int error = start_thread(pool, pool->count);
        if (error) {
            note_set(why, "cannot start thread %d: %s", pool->count + 1, strerror(error));
            thread_pool_end(pool);
            return ERR_ENVIRONMENT;
        }
    }
    *out = pool;
    return ERR_NONE;
}

void thread_pool_run(struct thread_pool *pool, thread_pool_work_fn *work, void *context)
{
    if (!pool) {
        work(context, 0);
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->work = work;
    pool->context = context;
    pool->busy = pool->count - 1;
    pool->round++;
    pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    work(context, 0);
    pthread_mutex_lock(&pool->lock);
    while (pool->busy > 0) {
        pthread_cond_wait(&pool->work_done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

void thread_pool_sleep(struct thread_pool *pool, int index)
{
    struct thread_pool_thread *thread = &pool->all[index];
    pthread_mutex_lock(&thread->lock);
    while (!thread->is_woken) {
        pthread_cond_wait(&thread->woken, &thread->lock);
    }
    thread->is_woken = false;
    pthread_mutex_unlock(&thread->lock);
}

void thread_pool_wake(struct thread_pool *pool, int index)
{
    struct thread_pool_thread *thread = &pool->all[index];
    pthread_mutex_lock(&thread->lock);
    thread->is_woken = true;
    pthread_cond_signal(&thread->woken);
    pthread_mutex_unlock(&thread->lock);
}

void thread_pool_yield(void) { sched_yield(); }

void thread_pool_end(struct thread_pool *pool)
{
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->count; i++) {
        struct thread_pool_thread *thread = &pool->all[i];
        if (i > 0) {
            pthread_join(thread->id, NULL);
        }
        pthread_cond_destroy(&thread->woken);
        pthread_mutex_destroy(&thread->lock);
    }
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_came);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}
