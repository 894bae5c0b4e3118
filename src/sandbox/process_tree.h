/* process_tree: a program and all that it started, the processor time that they have used, and
 * signals to them.
 *
 * Read from /proc, because the program's cgroup counts it on some systems only. The kernel shows
 * the time in hundredths of a second.
 */
#ifndef SANDBOX_PROCESS_TREE_H
#define SANDBOX_PROCESS_TREE_H

#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_TREE_MAX = 512 }; /* a sandbox holds fewer */

/* `root` and its descendants, parents before their children, up to `room` of them. Returns their
 * number. */
int process_tree_list(pid_t root, pid_t out[], int room);

/* The kernel shows the descriptors and mappings of a process to its owner; to root only with a
 * privilege that most containers lack. Between these two calls this thread accesses files as the
 * owner of `pid`; its other rights stay as they are, and it cannot be traced or signalled by that
 * owner. */
void process_tree_become_owner(pid_t pid);
void process_tree_become_oneself(void);

/* Of `root` and its descendants, together with those that have ended. -1: the system does not show
 * them, or there are none. */
int64_t process_tree_used_ns(pid_t root);

/* To all descendants of `root`, not to itself, and to those that they start meanwhile. */
void process_tree_signal(pid_t root, int signal);

#endif
