#include "engine/split.h"

#include <stdlib.h>

enum {
    CACHE_LINE = 64,
    MAX_OPEN = 48,       /* split points of one thread */
    LOCK_SPINS = 64,     /* before a thread that waits for a lock lets others run */
    SEARCHES = 150,      /* for work, before a thread sleeps: about 50 microseconds */
    PAUSES_BETWEEN = 16, /* two of them */
};

struct split_member {
    _Alignas(CACHE_LINE) atomic_int open; /* split points in use, the first ones */
    atomic_bool is_asleep;
    _Atomic(struct split *) waits_in; /* asleep until its helpers have left; NULL: any work */
    struct split splits[MAX_OPEN];
};

struct split_team {
    struct thread_pool *pool;
    int count;
    _Alignas(CACHE_LINE) atomic_int asleep;
    struct split_member members[];
};

enum err split_team_make(struct thread_pool *pool, int count, struct split_team **out,
                         struct note *why)
{
    if (count <= 1) {
        *out = NULL;
        return ERR_NONE;
    }
    size_t bytes = sizeof(struct split_team) + (size_t)count * sizeof(struct split_member);
    struct split_team *team = aligned_alloc(CACHE_LINE, bytes);
    if (!team) {
        return note_fail(why, ERR_ENVIRONMENT, "there is not enough memory for %d threads", count);
    }
    team->pool = pool;
    team->count = count;
    atomic_init(&team->asleep, 0);
    for (int i = 0; i < count; i++) {
        struct split_member *member = &team->members[i];
        atomic_init(&member->open, 0);
        atomic_init(&member->is_asleep, false);
        atomic_init(&member->waits_in, NULL);
        for (int k = 0; k < MAX_OPEN; k++) {
            member->splits[k] = (struct split){.owner = i, .lock = ATOMIC_FLAG_INIT};
        }
    }
    *out = team;
    return ERR_NONE;
}

void split_team_free(struct split_team *team) { free(team); }

int split_team_count(const struct split_team *team) { return team ? team->count : 1; }

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

void split_lock(struct split *split)
{
    int spins = 0;
    while (atomic_flag_test_and_set_explicit(&split->lock, memory_order_acquire)) {
        if (++spins < LOCK_SPINS) {
            pause_briefly();
        } else {
            thread_pool_yield();
        }
    }
}

void split_unlock(struct split *split)
{
    atomic_flag_clear_explicit(&split->lock, memory_order_release);
}

/* Certain with its lock held or by a thread inside it; otherwise a guess. */
static bool is_below(const struct split *split, const struct split *above)
{
    for (int i = 0; split && i < SEARCH_MAX_PLY; i++) {
        split = atomic_load_explicit(&split->parent, memory_order_relaxed);
        if (split == above) {
            return true;
        }
    }
    return false;
}

/* The open split point with the most work for each move, below `above` if that is not NULL. A
 * thread's first ones are its largest. */
static struct split *find_work(struct split_team *team, int self, const struct split *above)
{
    struct split *found = NULL;
    int most = 0;
    for (int i = 1; i < team->count; i++) {
        struct split_member *member = &team->members[(self + i) % team->count];
        int open = atomic_load(&member->open);
        for (int k = 0; k < open; k++) {
            struct split *split = &member->splits[k];
            int offer = atomic_load(&split->offer);
            if (offer > 0 && (!above || is_below(split, above))) {
                found = offer > most ? split : found;
                most = offer > most ? offer : most;
                break;
            }
        }
    }
    return found;
}

static bool try_join(struct split *split, const struct split *above)
{
    split_lock(split);
    bool has_work = atomic_load_explicit(&split->offer, memory_order_relaxed) > 0 &&
                    !split_is_cut(split) && (!above || is_below(split, above));
    if (has_work) {
        atomic_fetch_add(&split->helpers, 1);
    }
    split_unlock(split);
    return has_work;
}

static bool try_wake(struct split_team *team, int index)
{
    if (!atomic_exchange(&team->members[index].is_asleep, false)) {
        return false;
    }
    atomic_fetch_sub(&team->asleep, 1);
    thread_pool_wake(team->pool, index);
    return true;
}

