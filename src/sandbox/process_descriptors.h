/* process_descriptors: the open files of a program and all that it started.
 *
 * Read from /proc. Threads share the descriptors of their process: the filter refuses others.
 * Descriptors that are on their way through a socket belong to no process and are not found.
 */
#ifndef SANDBOX_PROCESS_DESCRIPTORS_H
#define SANDBOX_PROCESS_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

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
void process_descriptors_list(pid_t root,
                              bool (*picks)(const struct stat *status, const void *context),
                              const void *context, struct open_file_list *out);

void open_file_list_free(struct open_file_list *list);

/* Is a file with this inode among them? */
bool open_file_list_has(const struct open_file_list *list, ino_t inode);

#endif
