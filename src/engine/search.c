#include "engine/search.h"

#include "base/clock.h"

/* At ten thousand nodes a second, the slowest that a sanitizer makes us, a check comes
 * every few milliseconds. */
enum { NODES_BETWEEN_CHECKS = 512 };

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
