#include "sandbox/process_descriptors.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "sandbox/process_tree.h"

enum { FIRST_ROOM = 64, BLOCK_BYTES = 512 /* what st_blocks counts */ };

static void add(struct open_file_list *list, const struct stat *status)
{
    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : FIRST_ROOM;
        struct open_file *files = reallocarray(list->files, room, sizeof *files);
        if (!files) {
            return;
        }
        list->files = files;
        list->room = room;
    }
    list->files[list->count++] = (struct open_file){status->st_dev, status->st_ino,
                                                    (int64_t)status->st_blocks * BLOCK_BYTES};
}

static int compare(const void *a, const void *b)
{
    const struct open_file *left = a;
    const struct open_file *right = b;
    if (left->inode != right->inode) {
        return left->inode < right->inode ? -1 : 1;
    }
    return left->device < right->device ? -1 : left->device > right->device;
}

static void sort_and_unite(struct open_file_list *list)
{
    size_t kept = 0;
    if (list->count > 0) {
        qsort(list->files, list->count, sizeof *list->files, compare);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || compare(&list->files[kept - 1], &list->files[i]) != 0) {
            list->files[kept++] = list->files[i];
        }
    }
    list->count = kept;
}

void process_descriptors_list(pid_t root,
                              bool (*picks)(const struct stat *status, const void *context),
                              const void *context, struct open_file_list *out)
{
    pid_t members[PROCESS_TREE_MAX];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    *out = (struct open_file_list){0};
    for (int i = 1; i < count; i++) {
        char folder[32];
        snprintf(folder, sizeof folder, "/proc/%ld/fd", (long)members[i]);
        process_tree_become_owner(members[i]);
        DIR *descriptors = opendir(folder);
        struct dirent *entry;
        while (descriptors && (entry = readdir(descriptors))) {
            struct stat status;
            if (*entry->d_name != '.' &&
                fstatat(dirfd(descriptors), entry->d_name, &status, 0) == 0 &&
                picks(&status, context)) {
                add(out, &status);
            }
        }
        if (descriptors) {
            closedir(descriptors);
        }
        process_tree_become_oneself();
    }
    sort_and_unite(out);
}

void open_file_list_free(struct open_file_list *list)
{
    free(list->files);
    *list = (struct open_file_list){0};
}

bool open_file_list_has(const struct open_file_list *list, ino_t inode)
{
    size_t from = 0;
    size_t to = list->count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (list->files[middle].inode == inode) {
            return true;
        }
        if (list->files[middle].inode < inode) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    return false;
}
