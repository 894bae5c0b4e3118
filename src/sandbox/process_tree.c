#include "sandbox/process_tree.h"

#include <dirent.h>
#include <fts.h>
#include <inttypes.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "sandbox/sandbox_init.h"

enum {
    TEXT_BYTES = 4096,
    MAX_LOOKS = 20,
    /* For a socket: */
    MAX_PROCESSES = 64,
    MAX_DESCRIPTORS = 2048, /* of all of them in all looks; 0.5 us each */
    MAX_SOCKET_LOOKS = 3,   /* a process that changes its parent may be missed in one */
    LINK_BYTES = 40,
    /* For memory and folders: */
    KIB = 1024,
    USUAL_BUFFER_BYTES = 212992, /* Linux's own values, for machines that hide theirs */
    USUAL_TCP_BYTES = 6 << 20,
    TCP_LISTENS = 10,
    SEGMENT_BYTES = 2048, /* of memory for a byte that was sent alone */
    BLOCK_BYTES = 512,    /* what st_blocks counts */
    /* The kernel shows no size for a deleted file that is mapped but not open: each counts as this
     * part of the limit. */
    MAPPED_SHARE = 8,
};

/* --- Processes --- */

/* Those found so far; the children of the first `done` are among them. */
struct process_family {
    pid_t members[PROCESS_TREE_MAX];
    int count;
    int done;
};

/* Children belong to the thread that started them. */
static void add_children(struct process_family *family, pid_t pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    DIR *threads = opendir(path);
    struct dirent *thread;
    while (threads && (thread = readdir(threads))) {
        char text[TEXT_BYTES];
        snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", (long)pid, thread->d_name);
        if (*thread->d_name == '.' || file_read_kernel(path, text, sizeof text) < 0) {
            continue;
        }
        char *end = text;
        for (long child = strtol(text, &end, 10); child > 0 && family->count < PROCESS_TREE_MAX;
             child = strtol(end, &end, 10)) {
            family->members[family->count++] = (pid_t)child;
        }
    }
    if (threads) {
        closedir(threads);
    }
}

int process_tree_list(pid_t root, pid_t out[], int room)
{
    struct process_family family = {.members = {root}, .count = 1};
    for (; family.done < family.count && family.count < room; family.done++) {
        add_children(&family, family.members[family.done]);
    }
    int count = family.count < room ? family.count : room;
    memcpy(out, family.members, (size_t)count * sizeof *out);
    return count;
}

/* A folder has a link to itself, one from the folder above it, and one from each folder in it. */
int process_tree_count_tasks(pid_t root)
{
    enum { OWN_LINKS = 2 };
    pid_t members[PROCESS_TREE_MAX];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    int tasks = 0;
    for (int i = 1; i < count; i++) {
        char path[64];
        struct stat status;
        snprintf(path, sizeof path, "/proc/%ld/task", (long)members[i]);
        tasks += stat(path, &status) == 0 ? (int)status.st_nlink - OWN_LINKS : 0;
    }
    return tasks;
}

/* Again until a look shows the same processes as the one before: one may have been started before
 * its parent got the signal. */
void process_tree_signal(pid_t root, int signal)
{
    pid_t lists[2][PROCESS_TREE_MAX];
    int counts[2] = {0};
    bool is_same = false;
    for (int look = 0; look < MAX_LOOKS && !is_same; look++) {
        pid_t *now = lists[look % 2];
        int count = process_tree_list(root, now, PROCESS_TREE_MAX);
        is_same = count == counts[(look + 1) % 2] &&
                  memcmp(now, lists[(look + 1) % 2], (size_t)count * sizeof *now) == 0;
        for (int i = 1; i < count && !is_same; i++) {
            (void)kill(now[i], signal);
        }
        counts[look % 2] = count;
    }
}

/* The name, in parentheses, may contain anything. */
bool process_tree_read_state(const char *folder, struct process_state *out)
{
    char path[64];
    char text[TEXT_BYTES];
    char state = '\0';
    long long user = 0;
    long long system = 0;
    long long children_user = 0;
    long long children_system = 0;
    long long start = 0;
    int parent = 0;
    snprintf(path, sizeof path, "%s/stat", folder);
    (void)file_read_kernel(path, text, sizeof text);
    const char *name_end = strrchr(text, ')');
    if (!name_end ||
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        sscanf(name_end + 1,
               " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld %lld %*d %*d %*d %*d "
               "%lld",
               &state, &parent, &user, &system, &children_user, &children_system, &start) != 7) {
        return false;
    }
    *out = (struct process_state){parent, state == 'R', user + system,
                                  children_user + children_system, start};
    return true;
}

/* --- Descriptors --- */

/* The kernel shows the descriptors and mappings of a process to its owner; to root only with a
 * privilege that most containers lack. Between these two calls this thread accesses files as the
 * owner of `pid`; its other rights stay as they are, and it cannot be traced or signalled by that
 * owner. */
static void become_owner(pid_t pid)
{
    char path[32];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld", (long)pid);
    if (geteuid() == 0 && stat(path, &status) == 0) {
        setfsgid(status.st_gid);
        setfsuid(status.st_uid);
    }
}

