/* process_usage: the processor time of a program and all that it started, also of processes that
 * have ended.
 *
 * For machines without cgroups. Read from /proc, which counts an ended process only if its parent
 * waited for it: a parent that ignores SIGCHLD does not. So a process that is new since the last
 * look and is running, or gone before it can be read, counts as if it, or others like it, had run
 * since then. If the looks come at times that the program does not know, that is right on average.
 */
#ifndef SANDBOX_PROCESS_USAGE_H
#define SANDBOX_PROCESS_USAGE_H

#include <stdint.h>
#include <sys/types.h>

#include "sandbox/process_tree.h"

/* Of one process, at the last look. */
struct process_usage_row {
    pid_t pid;
    uint64_t start; /* tells two processes with one number apart */
    int64_t own_ticks;
    int64_t children_ticks; /* of those that it waited for */
};

/* Zeroed: no look yet. */
struct process_usage {
    struct process_usage_row rows[PROCESS_TREE_MAX];
    int count;
    int64_t at_ns;
    int64_t total_ns;
};

/* Looks at the descendants of `root`, not at itself. Returns the time that they have used, which
 * never becomes less; -1: the system does not show them, or there are none. */
int64_t process_usage_look(struct process_usage *usage, pid_t root, int64_t now_ns);

#endif
