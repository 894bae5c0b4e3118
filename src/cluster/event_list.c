#include "cluster/event_list.h"

#include <stdlib.h>

enum { MOST_REMARKS = 1000, MOST_PLIES = 1000 }; /* that wait for the caller */

struct waiting_event {
    struct waiting_event *next;
    struct coordinator_event event;
};

bool event_list_add(struct event_list *events, const struct coordinator_event *event)
{
    bool is_remark = event->kind == COORDINATOR_REMARK;
    bool has_plies = event->kind == COORDINATOR_PLIES;
    if ((is_remark && events->remarks == MOST_REMARKS) ||
        (has_plies && events->plies == MOST_PLIES)) {
        free(event->plies);
        return true;
    }
    struct waiting_event *waiting = malloc(sizeof *waiting);
    if (!waiting) {
        return false;
    }
    *waiting = (struct waiting_event){NULL, *event};
    if (events->last) {
        events->last->next = waiting;
    } else {
        events->first = waiting;
    }
    events->last = waiting;
    events->remarks += is_remark;
    events->plies += has_plies;
    return true;
}

bool event_list_take(struct event_list *events, struct coordinator_event *out)
{
    struct waiting_event *waiting = events->first;
    if (!waiting) {
        return false;
    }
    events->first = waiting->next;
    events->last = events->first ? events->last : NULL;
    events->remarks -= waiting->event.kind == COORDINATOR_REMARK;
    events->plies -= waiting->event.kind == COORDINATOR_PLIES;
    *out = waiting->event;
    free(waiting);
    return true;
}

void event_list_free(struct event_list *events)
{
    struct coordinator_event event;
    while (event_list_take(events, &event)) {
        cluster_result_free(&event.result);
        free(event.plies);
    }
}
