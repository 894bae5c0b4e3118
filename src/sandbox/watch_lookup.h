/* watch_lookup: whether the files exist that a program tried to reach, asked in another process.
 *
 * A lookup may take any time: where the server of a network file system does not answer, it never
 * ends. The supervisor must not wait for it, so a process of its own does. It starts with the first
 * question and answers one after another.
 */
#ifndef SANDBOX_WATCH_LOOKUP_H
#define SANDBOX_WATCH_LOOKUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/violation.h"

/* An attempt that counts only if `path` exists. */
struct watch_doubt {
    struct violation violation;
    bool may_exist; /* the answer; false only if it is certain that there is no such file */
    char path[PATH_MAX];
};

struct watch_lookup {
    int socket;     /* to the process; -1: none yet */
    pid_t process;  /* meaningful with a socket */
    int unanswered; /* questions */
};

void watch_lookup_init(struct watch_lookup *lookup);

/* False: it cannot be asked, because the process could not be started or has too many questions. */
bool watch_lookup_ask(struct watch_lookup *lookup, const struct watch_doubt *doubt);

/* Waits for the next answer, but not longer than until `end_ns`. False: none came. The path is not
 * part of the answer. */
bool watch_lookup_answer(struct watch_lookup *lookup, int64_t end_ns, struct watch_doubt *out);

/* What was not answered until now is not answered. */
void watch_lookup_close(struct watch_lookup *lookup);

#endif