/* Wakes a thread that may join this split point, if there is one. */
static void wake_helper(struct split_team *team, const struct split *split)
{
    if (atomic_load(&team->asleep) == 0) {
        return;
    }
    for (int i = 0; i < team->count; i++) {
        struct split_member *member = &team->members[i];
        if (!atomic_load(&member->is_asleep)) {
            continue;
        }
        const struct split *waits_in = atomic_load(&member->waits_in);
        if ((!waits_in || is_below(split, waits_in)) && try_wake(team, i)) {
            return;
        }
    }
}

static void help(struct search_thread *thread, struct split *split)
{
    struct split *outer = thread->split;
    if (atomic_load_explicit(&split->offer, memory_order_relaxed) > 0) {
        wake_helper(thread->team, split);
    }
    thread->split = split;
    search_check_limits(thread);
    split->work(split, thread);
    if (thread->is_stopped) {
        atomic_store(&split->is_broken, true);
    }
    thread->split = outer;
    search_return_nodes(thread);
    int owner = split->owner;
    if (atomic_fetch_sub(&split->helpers, 1) == 1) {
        try_wake(thread->team, owner);
    }
}

static bool is_done(const struct search_thread *thread, const struct split *mine)
{
    return mine ? atomic_load(&mine->helpers) == 0 : atomic_load(&thread->search->is_over);
}

/* Not any more, if the result of `mine` does not matter: then its helpers leave at once. */
static struct split *find_wanted(struct search_thread *thread, const struct split *mine)
{
    return thread->is_ended || split_is_cut(mine) ? NULL
                                                  : find_work(thread->team, thread->index, mine);
}

static void sleep_until_woken(struct search_thread *thread, struct split *mine)
{
    struct split_team *team = thread->team;
    struct split_member *self = &team->members[thread->index];
    atomic_store(&self->waits_in, mine);
    atomic_fetch_add(&team->asleep, 1);
    atomic_store(&self->is_asleep, true);
    /* A thread that offers work after this sees that we sleep; work offered before is visible. */
    if (!is_done(thread, mine) && !find_wanted(thread, mine)) {
        thread_pool_sleep(team->pool, thread->index);
    }
    if (atomic_exchange(&self->is_asleep, false)) {
        atomic_fetch_sub(&team->asleep, 1);
    }
}

/* Helps in `mine`, or anywhere if it is NULL, until that is done. */
static void help_until_done(struct search_thread *thread, struct split *mine)
{
    int searches = 0;
    while (!is_done(thread, mine)) {
        struct split *split = find_wanted(thread, mine);
        if (split && try_join(split, mine)) {
            help(thread, split);
            searches = 0;
        } else if (++searches > SEARCHES) {
            sleep_until_woken(thread, mine);
            searches = 0;
        } else {
            for (int i = 0; i < PAUSES_BETWEEN; i++) {
                pause_briefly();
            }
        }
    }
}

struct split *split_open(struct search_thread *thread, int depth, split_work_fn *work, void *node)
{
    struct split_team *team = thread->team;
    if (!thread->may_split) {
        return NULL;
    }
    struct split_member *self = &team->members[thread->index];
    int open = atomic_load_explicit(&self->open, memory_order_relaxed);
    if (open == MAX_OPEN) {
        return NULL;
    }
    struct split *split = &self->splits[open];
    split_lock(split);
    split->work = work;
    split->node = node;
    atomic_store_explicit(&split->parent, thread->split, memory_order_relaxed);
    atomic_store_explicit(&split->is_cut, false, memory_order_relaxed);
    atomic_store_explicit(&split->is_broken, false, memory_order_relaxed);
    atomic_store(&split->offer, depth);
    split_unlock(split);
    atomic_store(&self->open, open + 1);
    thread->split = split;
    wake_helper(team, split);
    return split;
}

void split_close(struct search_thread *thread, struct split *split)
{
    struct split_member *self = &thread->team->members[thread->index];
    split_lock(split);
    split_exhaust(split);
    split_unlock(split);
    help_until_done(thread, split);
    atomic_fetch_sub(&self->open, 1);
    thread->split = atomic_load_explicit(&split->parent, memory_order_relaxed);
    bool is_lost = atomic_load(&split->is_broken) && !atomic_load(&split->is_cut);
    search_check_limits(thread);
    thread->is_stopped = thread->is_stopped || is_lost;
}

void split_serve(struct search_thread *thread) { help_until_done(thread, NULL); }

void split_dismiss(struct split_team *team)
{
    for (int i = 0; team && i < team->count; i++) {
        try_wake(team, i);
    }
}
