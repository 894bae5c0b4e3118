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

struct pulse pulse_start(struct search *search, int index, bool owes_answer)
{
    struct pulse pulse = {.search = search,
                          .team = search->team,
                          .index = index,
                          .owes_answer = owes_answer,
                          .may_split = search->team && !owes_answer};
    uint64_t left = atomic_load(&search->nodes_left);
    if (!search->team || left == UINT64_MAX) {
        pulse.limit = left;
    }
    pulse_check(&pulse);
    return pulse;
}

static void end(struct pulse *pulse)
{
    pulse->is_ended = pulse->is_stopped = true;
    if (pulse->team) {
        atomic_store(&pulse->search->is_over, true);
    }
}

bool pulse_draw(struct pulse *pulse)
{
    atomic_uint_fast64_t *left = &pulse->search->nodes_left;
    uint64_t there = pulse->team ? atomic_load(left) : 0;
    uint64_t taken = 0;
    do {
        taken = there < NODES_BETWEEN_CHECKS ? there : NODES_BETWEEN_CHECKS;
    } while (taken && !atomic_compare_exchange_weak(left, &there, there - taken));
    pulse->limit += taken;
    if (!taken) {
        end(pulse);
    }
    return taken > 0;
}

void pulse_leave(struct pulse *pulse)
{
    if (pulse->limit != UINT64_MAX) {
        atomic_fetch_add(&pulse->search->nodes_left, pulse->limit - pulse->nodes);
        pulse->limit = pulse->nodes;
    }
    pulse->is_stopped = pulse->is_ended || split_is_cut(pulse->split);
}

/* When to look again. */
static void set_next_check(struct pulse *pulse)
{
    uint64_t step = pulse->split ? NODES_BETWEEN_GLANCES : NODES_BETWEEN_CHECKS;
    uint64_t left = pulse->is_stopped ? 0 : pulse->limit - pulse->nodes;
    pulse->next_check = pulse->nodes + (left < step ? left : step);
}

void pulse_check(struct pulse *pulse)
{
    struct search *search = pulse->search;
    uint64_t news = pulse->nodes - pulse->reported;
    atomic_fetch_add(&search->nodes, news);
    pulse->reported = pulse->nodes;
    pulse->next_report = pulse->nodes + NODES_BETWEEN_CHECKS;
    bool is_asked_to = atomic_load_explicit(&search->is_over, memory_order_relaxed) ||
                       (search->stop && atomic_load(search->stop)) ||
                       clock_now_ns() >= search->deadline_ns;
    if (is_asked_to && !pulse->owes_answer) {
        end(pulse);
    } else if (pulse->nodes >= pulse->limit) {
        pulse_draw(pulse);
    }
    pulse->is_stopped = pulse->is_ended || split_is_cut(pulse->split);
    set_next_check(pulse);
}

void pulse_glance(struct pulse *pulse)
{
    if (pulse->nodes >= pulse->next_report || pulse->nodes >= pulse->limit) {
        pulse_check(pulse);
        return;
    }
    pulse->is_stopped = pulse->is_ended || split_is_cut(pulse->split);
    set_next_check(pulse);
}

uint64_t pulse_nodes_left(const struct pulse *pulse)
{
    const struct search *search = pulse->search;
    uint64_t left = pulse->limit - pulse->nodes;
    if (pulse->limit != UINT64_MAX && pulse->team) {
        left += atomic_load(&search->nodes_left);
    }
    if (search->deadline_ns == INT64_MAX) {
        return left; /* the same on every machine */
    }
    int64_t left_ns = search->deadline_ns - clock_now_ns();
    uint64_t timed = left_ns > 0 ? (uint64_t)left_ns / NS_PER_NODE : 0;
    timed = timed * (unsigned)(team_count(pulse->team) + 1) / 2; /* several threads, half idle */
    return timed < left ? timed : left;
}
