/* folder_usage: how much a program has stored in a folder on a disk, where no file system limits
 * it.
 *
 * Everything in the folder counts, also folders and links, and the files that have no name there
 * any more but are still in use.
 */
#ifndef SANDBOX_FOLDER_USAGE_H
#define SANDBOX_FOLDER_USAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The entries of a folder itself, without those below; 0 if it cannot be read. */
int64_t folder_usage_count(const char *folder);

/* Do the descendants of `root` store more than that in `folder`? Each entry also counts as 1 /
 * SANDBOX_VIEW_INODES of the limit, except `free_entries` of them. */
bool folder_usage_exceeds(const char *folder, pid_t root, int64_t limit_bytes,
                          int64_t free_entries);

#endif