static void become_oneself(void)
{
    setfsuid(geteuid());
    setfsgid(getegid());
}

/* Calls `visit` with each descriptor of a process and the folder of /proc that they are in, until
 * it returns false. */
static void visit_descriptors(pid_t pid, bool (*visit)(int folder, const char *name, void *context),
                              void *context)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    become_owner(pid);
    DIR *descriptors = opendir(path);
    struct dirent *entry;
    bool must_continue = descriptors != NULL;
    while (must_continue && (entry = readdir(descriptors))) {
        must_continue = *entry->d_name == '.' || visit(dirfd(descriptors), entry->d_name, context);
    }
    if (descriptors) {
        closedir(descriptors);
    }
    become_oneself();
}

struct socket_search {
    char wanted[LINK_BYTES];
    int budget;
    bool is_found;
};

static bool compare_link(int folder, const char *name, void *context)
{
    struct socket_search *search = context;
    char target[LINK_BYTES];
    size_t length = strlen(search->wanted);
    if (search->budget <= 0) {
        return false;
    }
    --search->budget;
    search->is_found = readlinkat(folder, name, target, sizeof target) == (ssize_t)length &&
                       memcmp(target, search->wanted, length) == 0;
    return !search->is_found;
}

bool process_tree_holds_socket(pid_t root, uint64_t inode)
{
    struct socket_search search = {.budget = MAX_DESCRIPTORS};
    snprintf(search.wanted, sizeof search.wanted, "socket:[%" PRIu64 "]", inode);
    for (int look = 0; look < MAX_SOCKET_LOOKS && !search.is_found && search.budget > 0; look++) {
        pid_t members[MAX_PROCESSES];
        int count = process_tree_list(root, members, MAX_PROCESSES);
        for (int i = 1; i < count && !search.is_found && search.budget > 0; i++) { /* 0 is plum's */
            visit_descriptors(members[i], compare_link, &search);
        }
    }
    return search.is_found;
}

/* --- What several processes share, counted once --- */

/* A zeroed struct is empty. What there is no memory for is left out. */
struct shared_things {
    void *inodes; /* a tree of <search.h> */
    int64_t bytes;
    int64_t socket_bytes; /* what a socket counts as */
    dev_t device;         /* where files without a name count */
};

static int compare_inodes(const void *a, const void *b)
{
    const ino_t *left = a;
    const ino_t *right = b;
    return (*left > *right) - (*left < *right);
}

static bool has_inode(const struct shared_things *things, ino_t inode)
{
    return tfind(&inode, &things->inodes, compare_inodes) != NULL;
}

static void add_once(struct shared_things *things, ino_t inode, int64_t bytes)
{
    ino_t *key = has_inode(things, inode) ? NULL : malloc(sizeof *key);
    if (key) {
        *key = inode;
        if (tsearch(key, &things->inodes, compare_inodes)) {
            things->bytes += bytes;
        } else {
            free(key);
        }
    }
}

static bool add_socket(int folder, const char *name, void *context)
{
    struct shared_things *sockets = context;
    struct stat status;
    if (fstatat(folder, name, &status, 0) == 0 && S_ISSOCK(status.st_mode)) {
        add_once(sockets, status.st_ino, sockets->socket_bytes);
    }
    return true;
}

static bool add_nameless_file(int folder, const char *name, void *context)
{
    struct shared_things *files = context;
    struct stat status;
    if (fstatat(folder, name, &status, 0) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0 &&
        status.st_dev == files->device) {
        add_once(files, status.st_ino, (int64_t)status.st_blocks * BLOCK_BYTES);
    }
    return true;
}

/* --- Memory --- */

