/* event_list: what a coordinator has to tell its caller, in order.
 *
 * The caller holds a lock where threads share it.
 */
#ifndef CLUSTER_EVENT_LIST_H
#define CLUSTER_EVENT_LIST_H

#include <stdbool.h>

#include "cluster/coordinator.h"

/* A zeroed struct is empty. */
struct event_list {
    struct waiting_event *first;
    struct waiting_event *last;
    int remarks; /* among them */
    int plies;
};

/* Takes over the event's result and plies. Of remarks and plies, which any worker can cause, too
 * many are dropped. False: no memory. */
bool event_list_add(struct event_list *events, const struct coordinator_event *event);

/* False: there is none. */
bool event_list_take(struct event_list *events, struct coordinator_event *out);

/* It is empty then. */
void event_list_free(struct event_list *events);

#endif
