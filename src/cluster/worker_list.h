/* worker_list: the workers of a tournament that are at work.
 *
 * Pure: the caller passes the time in, and holds a lock where threads share it.
 */
#ifndef CLUSTER_WORKER_LIST_H
#define CLUSTER_WORKER_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cluster/cluster_codec.h"

enum {
    WORKER_LIST_MAX = 4096,
    WORKER_LIST_SILENT_MS = 20000, /* a worker that is silent for longer does not count */
};

struct known_worker {
    uint64_t id;
    char machine[CLUSTER_WORD_BYTES];
    int concurrency;
    int64_t heard_ns;
};

/* A zeroed struct is empty. */
struct worker_list {
    struct known_worker *list;
    size_t count;
    size_t capacity;
};

void worker_list_free(struct worker_list *workers);

/* A sign of life. True: it is new. */
bool worker_list_note(struct worker_list *workers, const struct cluster_hello *hello,
                      int64_t now_ns);
void worker_list_forget(struct worker_list *workers, uint64_t id);

/* Removes one that is silent for too long; false: there is none. */
bool worker_list_take_silent(struct worker_list *workers, int64_t now_ns, struct known_worker *out);

/* Their games at once. */
int worker_list_slots(const struct worker_list *workers);

#endif