static bool read_text(pid_t pid, const char *name, char out[TEXT_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/%s", (long)pid, name);
    return file_read_kernel(path, out, TEXT_BYTES) > 0;
}

/* The number in a line "NAME:   NUMBER kB", in bytes; 0 if there is none. */
static int64_t find_bytes(const char *text, const char *name)
{
    const char *line = strstr(text, name);
    return line ? strtoll(line + strlen(name), NULL, 10) * KIB : 0;
}

/* With its part of the pages that it shares if `is_exact`, else with all of them: to know that part
 * the kernel looks at every page. A program that hides it from us has the other number. */
static int64_t memory_bytes(pid_t pid, bool is_exact)
{
    char text[TEXT_BYTES];
    if (!read_text(pid, "status", text)) {
        return 0;
    }
    int64_t tables = find_bytes(text, "\nVmPTE:");
    int64_t pages = find_bytes(text, "\nVmRSS:") + find_bytes(text, "\nVmSwap:");
    if (is_exact) {
        become_owner(pid);
        if (read_text(pid, "smaps_rollup", text)) {
            pages = find_bytes(text, "\nPss:") + find_bytes(text, "\nSwapPss:");
        }
        become_oneself();
    }
    return tables + pages;
}

/* The last number of a setting of the kernel, which is the largest. */
static int64_t read_setting(const char *path, int64_t usual)
{
    char text[TEXT_BYTES];
    if (file_read_kernel(path, text, sizeof text) <= 0) {
        return usual;
    }
    const char *last = strrchr(text, '\t');
    return strtoll(last ? last : text, NULL, 10);
}

/* What a queue with that many bytes can take, if each came alone. */
static int64_t queue_bytes(long long waiting, int64_t most_bytes)
{
    return waiting * SEGMENT_BYTES < most_bytes ? waiting * SEGMENT_BYTES : most_bytes;
}

/* The queues of the connections in a table of the kernel: NUMBER: LOCAL REMOTE STATE SENT:RECEIVED
 * TIMER RETRANSMITS USER TIMEOUT INODE …, hexadecimal up to the timer. `sockets` NULL: of all. */
static int64_t connection_bytes(pid_t pid, const char *table, const struct shared_things *sockets)
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
        unsigned sent = 0;
        unsigned received = 0;
        unsigned long long inode = 0;
        /* NOLINTNEXTLINE(cert-err34-c): the kernel writes numbers that fit */
        if (sscanf(line, "%*d: %*s %*s %x %x:%x %*s %*s %*s %*s %llu", &state, &sent, &received,
                   &inode) == 4 &&
            state != TCP_LISTENS && (!sockets || has_inode(sockets, (ino_t)inode))) {
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
static int64_t socket_bytes(const pid_t members[], int count, bool has_own_network)
{
    struct shared_things sockets = {
        .socket_bytes = 2 * read_setting("/proc/sys/net/core/wmem_default", USUAL_BUFFER_BYTES)};
    for (int i = 1; i < count; i++) {
        visit_descriptors(members[i], add_socket, &sockets);
    }
    const struct shared_things *which = has_own_network ? NULL : &sockets;
    if (has_own_network || sockets.inodes) {
        sockets.bytes += connection_bytes(members[1], "tcp", which) +
                         connection_bytes(members[1], "tcp6", which);
    }
    tdestroy(sockets.inodes, free);
    return sockets.bytes;
}

/* A program could make the exact look take seconds, and grow meanwhile: what is not looked at
 * within this time counts in full. 16 processes with 1 GiB each take as long. */
enum { EXACT_NS = 200 * CLOCK_NS_PER_MS };

bool process_tree_exceeds_memory(pid_t root, int64_t limit_bytes, bool has_own_network)
{
    pid_t members[PROCESS_TREE_MAX];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    if (count < 2) {
        return false;
    }
    const int64_t kept_bytes = socket_bytes(members, count, has_own_network); /* by the kernel */
    const int64_t end_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) + EXACT_NS;
    int64_t bytes = limit_bytes + 1;
    for (int exact = 0; exact < 2 && bytes > limit_bytes; exact++) {
        bytes = kept_bytes;
        for (int i = 1; i < count; i++) {
            bool is_exact = exact && clock_read_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns;
            bytes += memory_bytes(members[i], is_exact);
        }
    }
    return bytes > limit_bytes;
}

/* --- Folders --- */

/* Sets the device of `content`; returns how many entries there are. */
static int64_t add_entries(struct shared_things *content, const char *folder)
{
    char *paths[] = {(char *)folder, NULL};
    int64_t entries = 0;
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_XDEV, NULL);
    FTSENT *entry;
    while (tree && (entry = fts_read(tree))) {
        if (entry->fts_level == FTS_ROOTLEVEL) {
            content->device = entry->fts_statp->st_dev;
        } else if (entry->fts_info != FTS_DP && entry->fts_info != FTS_NS) {
            content->bytes += (int64_t)entry->fts_statp->st_blocks * BLOCK_BYTES;
            entries++;
        }
    }
    if (tree) {
        fts_close(tree);
    }
    return entries;
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

/* The files that `pid` maps and that no process has open. */
static void add_mapped_files(struct shared_things *content, pid_t pid, const char *folder,
                             int64_t file_bytes)
{
    char path[32];
    char *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
    become_owner(pid);
    FILE *maps = fopen(path, "re");
    while (maps && getline(&line, &room, maps) > 0) {
        ino_t inode = deleted_inode(line, folder);
        if (inode) {
            add_once(content, inode, file_bytes);
        }
    }
    free(line);
    if (maps) {
        fclose(maps);
    }
    become_oneself();
}

bool process_tree_exceeds_folder(pid_t root, const char *folder, int64_t limit_bytes,
                                 int64_t free_entries)
{
    pid_t members[PROCESS_TREE_MAX];
    struct shared_things content = {0};
    int64_t entries = add_entries(&content, folder) - free_entries;
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    for (int i = 1; i < count; i++) {
        visit_descriptors(members[i], add_nameless_file, &content);
    }
    for (int i = 1; i < count; i++) { /* after those whose size is known */
        add_mapped_files(&content, members[i], folder, limit_bytes / MAPPED_SHARE);
    }
    if (entries > 0) {
        content.bytes += entries * (limit_bytes / SANDBOX_INIT_INODES);
    }
    tdestroy(content.inodes, free);
    return content.bytes > limit_bytes;
}
