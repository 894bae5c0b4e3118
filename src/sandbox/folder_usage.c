#include "sandbox/folder_usage.h"

#include <dirent.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/process_descriptors.h"
#include "sandbox/process_tree.h"
#include "sandbox/sandbox_view.h"

enum {
    BLOCK_BYTES = 512, /* what st_blocks counts */
    /* The kernel shows no size for a deleted file that is mapped but not open: each counts as this
     * part of the limit. */
    MAPPED_SHARE = 8,
};

int64_t folder_usage_count(const char *folder)
{
    int64_t count = 0;
    DIR *entries = opendir(folder);
    while (entries && readdir(entries)) {
        count++;
    }
    if (entries) {
        closedir(entries);
    }
    return count;
}

struct folder_content {
    dev_t device;
    int64_t bytes;
    int64_t entries;
};

static struct folder_content measure(const char *folder)
{
    char *paths[] = {(char *)folder, NULL};
    struct folder_content content = {0};
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_XDEV, NULL);
    FTSENT *entry;
    while (tree && (entry = fts_read(tree))) {
        if (entry->fts_level == FTS_ROOTLEVEL) {
            content.device = entry->fts_statp->st_dev;
        } else if (entry->fts_info != FTS_DP && entry->fts_info != FTS_NS) {
            content.bytes += (int64_t)entry->fts_statp->st_blocks * BLOCK_BYTES;
            content.entries++;
        }
    }
    if (tree) {
        fts_close(tree);
    }
    return content;
}

static bool is_nameless(const struct stat *status, const void *device)
{
    return S_ISREG(status->st_mode) && status->st_nlink == 0 &&
           status->st_dev == *(const dev_t *)device;
}

/* The inode of a mapped file that was deleted in `folder`; 0: the line is about something else.
 * It is: RANGE RIGHTS OFFSET DEVICE INODE PATH (deleted) */
static ino_t deleted_inode(const char *line, const char *folder)
{
    static const char mark[] = " (deleted)\n";
    unsigned long long inode = 0;
    int path = 0;
    size_t length = strlen(line);
    if (length < sizeof mark || strcmp(line + length - (sizeof mark - 1), mark) != 0 ||
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        sscanf(line, "%*s %*s %*s %*s %llu %n", &inode, &path) != 1 ||
        strncmp(line + path, folder, strlen(folder)) != 0) {
        return 0;
    }
    return (ino_t)inode;
}

/* Counts the files that `pid` maps and that are neither open nor among the `count` seen before. */
static int add_mapped(const char *folder, pid_t pid, const struct open_file_list *open,
                      ino_t seen[MAPPED_SHARE + 1], int count)
{
    char path[32];
    char *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    process_tree_become_owner(pid);
    FILE *maps = fopen(path, "re");
    while (maps && count <= MAPPED_SHARE && getline(&line, &room, maps) > 0) {
        ino_t inode = deleted_inode(line, folder);
        bool is_new = inode && !open_file_list_has(open, inode);
        for (int i = 0; i < count && is_new; i++) {
            is_new = seen[i] != inode;
        }
        if (is_new) {
            seen[count++] = inode;
        }
    }
    free(line);
    if (maps) {
        fclose(maps);
    }
    process_tree_become_oneself();
    return count;
}

static int count_mapped(const char *folder, pid_t root, const struct open_file_list *open)
{
    pid_t members[PROCESS_TREE_MAX];
    ino_t seen[MAPPED_SHARE + 1];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    int mapped = 0;
    for (int i = 1; i < count && mapped <= MAPPED_SHARE; i++) {
        mapped = add_mapped(folder, members[i], open, seen, mapped);
    }
    return mapped;
}

bool folder_usage_exceeds(const char *folder, pid_t root, int64_t limit_bytes, int64_t free_entries)
{
    struct open_file_list nameless;
    struct folder_content content = measure(folder);
    process_descriptors_list(root, is_nameless, &content.device, &nameless);
    for (size_t i = 0; i < nameless.count; i++) {
        content.bytes += nameless.files[i].bytes;
    }
    content.bytes += count_mapped(folder, root, &nameless) * (limit_bytes / MAPPED_SHARE);
    content.entries -= free_entries;
    if (content.entries > 0) {
        content.bytes += content.entries * (limit_bytes / SANDBOX_VIEW_INODES);
    }
    open_file_list_free(&nameless);
    return content.bytes > limit_bytes;
}
