/* violation: what a program tried to do that its sandbox does not allow.
 *
 * The sandbox has refused it: a violation is evidence, not damage. A list is bounded, whatever a
 * program does: of each kind it names the first few things, and counts the others together.
 */
#ifndef SANDBOX_VIOLATION_H
#define SANDBOX_VIOLATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"

enum violation_kind {
    VIOLATION_NETWORK, /* to reach an address outside the sandbox */
    VIOLATION_WRITE,   /* to write a file that is not its own */
    VIOLATION_READ,    /* to read a file of others that the sandbox hides */
    VIOLATION_SIGNAL,  /* to send a signal to a process that is not its own */
    VIOLATION_PROCESS, /* to look into such a process */
    VIOLATION_SYSTEM,  /* to change the machine: mounts, namespaces, modules, keys, the clock */
    VIOLATION_LIMIT,   /* to have more processes and threads than it may: never hostile */
    VIOLATION_KINDS
};

enum {
    VIOLATION_WHAT_BYTES = 160,
    VIOLATION_NAMED = 4, /* of one kind; one more row counts the others */
    VIOLATION_MAX = VIOLATION_KINDS * (VIOLATION_NAMED + 1),
};

struct violation {
    enum violation_kind kind;
    bool is_hostile; /* no ordinary program makes it; of a row: one of them was so */
    int64_t count;
    int64_t first_ms;                /* since 1970 */
    char what[VIOLATION_WHAT_BYTES]; /* completes "it tried to …"; printable UTF-8 */
};

/* A zeroed struct is an empty list. */
struct violation_list {
    struct violation rows[VIOLATION_MAX];
    int count;
};

/* "network", "write", "read", "signal", "process", "system", "limit". */
const char *violation_kind_name(enum violation_kind kind);
bool violation_kind_read(const char *name, enum violation_kind *out);

/* Adds to the row of the same kind and text, or makes one. Returns the number of the row. */
int violation_list_add(struct violation_list *list, const struct violation *violation);

/* A sentence for a person: "it tried to read /etc/shadow, 3 times". */
void violation_describe(const struct violation *violation, struct note *out);

#endif
