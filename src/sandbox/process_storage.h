/* process_storage: what a program and all that it started keep in memory, and in a folder on a
 * disk.
 *
 * For machines without memory cgroups, where the kernel limits each process only, and for folders
 * that no file system limits. Read from /proc.
 */
#ifndef SANDBOX_PROCESS_STORAGE_H
#define SANDBOX_PROCESS_STORAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Do the descendants of `root` use more than that, in memory and swap? What several of them share
 * counts once. What the kernel keeps for them also counts: page tables and the buffers of sockets.
 * `has_own_network`: every connection in their network namespace is theirs. */
bool process_storage_exceeds_memory(pid_t root, int64_t limit_bytes, bool has_own_network);

/* Do the descendants of `root` store more than that in `folder`? Everything in it counts, also
 * folders, links, and files that have no name there any more but are still in use. Each entry also
 * counts as 1 / SANDBOX_INIT_INODES of the limit, except `free_entries` of them. */
bool process_storage_exceeds_folder(const char *folder, pid_t root, int64_t limit_bytes,
                                    int64_t free_entries);

#endif
