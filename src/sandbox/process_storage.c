#include "sandbox/process_storage.h"

#include <dirent.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "sandbox/process_tree.h"
#include "sandbox/sandbox_init.h"

enum {
    TEXT_BYTES = 4096,
    KIB = 1024,
    /* Linux's own values, for machines that hide theirs. */
    USUAL_BUFFER_BYTES = 212992,
    USUAL_TCP_BYTES = 6 << 20,
    TCP_LISTENS = 10,
    SEGMENT_BYTES = 2048, /* of memory for a byte that was sent alone */
    BLOCK_BYTES = 512,    /* what st_blocks counts */
    /* The kernel shows no size for a deleted file that is mapped but not open: each counts as this
     * part of the limit. */
    MAPPED_SHARE = 8,
};

static bool read_text(pid_t pid, const char *name, char out[TEXT_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    return file_read_kernel(path, out, TEXT_BYTES) > 0;
}

/* --- The memory of processes --- */

/* The number in a line "NAME:   NUMBER kB", in bytes; 0 if there is none. */
static int64_t find_bytes(const char *text, const char *name)
{
    const char *line = strstr(text, name);
    return line ? strtoll(line + strlen(name), NULL, 10) * KIB : 0;
}

struct resident_memory {
    int64_t bytes; /* that it can reach without a fault, or that were swapped */
    int64_t table_bytes;
};

/* Pages that it shares are counted for each process again. */
static struct resident_memory read_resident(pid_t pid)
{
    char text[TEXT_BYTES];
    struct resident_memory memory = {0};
    if (read_text(pid, "status", text)) {
        memory.bytes = find_bytes(text, "\nVmRSS:") + find_bytes(text, "\nVmSwap:");
        memory.table_bytes = find_bytes(text, "\nVmPTE:");
    }
    return memory;
}

/* Its part of the pages that it shares: exact, but the kernel looks at every page for it. A program
 * that hides this number from us has the other one. */
static int64_t proportional_bytes(pid_t pid)
{
    char text[TEXT_BYTES];
    process_tree_become_owner(pid);
    bool is_known = read_text(pid, "smaps_rollup", text);
    process_tree_become_oneself();
    return is_known ? find_bytes(text, "\nPss:") + find_bytes(text, "\nSwapPss:")
                    : read_resident(pid).bytes;
}

/* --- Sockets --- */

/* The last number of a setting of the kernel, which is the largest. */
static int64_t read_setting(const char *path, int64_t usual)
{
    char text[TEXT_BYTES];
    if (file_read_kernel(path, text, sizeof text) <= 0) {
        return usual;
    }
    int64_t last = 0;
    char *end = text;
    for (char *at = text; *at; at = end) {
        int64_t number = strtoll(at, &end, 10);
        if (end == at) {
            break;
        }
        last = number;
    }
    return last > 0 ? last : usual;
}

static bool is_socket(const struct stat *status, const void *context)
{
    (void)context;
    return S_ISSOCK(status->st_mode);
}

/* What a queue with that many bytes can take, if each came alone. */
static int64_t queue_bytes(unsigned long long waiting, int64_t most_bytes)
{
    return waiting < (unsigned long long)(most_bytes / SEGMENT_BYTES)
               ? (int64_t)waiting * SEGMENT_BYTES
               : most_bytes;
}

/* The queues of the connections in a table of the kernel: NUMBER: LOCAL REMOTE STATE SENT:RECEIVED
 * TIMER RETRANSMITS USER TIMEOUT INODE …, hexadecimal up to the timer. `sockets` NULL: of all. */
static int64_t connection_bytes(pid_t pid, const char *table, const struct open_file_list *sockets)
{
    const int64_t sent_most = read_setting("/proc/sys/net/ipv4/tcp_wmem", USUAL_TCP_BYTES);
    const int64_t received_most = read_setting("/proc/sys/net/ipv4/tcp_rmem", USUAL_TCP_BYTES);
    char path[64];
    char line[512];
    int64_t bytes = 0;
    snprintf(path, sizeof path, "/proc/%ld/net/%s", (long)pid, table);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned state = 0;
        unsigned long long sent = 0;
        unsigned long long received = 0;
        unsigned long long inode = 0;
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        if (sscanf(line, "%*d: %*s %*s %x %llx:%llx %*s %*s %*s %*s %llu", &state, &sent, &received,
                   &inode) == 4 &&
            state != TCP_LISTENS && (!sockets || open_file_list_has(sockets, (ino_t)inode))) {
            bytes += queue_bytes(sent, sent_most) + queue_bytes(received, received_most);
        }
    }
    if (file) {
        fclose(file);
    }
    return bytes;
}

/* The kernel does not show how much is in the buffers of a socket pair: each socket counts with the
 * most that it can have. The filter keeps programs from enlarging them. */
static int64_t socket_bytes(pid_t root, pid_t member, bool has_own_network)
{
    struct open_file_list sockets;
    process_tree_list_files(root, is_socket, NULL, &sockets);
    const int64_t buffer_bytes =
        2 * read_setting("/proc/sys/net/core/wmem_default", USUAL_BUFFER_BYTES);
    const struct open_file_list *which = has_own_network ? NULL : &sockets;
    int64_t bytes = (int64_t)sockets.count * buffer_bytes;
    if (which == NULL || sockets.count > 0) {
        bytes += connection_bytes(member, "tcp", which) + connection_bytes(member, "tcp6", which);
    }
    open_file_list_free(&sockets);
    return bytes;
}

bool process_storage_exceeds_memory(pid_t root, int64_t limit_bytes, bool has_own_network)
{
    pid_t members[PROCESS_TREE_MAX];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    if (count < 2) {
        return false;
    }
    int64_t kept = socket_bytes(root, members[1], has_own_network); /* by the kernel */
    int64_t resident = 0;
    int64_t proportional = 0;
    for (int i = 1; i < count; i++) {
        struct resident_memory memory = read_resident(members[i]);
        kept += memory.table_bytes;
        resident += memory.bytes;
    }
    for (int i = 1; i < count && kept + resident > limit_bytes; i++) {
        proportional += proportional_bytes(members[i]);
    }
    return kept + proportional > limit_bytes;
}

/* --- Folders --- */

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

bool process_storage_exceeds_folder(const char *folder, pid_t root, int64_t limit_bytes,
                                    int64_t free_entries)
{
    struct open_file_list nameless;
    struct folder_content content = measure(folder);
    process_tree_list_files(root, is_nameless, &content.device, &nameless);
    for (size_t i = 0; i < nameless.count; i++) {
        content.bytes += nameless.files[i].bytes;
    }
    content.bytes += count_mapped(folder, root, &nameless) * (limit_bytes / MAPPED_SHARE);
    content.entries -= free_entries;
    if (content.entries > 0) {
        content.bytes += content.entries * (limit_bytes / SANDBOX_INIT_INODES);
    }
    open_file_list_free(&nameless);
    return content.bytes > limit_bytes;
}
