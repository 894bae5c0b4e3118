/* split: nodes whose moves several threads search together (young brothers wait).
 *
 * After a node's first move was searched without a cut-off, its thread opens a split point: the
 * other moves may now be searched by any thread. A thread without work joins the open split point
 * with the most work for each move, takes one move after the other, and leaves when there is none.
 * A score that reaches beta cuts the split point: every thread that searches below it, at any
 * depth, notices at its next check and returns. The owner closes the split point when no move is
 * left, and until the last helper has left it helps inside that split point, never elsewhere, so
 * that its stack stays as deep as the tree (Feldmann, "Spielbaumsuche mit massiv parallelen
 * Systemen", 1993).
 *
 * Split points are kept in arrays, one for each thread, that are as old as the engine: nothing is
 * allocated in a search, and a thread that looks for work may read any of them without a lock. A
 * thread that finds nothing for some microseconds sleeps until it is woken (thread_pool.h).
 *
 * This file does not know games or nodes. What a thread does in a split point, and the data
 * about its moves, belong to the search that opened it.
 */
#ifndef ENGINE_SPLIT_H
#define ENGINE_SPLIT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/note.h"
#include "engine/search.h"
#include "engine/thread_pool.h"

struct split;

/* Takes and searches moves of split->node until none is left or the thread is stopped. */
typedef void split_work_fn(struct split *split, struct search_thread *thread);

struct split {
    _Alignas(64) atomic_int offer;  /* the depth of its nodes; 0: there is no move to take */
    atomic_int helpers;             /* threads inside, without the owner */
    atomic_bool is_cut;             /* its score is known to reach beta */
    atomic_bool is_broken;          /* a helper left a move unfinished */
    atomic_flag lock;               /* guards `offer` and what `node` points to */
    int owner;                      /* index of its thread, constant */
    _Atomic(struct split *) parent; /* the one whose move this node is below, or NULL */
    split_work_fn *work;
    void *node; /* the owner's, valid while the split point is open */
};

struct split_team;

/* For a thread pool of `count`; *out is NULL for a pool of one. Refused: ERR_ENVIRONMENT. */
MUST_USE enum err split_team_make(struct thread_pool *pool, int count, struct split_team **out,
                                  struct note *why);

/* Both accept NULL, a team of one. */
void split_team_free(struct split_team *team);
int split_team_count(const struct split_team *team);

/* NULL when this thread may not split or has too many open ones: it searches the moves in order. */
struct split *split_open(struct search_thread *thread, int depth, split_work_fn *work, void *node);

/* Waits until all helpers have left. thread->is_stopped is then what it is for the parent. */
void split_close(struct search_thread *thread, struct split *split);

/* Helps wherever there is work until the search is over. */
void split_serve(struct search_thread *thread);

/* Wakes the threads in split_serve, once search->is_over is set. */
void split_dismiss(struct split_team *team);

void split_lock(struct split *split);
void split_unlock(struct split *split);

/* With the lock held: no more moves to take. */
static inline void split_exhaust(struct split *split)
{
    atomic_store_explicit(&split->offer, 0, memory_order_relaxed);
}

/* With the lock held: no move can change the result any more. */
static inline void split_cut(struct split *split)
{
    atomic_store_explicit(&split->is_cut, true, memory_order_relaxed);
    split_exhaust(split);
}

/* Whether the result of this split point, or of one above it, is known. */
static inline bool split_is_cut(const struct split *split)
{
    while (split) {
        if (atomic_load_explicit(&split->is_cut, memory_order_relaxed)) {
            return true;
        }
        split = atomic_load_explicit(&split->parent, memory_order_relaxed);
    }
    return false;
}

#endif
