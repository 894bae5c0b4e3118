#include "engine/search.h"

#include "base/clock.h"

/* At ten thousand nodes a second, the slowest that a sanitizer makes us, a check comes
 * every few milliseconds. */
enum { NODES_BETWEEN_CHECKS = 512 };

/* A guess for any machine: three times too many or too few are one ply. */
enum { NS_PER_NODE = 64 };

void pulse_check(struct pulse *pulse)
{
    struct search *search = pulse->search;
    uint64_t news = pulse->nodes - pulse->reported;
    atomic_fetch_add(&search->nodes, news);
    pulse->reported = pulse->nodes;
    bool is_asked_to = atomic_load_explicit(&search->is_over, memory_order_relaxed) ||
                       (search->stop && atomic_load(search->stop)) ||
                       clock_now_ns() >= search->deadline_ns;
    pulse->is_stopped = pulse->is_stopped || pulse->nodes >= search->nodes_each ||
                        (is_asked_to && !pulse->owes_answer);
    uint64_t left = pulse->is_stopped ? 0 : search->nodes_each - pulse->nodes;
    pulse->next_check = pulse->nodes + (left < NODES_BETWEEN_CHECKS ? left : NODES_BETWEEN_CHECKS);
}

uint64_t pulse_nodes_left(const struct pulse *pulse)
{
    const struct search *search = pulse->search;
    uint64_t left = search->nodes_each - pulse->nodes;
    if (search->deadline_ns == INT64_MAX) {
        return left; /* the same on every machine */
    }
    int64_t left_ns = search->deadline_ns - clock_now_ns();
    uint64_t timed = left_ns > 0 ? (uint64_t)left_ns / NS_PER_NODE : 0;
    return timed < left ? timed : left;
}
