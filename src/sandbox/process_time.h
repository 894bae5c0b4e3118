/* process_time: the processor time of a program and all that it started, and for how long they had
 * to wait for a processor that they did not occupy themselves.
 */
#ifndef SANDBOX_PROCESS_TIME_H
#define SANDBOX_PROCESS_TIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "sandbox/process_tree.h"

/* --- What they used --- */

/* Also of processes that have ended.
 *
 * For machines without cgroups. Read from /proc, which counts an ended process only if its parent
 * waited for it: a parent that ignores SIGCHLD does not. So a process that is new since the last
 * look and is running, or gone before it can be read, counts as if it, or others like it, had run
 * since then. If the looks come at times that the program does not know, that is right on average.
 */

/* Of one process, at the last look. */
struct process_usage_row {
    pid_t pid;
    struct process_state state;
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

/* --- What they waited for --- */

/* How long a program had to wait for a processor that it did not occupy itself.
 *
 * A task that can run either runs or waits in the queue of a processor, and while it waits all
 * processors that it may use are occupied or withheld. So if one task wanted a processor for a
 * time, and all processes of the program and the judge together used less, the rest is due to
 * something else on this machine, or to a limit on it. That holds between any two looks, so the
 * times between looks are added, each with the task that wanted most: a start is the work of
 * several processes, one after the other. A program that starts many processes has a task that
 * waits longer, but what they use is subtracted: it gains nothing.
 *
 * That holds as long as its tasks may use the processors as everything else does. A program that
 * gives up some of that (niceness, scheduling policy, affinity) is not looked at any more.
 *
 * The time in the queue is read from /proc: the second number of `schedstat` in nanoseconds, see
 * Documentation/scheduler/sched-stats.rst of the kernel. It contains the time for which a cgroup
 * was throttled. A kernel without it shows nothing, and then nothing is known.
 */

enum { PROCESS_WAIT_TASKS = 32 }; /* looked at: the oldest, parents before their children */

/* A task at the last look. All times are in nanoseconds. */
struct process_wait_task {
    pid_t task;           /* 0: the calling thread, which is the judge's */
    int64_t wanted_ns;    /* it ran or waited, as the kernel has counted so far */
    int64_t queued_at_ns; /* it has been waiting at least since then, which is not counted yet */
    int64_t all_ns;       /* wanted, with that */
    bool is_queued;
};

/* Zeroed: nothing has begun. */
struct process_wait {
    struct process_wait_task tasks[PROCESS_WAIT_TASKS];
    int count;
    int64_t looked_ns;      /* the last look */
    int64_t looked_boot_ns; /* likewise, as the kernel counts the start of a task */
    int64_t used_ns;        /* by the program, before the beginning */
    int64_t judge_used_ns;  /* by this process, likewise */
    int64_t wanted_ns;      /* since the beginning: between each two looks the most of any task */
    bool is_disqualified;   /* it gave up its share of the processors */
};

/* From now on. `root` is the program's supervisor, a child of this process, which has used
 * `used_ns` with all its descendants; -1: it will be started. */
void process_wait_begin(struct process_wait *wait, pid_t root, int64_t used_ns, int64_t now_ns);

/* To be called several times a second, at times that the program does not know. `cpu` is the only
 * processor that it may use, -1: any. */
void process_wait_look(struct process_wait *wait, pid_t root, int cpu, int64_t now_ns);

/* The time since the beginning for which it wanted a processor that neither its own processes,
 * which have used `used_ns` by now, nor this one occupied; 0: none, or nothing is known. */
int64_t process_wait_ns(const struct process_wait *wait, int64_t used_ns);

#endif
