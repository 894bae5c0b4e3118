#include "engine/search.h"

#include "base/clock.h"
#include "engine/split.h"

/* At ten thousand nodes a second, the slowest that a sanitizer makes us, a check comes
 * every few milliseconds. */
enum { NODES_BETWEEN_CHECKS = 512, NODES_BETWEEN_GLANCES = 64 };

/* A guess for any machine: three times too many or too few are one ply. */
enum { NS_PER_NODE = 64 };

bool search_is_early_enough(const struct search *search)
{
    return search->early_ns != INT64_MAX && clock_now_ns() >= search->early_ns;
}

struct search_thread search_thread_start(struct search *search, int index, bool owes_answer)
{
    struct search_thread thread = {.search = search,
                                   .team = search->team,
                                   .index = index,
                                   .owes_answer = owes_answer,
                                   .may_split = search->team && !owes_answer};
    uint64_t left = atomic_load(&search->nodes_left);
    if (!search->team || left == UINT64_MAX) {
        thread.limit = left;
    }
    search_check_limits(&thread);
    return thread;
}

static void end(struct search_thread *thread)
{
    thread->is_ended = thread->is_stopped = true;
    if (thread->team) {
        atomic_store(&thread->search->is_over, true);
    }
}

bool search_draw_nodes(struct search_thread *thread)
{
    atomic_uint_fast64_t *left = &thread->search->nodes_left;
    uint64_t there = thread->team ? atomic_load(left) : 0;
    uint64_t taken = 0;
    do {
        taken = there < NODES_BETWEEN_CHECKS ? there : NODES_BETWEEN_CHECKS;
    } while (taken && !atomic_compare_exchange_weak(left, &there, there - taken));
    thread->limit += taken;
    if (!taken) {
        end(thread);
    }
    return taken > 0;
}

void search_return_nodes(struct search_thread *thread)
{
    if (thread->limit != UINT64_MAX) {
        atomic_fetch_add(&thread->search->nodes_left, thread->limit - thread->nodes);
        thread->limit = thread->nodes;
    }
    thread->is_stopped = thread->is_ended || split_is_cut(thread->split);
}

/* When to look again. */
static void set_next_check(struct search_thread *thread)
{
    uint64_t step = thread->split ? NODES_BETWEEN_GLANCES : NODES_BETWEEN_CHECKS;
    uint64_t left = thread->is_stopped ? 0 : thread->limit - thread->nodes;
    thread->next_check = thread->nodes + (left < step ? left : step);
}

static void report_progress(struct search *search, int64_t now_ns)
{
    if (search->on_progress && now_ns >= search->progress_ns) {
        search->progress_ns = now_ns + SEARCH_PROGRESS_NS;
        search->on_progress(search->progress_context, now_ns - search->started_ns);
    }
}

void search_check_limits(struct search_thread *thread)
{
    struct search *search = thread->search;
    int64_t now_ns = clock_now_ns();
    uint64_t news = thread->nodes - thread->reported;
    atomic_fetch_add(&search->nodes, news);
    thread->reported = thread->nodes;
    thread->next_report = thread->nodes + NODES_BETWEEN_CHECKS;
    bool is_asked_to = atomic_load_explicit(&search->is_over, memory_order_relaxed) ||
                       (search->stop && atomic_load(search->stop)) || now_ns >= search->deadline_ns;
    if (thread->index == 0) {
        report_progress(search, now_ns);
    }
    if (is_asked_to && !thread->owes_answer) {
        end(thread);
    } else if (thread->nodes >= thread->limit) {
        search_draw_nodes(thread);
    }
    thread->is_stopped = thread->is_ended || split_is_cut(thread->split);
    set_next_check(thread);
}

void search_check_due(struct search_thread *thread)
{
    if (thread->nodes >= thread->next_report || thread->nodes >= thread->limit) {
        search_check_limits(thread);
        return;
    }
    thread->is_stopped = thread->is_ended || split_is_cut(thread->split);
    set_next_check(thread);
}

uint64_t search_nodes_left(const struct search_thread *thread)
{
    const struct search *search = thread->search;
    uint64_t left = thread->limit - thread->nodes;
    if (thread->limit != UINT64_MAX && thread->team) {
        left += atomic_load(&search->nodes_left);
    }
    if (search->deadline_ns == INT64_MAX || search->is_solving) {
        return left; /* the same on every machine */
    }
    int64_t left_ns = search->deadline_ns - clock_now_ns();
    uint64_t timed = left_ns > 0 ? (uint64_t)left_ns / NS_PER_NODE : 0;
    timed =
        timed * (unsigned)(split_team_count(thread->team) + 1) / 2; /* several threads, half idle */
    return timed < left ? timed : left;
}
