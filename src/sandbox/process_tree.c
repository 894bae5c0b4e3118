#include "sandbox/process_tree.h"

#include <dirent.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum {
    CHILDREN_BYTES = 4096,
    MAX_LOOKS = 20,
    FIRST_ROOM = 64,
    BLOCK_BYTES = 512, /* what st_blocks counts */
    /* For a socket: */
    MAX_PROCESSES = 64,
    MAX_DESCRIPTORS = 2048, /* of all of them in all looks; 0.5 us each */
    MAX_SOCKET_LOOKS = 3,   /* a process that changes its parent may be missed in one */
    LINK_BYTES = 40,
};

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
        char text[CHILDREN_BYTES];
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

void process_tree_become_owner(pid_t pid)
{
    char path[32];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%ld", (long)pid);
    if (geteuid() == 0 && stat(path, &status) == 0) {
        setfsgid(status.st_gid);
        setfsuid(status.st_uid);
    }
}

void process_tree_become_oneself(void)
{
    setfsuid(geteuid());
    setfsgid(getegid());
}

static bool is_among(const pid_t *list, int count, pid_t pid)
{
    for (int i = 0; i < count; i++) {
        if (list[i] == pid) {
            return true;
        }
    }
    return false;
}

/* Looks again until no process is new: one may have been started before its parent got the
 * signal. */
void process_tree_signal(pid_t root, int signal)
{
    pid_t lists[2][PROCESS_TREE_MAX] = {{root}};
    int earlier_count = 1;
    bool has_new = true;
    for (int look = 1; look <= MAX_LOOKS && has_new; look++) {
        const pid_t *earlier = lists[(look + 1) % 2];
        pid_t *now = lists[look % 2];
        int count = process_tree_list(root, now, PROCESS_TREE_MAX);
        has_new = false;
        for (int i = 0; i < count; i++) {
            if (!is_among(earlier, earlier_count, now[i])) {
                has_new = true;
                (void)kill(now[i], signal);
            }
        }
        earlier_count = count;
    }
}

/* Calls `visit` with each descriptor of a process and the folder of /proc that they are in, until
 * it returns false. */
static void visit_descriptors(pid_t pid, bool (*visit)(int folder, const char *name, void *context),
                              void *context)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    process_tree_become_owner(pid);
    DIR *descriptors = opendir(path);
    struct dirent *entry;
    bool must_continue = descriptors != NULL;
    while (must_continue && (entry = readdir(descriptors))) {
        must_continue = *entry->d_name == '.' || visit(dirfd(descriptors), entry->d_name, context);
    }
    if (descriptors) {
        closedir(descriptors);
    }
    process_tree_become_oneself();
}

/* --- Open files --- */

struct open_file_search {
    bool (*picks)(const struct stat *status, const void *context);
    const void *context;
    struct open_file_list *found;
};

static void add_file(struct open_file_list *list, const struct stat *status)
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

static int compare_files(const void *a, const void *b)
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
        qsort(list->files, list->count, sizeof *list->files, compare_files);
    }
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || compare_files(&list->files[kept - 1], &list->files[i]) != 0) {
            list->files[kept++] = list->files[i];
        }
    }
    list->count = kept;
}

static bool add_if_picked(int folder, const char *name, void *context)
{
    const struct open_file_search *search = context;
    struct stat status;
    if (fstatat(folder, name, &status, 0) == 0 && search->picks(&status, search->context)) {
        add_file(search->found, &status);
    }
    return true;
}

void process_tree_list_files(pid_t root,
                             bool (*picks)(const struct stat *status, const void *context),
                             const void *context, struct open_file_list *out)
{
    pid_t members[PROCESS_TREE_MAX];
    int count = process_tree_list(root, members, PROCESS_TREE_MAX);
    *out = (struct open_file_list){0};
    struct open_file_search search = {picks, context, out};
    for (int i = 1; i < count; i++) {
        visit_descriptors(members[i], add_if_picked, &search);
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

/* --- A socket --- */

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
