/* process_tree: a program and all that it started, and signals to them.
 *
 * Read from /proc, because not every program has a cgroup.
 */
#ifndef SANDBOX_PROCESS_TREE_H
#define SANDBOX_PROCESS_TREE_H

#include <sys/types.h>

enum { PROCESS_TREE_MAX = 512 }; /* a sandbox holds fewer */

/* `root` and its descendants, parents before their children, up to `room` of them. Returns their
 * number. */
int process_tree_list(pid_t root, pid_t out[], int room);

/* How many processes and threads the descendants of `root` are together. */
int process_tree_count_tasks(pid_t root);

/* The kernel shows the descriptors and mappings of a process to its owner; to root only with a
 * privilege that most containers lack. Between these two calls this thread accesses files as the
 * owner of `pid`; its other rights stay as they are, and it cannot be traced or signalled by that
 * owner. */
void process_tree_become_owner(pid_t pid);
void process_tree_become_oneself(void);

/* To all descendants of `root`, not to itself, and to those that they start meanwhile. */
void process_tree_signal(pid_t root, int signal);

#endif
