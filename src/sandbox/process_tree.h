/* process_tree: a program and all that it started, their open files and sockets, and signals to
 * them.
 *
 * Read from /proc, because not every program has a cgroup, and the kernel has no other way to show
 * the owner of a TCP connection. Threads share the descriptors of their process: the filter refuses
 * others. Descriptors that are on their way through a socket belong to no process and are not
 * found.
 */
#ifndef SANDBOX_PROCESS_TREE_H
#define SANDBOX_PROCESS_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
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

struct open_file {
    dev_t device;
    ino_t inode;
    int64_t bytes; /* on the disk */
};

/* A zeroed list is empty. */
struct open_file_list {
    struct open_file *files;
    size_t count;
    size_t room;
};

/* The files that the descendants of `root` hold and that `picks` accepts, each once, sorted by
 * inode. Those for which there is no memory are left out. */
void process_tree_list_files(pid_t root,
                             bool (*picks)(const struct stat *status, const void *context),
                             const void *context, struct open_file_list *out);

void open_file_list_free(struct open_file_list *list);

/* Is a file with this inode among them? */
bool open_file_list_has(const struct open_file_list *list, ino_t inode);

/* Does a descendant of `root` hold the socket with this number? Looks at a bounded number of their
 * descriptors: a program cannot make this slow. */
bool process_tree_holds_socket(pid_t root, uint64_t inode);

/* To all descendants of `root`, not to itself, and to those that they start meanwhile. */
void process_tree_signal(pid_t root, int signal);

#endif
