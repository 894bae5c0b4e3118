/* process_tree: a program and all that it started: their state, their open files and sockets, what
 * they keep in memory and on a disk, and signals to them.
 *
 * Read from /proc, because not every program has a cgroup, and the kernel has no other way to show
 * the owner of a TCP connection. Threads share the descriptors of their process: the filter refuses
 * others. Descriptors that are on their way through a socket belong to no process and are not
 * found.
 */
#ifndef SANDBOX_PROCESS_TREE_H
#define SANDBOX_PROCESS_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_TREE_MAX = 512 }; /* a sandbox holds fewer */

/* `root` and its descendants, parents before their children, up to `room` of them. Returns their
 * number. */
int process_tree_list(pid_t root, pid_t out[], int room);

/* How many processes and threads the descendants of `root` are together. */
int process_tree_count_tasks(pid_t root);

/* To all descendants of `root`, not to itself, and to those that they start meanwhile. */
void process_tree_signal(pid_t root, int signal);

/* Of a process or thread, in ticks of the kernel. */
struct process_state {
    pid_t parent;
    bool can_run; /* it runs or waits for a processor */
    int64_t used_ticks;
    int64_t children_ticks; /* used by those that it waited for */
    int64_t start_ticks; /* since the machine's start; tells two processes with one number apart */
};

/* `folder` of /proc: "/proc/N" or "/proc/N/task/N". False: it has ended, or is hidden. */
bool process_tree_read_state(const char *folder, struct process_state *out);

/* Does a descendant of `root` hold the socket with this number? Looks at a bounded number of their
 * descriptors: a program cannot make this slow. */
bool process_tree_holds_socket(pid_t root, uint64_t inode);

/* Do the descendants of `root` use more than that, in memory and swap? What several of them share
 * counts once. What the kernel keeps for them also counts: page tables and the buffers of sockets.
 * `has_own_network`: every connection in their network namespace is theirs. For machines without
 * memory cgroups, where the kernel limits each process only. */
bool process_tree_exceeds_memory(pid_t root, int64_t limit_bytes, bool has_own_network);

/* Do the descendants of `root` store more than that in `folder`, which no file system limits?
 * Everything in it counts, also folders, links, and files that have no name there any more but are
 * still in use. Each entry also counts as 1 / SANDBOX_INIT_INODES of the limit, except
 * `free_entries` of them. */
bool process_tree_exceeds_folder(pid_t root, const char *folder, int64_t limit_bytes,
                                 int64_t free_entries);

#endif
