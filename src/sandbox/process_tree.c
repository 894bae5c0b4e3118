#include "sandbox/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CHILDREN_BYTES = 4096,
    MAX_LOOKS = 20,
};

/* Those found so far; the children of the first `done` are among them. */
struct process_family {
    pid_t members[PROCESS_TREE_MAX];
    int count;
    int done;
};

static bool read_text(const char *path, char *out, size_t room)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, out, room - 1) : -1;
    if (descriptor >= 0) {
        close(descriptor);
    }
    out[length > 0 ? length : 0] = '\0';
    return length >= 0;
}

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
        if (*thread->d_name == '.' || !read_text(path, text, sizeof text)) {
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
