/* machine_list: what a coordinator remembers of machines during one run.
 *
 * A worker chooses the name of its machine, so that the number of names is bounded. A machine that
 * takes many jobs in a row and finishes none is set aside: it would take them for ever. Pure: the
 * caller holds a lock where threads share it.
 */
#ifndef CLUSTER_MACHINE_LIST_H
#define CLUSTER_MACHINE_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "cluster/cluster_codec.h"

enum {
    MACHINE_LIST_MAX = 4096,
    /* Jobs in a row, for each of its slots: a machine that loses power leaves a job in each. One
     * job is handed out to at most five workers: at least four such jobs. */
    MACHINE_LIST_MOST_UNFINISHED = 20,
};

struct known_machine {
    char name[CLUSTER_WORD_BYTES];
    int slots;      /* the most that its worker had; 0: none has greeted */
    int unfinished; /* jobs since the last result */
};

/* A zeroed struct is empty. */
struct machine_list {
    struct known_machine *list; /* owned */
    size_t count;
    size_t capacity;
};

void machine_list_free(struct machine_list *machines);

/* Remembers a name. False: there are too many, or there is no memory. */
bool machine_list_add(struct machine_list *machines, const char *name);

/* A worker of it has so many slots. */
void machine_list_note_slots(struct machine_list *machines, const char *name, int slots);

/* It did not finish a job. True: it is set aside from now on. */
bool machine_list_note_unfinished(struct machine_list *machines, const char *name);

/* It delivered a result that can be true. */
void machine_list_note_result(struct machine_list *machines, const char *name);

bool machine_list_is_set_aside(const struct machine_list *machines, const char *name);

#endif
