#include "app/perft.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"

enum {
    ENOUGH_SUBTREES = 512, /* to keep all threads busy to the end, and to estimate when that is */
    REPORT_EVERY_NS = 100000000,
};

struct perft_subtree {
    struct state state;
    size_t root; /* the root move it belongs to */
};

struct perft_queue {
    const struct game *game;
    int depth; /* of every subtree */
    struct perft_subtree *subtrees;
    size_t count;
    size_t room;
    atomic_size_t next;
    atomic_size_t done;
    atomic_ullong totals[GAME_MAX_MOVES]; /* by root move */
    size_t roots;                         /* how many root moves */
    sem_t finished;                       /* threads */
};

static enum err queue_add(struct perft_queue *queue, const struct state *state, size_t root,
                          struct note *why)
{
    struct perft_subtree *grown =
        array_reserve(queue->subtrees, &queue->room, queue->count + 1, sizeof *grown);
    if (!grown) {
        return note_fail(why, ERR_ENVIRONMENT, "there is not enough memory for %zu subtrees",
                         queue->count + 1);
    }
    queue->subtrees = grown;
    queue->subtrees[queue->count++] = (struct perft_subtree){*state, root};
    return ERR_NONE;
}

/* Replaces every subtree by those one ply below it. */
static enum err queue_deepen(struct perft_queue *queue, struct note *why)
{
    struct perft_queue deeper = {.game = queue->game};
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < queue->count; i++) {
        const struct perft_subtree *subtree = &queue->subtrees[i];
        struct move moves[GAME_MAX_MOVES];
        size_t count = queue->game->moves(&subtree->state, moves);
        for (size_t j = 0; !err && j < count; j++) {
            struct state next = game_after(queue->game, &subtree->state, &moves[j]);
            err = queue_add(&deeper, &next, subtree->root, why);
        }
    }
    free(queue->subtrees);
    queue->subtrees = deeper.subtrees;
    queue->count = deeper.count;
    queue->room = deeper.room;
    queue->depth--;
    return err;
}

static void *count_subtrees(void *argument)
{
    struct perft_queue *queue = argument;
    size_t index = 0;
    while ((index = atomic_fetch_add(&queue->next, 1)) < queue->count) {
        const struct perft_subtree *subtree = &queue->subtrees[index];
        uint64_t found = queue->game->perft(&subtree->state, queue->depth);
        atomic_fetch_add(&queue->totals[subtree->root], found);
        atomic_fetch_add(&queue->done, 1);
    }
    sem_post(&queue->finished);
    return NULL;
}

static void report(struct perft_queue *queue, perft_progress_fn *progress, void *context)
{
    uint64_t counted = 0;
    for (size_t i = 0; i < queue->roots; i++) {
        counted += atomic_load(&queue->totals[i]);
    }
    progress(context, (double)atomic_load(&queue->done) / (double)queue->count, counted);
}

/* Waits for all threads, and reports meanwhile. */
static void wait_for(struct perft_queue *queue, int threads, perft_progress_fn *progress,
                     void *context)
{
    while (threads > 0) {
        struct timespec until = clock_realtime_after(REPORT_EVERY_NS);
        if (sem_timedwait(&queue->finished, &until) == 0) {
            threads--;
        } else if (progress) {
            report(queue, progress, context);
        }
    }
}

/* Runs the threads to their end. */
static enum err count_all(struct perft_queue *queue, int threads, perft_progress_fn *progress,
                          void *context, struct note *why)
{
    pthread_t ids[PERFT_MAX_THREADS];
    int started = 0;
    enum err err = ERR_NONE;
    sem_init(&queue->finished, 0, 0);
    for (; !err && started < threads; started += !err) {
        int error = pthread_create(&ids[started], NULL, count_subtrees, queue);
        if (error) {
            err = note_fail(why, ERR_ENVIRONMENT, "cannot start thread %d: %s", started + 1,
                            strerror(error));
            atomic_store(&queue->next, queue->count);
        }
    }
    wait_for(queue, started, progress, context);
    for (int i = 0; i < started; i++) {
        pthread_join(ids[i], NULL);
    }
    sem_destroy(&queue->finished);
    return err;
}

enum err perft_count(const struct game *game, const struct state *state, const struct move *moves,
                     size_t count, int depth, int threads, perft_progress_fn *progress,
                     void *context, uint64_t counts[GAME_MAX_MOVES], struct note *why)
{
    struct perft_queue queue = {.game = game, .depth = depth - 1, .roots = count};
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < count; i++) {
        struct state next = game_after(game, state, &moves[i]);
        err = queue_add(&queue, &next, i, why);
    }
    while (!err && queue.count < ENOUGH_SUBTREES && queue.depth > 2) {
        err = queue_deepen(&queue, why);
    }
    err = err ? err : count_all(&queue, threads, progress, context, why);
    for (size_t i = 0; !err && i < count; i++) {
        counts[i] = atomic_load(&queue.totals[i]);
    }
    free(queue.subtrees);
    return err;
}
