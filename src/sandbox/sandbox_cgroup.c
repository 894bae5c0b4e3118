#include "sandbox/sandbox_cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"

enum {
    FILE_BYTES = 4096,
    ORDER_BYTES = 64,
    OWN_PROCESSES = 1, /* the sandbox's init is also a member */
    REMOVE_TRIES = 50,
    REMOVE_PAUSE_NS = 1000000,
    MOVE_TRIES = 20, /* a process that is being started may be missed */
    NS_PER_US = 1000,
    TCP_SHARE = 16, /* of the limit of memory */
};

struct controller {
    enum sandbox_feature feature;
    const char *name;
    const char *name_v2; /* the controller that a parent in version 2 must pass on */
};

/* In the order of the folders. In version 2 every group can be frozen; the one with the process
 * limit is used. */
enum controller_index { MEMORY, PIDS, CPU, FREEZER, CPU_TIME };
static const struct controller controllers[SANDBOX_CGROUP_FOLDERS] = {
    [MEMORY] = {SANDBOX_MEMORY_CGROUP, "memory", "memory"},
    [PIDS] = {SANDBOX_PIDS_CGROUP, "pids", "pids"},
    [CPU] = {SANDBOX_CPU_CGROUP, "cpu", "cpu"},
    [FREEZER] = {SANDBOX_FREEZER_CGROUP, "freezer", "pids"},
    [CPU_TIME] = {SANDBOX_CPU_CGROUP, "cpuacct", "cpu"},
};

#define LEAF "plum" /* the group of a judge whose own group has to be empty */

const struct sandbox_cgroup_system sandbox_cgroup_kernel = {
    "/proc/self/cgroup", "/sys/fs/cgroup", "/proc/sys/kernel/sched_autogroup_enabled"};

/* Empty, which the kernel refuses, when it is too long. */
static void join_path(char out[PATH_MAX], const char *folder, const char *name)
{
    if (snprintf(out, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX) {
        *out = '\0';
    }
}

static bool exists_in(const char *folder, const char *name, int rights)
{
    char path[PATH_MAX];
    join_path(path, folder, name);
    return access(path, rights) == 0;
}

static bool read_in(const char *folder, const char *name, char out[FILE_BYTES])
{
    char path[PATH_MAX];
    join_path(path, folder, name);
    return file_read_kernel(path, out, FILE_BYTES) >= 0;
}

static bool write_in(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX];
    join_path(path, folder, name);
    return file_write(path, "r+", text, strlen(text));
}

static bool write_number_in(const char *folder, const char *name, int64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, number);
    return write_in(folder, name, text);
}

static bool has_word(const char *words, const char *separators, const char *word)
{
    size_t length = strlen(word);
    while (*words) {
        size_t span = strcspn(words, separators);
        if (span == length && strncmp(words, word, length) == 0) {
            return true;
        }
        words += span;
        words += strspn(words, separators);
    }
    return false;
}

/* The folder of our own group in the hierarchy of `controller`. A line of the file is
 * ID:CONTROLLERS:PATH. Version 2 has the ID 0 and names no controllers. */
static bool find_own_group(const struct sandbox_cgroup_system *system,
                           const struct controller *controller, char out[PATH_MAX], bool *is_v2)
{
    char lines[FILE_BYTES];
    char *rest = lines;
    char *line;
    int length = -1;
    bool is_v1 = false;
    errno = 0;
    (void)file_read_kernel(system->membership, lines, sizeof lines);
    int error = err_is_shortage(errno) ? errno : ENOENT;
    while (!is_v1 && (line = strsep(&rest, "\n"))) {
        const char *id = strsep(&line, ":");
        const char *names = strsep(&line, ":");
        is_v1 = line && has_word(names, ",", controller->name);
        if (line && (is_v1 || (strcmp(id, "0") == 0 && !*names))) {
            length = snprintf(out, PATH_MAX, "%s%s%s%s", system->root, is_v1 ? "/" : "",
                              is_v1 ? controller->name : "", strcmp(line, "/") == 0 ? "" : line);
            *is_v2 = !is_v1;
        }
    }
    errno = length < 0 ? error : ENAMETOOLONG;
    return length >= 0 && length < PATH_MAX;
}

/* --- Version 2: one tree for all controllers. --- */

/* The controllers that a group has to pass on, as a set of enum controller_index. */
static bool lists_all(const char *folder, const char *file, unsigned wanted)
{
    char names[FILE_BYTES];
    if (!read_in(folder, file, names)) {
        return false;
    }
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        if ((wanted & 1U << i) && !has_word(names, " \n", controllers[i].name_v2)) {
            return false;
        }
    }
    return true;
}

static bool passes_on(const char *folder, unsigned wanted)
{
    return lists_all(folder, "cgroup.subtree_control", wanted);
}

/* To the group above. */
static bool climb(char folder[PATH_MAX], const struct sandbox_cgroup_system *system)
{
    char *last = strrchr(folder, '/');
    if (!last || strlen(folder) <= strlen(system->root)) {
        return false;
    }
    *last = '\0';
    return true;
}

/* The first group of all may have processes and pass controllers on. In any other the kernel then
 * refuses memory, but not cpu and pids, and after that no group below it can have processes. */
static bool may_pass_on(const char *folder)
{
    char members[FILE_BYTES] = "";
    return !exists_in(folder, "cgroup.type", F_OK) ||
           (read_in(folder, "cgroup.procs", members) && !*members);
}

/* A group gets only what those above pass on, so it begins with them. Where this user may not, the
 * kernel refuses it. */
static void ask_to_pass_on(const char *group, const struct sandbox_cgroup_system *system,
                           unsigned wanted)
{
    char folder[PATH_MAX];
    char order[ORDER_BYTES] = "";
    memcpy(folder, group, strlen(group) + 1);
    if (passes_on(folder, wanted) || !may_pass_on(folder)) {
        return;
    }
    if (!lists_all(folder, "cgroup.controllers", wanted) && climb(folder, system)) {
        ask_to_pass_on(folder, system, wanted);
    }
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        if (wanted & 1U << i) {
            size_t length = strlen(order);
            snprintf(order + length, sizeof order - length, "+%s ", controllers[i].name_v2);
        }
    }
    (void)write_in(group, "cgroup.subtree_control", order); /* all or none */
}

/* In a group and out of a group below it: a process moves if its user may write to both. */
static bool may_fill(const char *folder)
{
    return access(folder, W_OK | X_OK) == 0 && exists_in(folder, "cgroup.procs", W_OK);
}

/* The kernel shows as many numbers as fit; those that have moved are not shown again. */
static void move_members(const char *from, const char *to)
{
    char members[FILE_BYTES];
    char *rest = NULL;
    if (!read_in(from, "cgroup.procs", members)) {
        return;
    }
    char *end = strrchr(members, '\n'); /* a number at the end may be cut */
    if (end) {
        *end = '\0';
    }
    for (char *number = strtok_r(members, "\n", &rest); number;
         number = strtok_r(NULL, "\n", &rest)) {
        (void)write_in(to, "cgroup.procs", number);
    }
}

/* A group with processes cannot pass controllers on. If all of it is this user's, as with
 * systemd's Delegate= or in a container, the processes get a group of their own in it. */
static bool empty_own_group(const char *own, const struct sandbox_cgroup_system *system,
                            unsigned wanted)
{
    char leaf[PATH_MAX];
    join_path(leaf, own, LEAF);
    if (!lists_all(own, "cgroup.controllers", wanted) || !may_fill(own) ||
        (mkdir(leaf, 0755) != 0 && errno != EEXIST)) {
        return false;
    }
    for (int i = 0; i < MOVE_TRIES && !passes_on(own, wanted); i++) {
        move_members(own, leaf);
        ask_to_pass_on(own, system, wanted);
    }
    return passes_on(own, wanted);
}

/* The nearest group above our own that passes all controllers on, and where this user may make
 * groups. Only one group is made for all of them: a process is a member of one. The first group of
 * all may have processes as well. */
static bool find_place(const struct sandbox_cgroup_system *system, const char *own, unsigned wanted,
                       char out[PATH_MAX])
{
    char folder[PATH_MAX];
    int error = ENOENT;
    memcpy(folder, own, strlen(own) + 1);
    (void)climb(folder, system);
    ask_to_pass_on(folder, system, wanted);
    do {
        errno = 0;
        bool is_passed_on = passes_on(folder, wanted);
        if (!is_passed_on && err_is_shortage(errno)) {
            return false;
        }
        if (is_passed_on && may_fill(folder)) {
            memcpy(out, folder, strlen(folder) + 1);
            return true;
        }
        error = is_passed_on ? errno : error;
    } while (climb(folder, system));
    errno = 0;
    if (empty_own_group(own, system, wanted)) {
        memcpy(out, own, strlen(own) + 1);
        return true;
    }
    errno = err_is_shortage(errno) ? errno : error;
    return false;
}

/* --- Both versions --- */

/* Where to make the groups for the controllers of `features`. On failure *failed is the first one
 * that cannot be had together with those before it. */
static bool find_bases(const struct sandbox_cgroup_system *system, unsigned features,
                       char out[SANDBOX_CGROUP_FOLDERS][PATH_MAX], size_t *failed)
{
    char own[PATH_MAX] = "";
    char place[PATH_MAX];
    unsigned together = 0; /* in version 2 */
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        bool is_v2 = false;
        *failed = i;
        if (!(features & controllers[i].feature)) {
            continue;
        }
        if (!find_own_group(system, &controllers[i], out[i], &is_v2)) {
            return false;
        }
        if (is_v2) {
            together |= 1U << i;
            memcpy(own, out[i], sizeof own);
        }
    }
    if (!together || find_place(system, own, together, place)) {
        for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
            if (together & 1U << i) {
                memcpy(out[i], place, sizeof place);
            }
        }
        return true;
    }
    unsigned tried = 0;
    for (*failed = 0; *failed < SANDBOX_CGROUP_FOLDERS - 1; ++*failed) {
        tried |= together & 1U << *failed;
        if (tried && !find_place(system, own, tried, place)) {
            break;
        }
    }
    return false;
}

/* The limit file has one name in each version. Swap also counts as memory; not every kernel counts
 * it. Version 1 counts the buffers of TCP by themselves, and only where they have a limit before
 * the first socket is made. */
static bool limit_memory(const char *folder, const struct sandbox_limits *limits)
{
    if (write_number_in(folder, "memory.max", limits->memory_bytes)) {
        (void)write_number_in(folder, "memory.swap.max", 0);
        return true;
    }
    if (write_number_in(folder, "memory.limit_in_bytes", limits->memory_bytes)) {
        (void)write_number_in(folder, "memory.memsw.limit_in_bytes", limits->memory_bytes);
        (void)write_number_in(folder, "memory.kmem.tcp.limit_in_bytes",
                              limits->memory_bytes / TCP_SHARE);
        return true;
    }
    return false;
}

/* The kernel's usual share in each version, and the smallest one. */
static bool share_cpu(const char *folder, bool is_smallest)
{
    return write_number_in(folder, "cpu.weight", is_smallest ? 1 : 100) ||
           write_number_in(folder, "cpu.shares", is_smallest ? 2 : 1024);
}

static bool freeze(const char *folder, bool is_frozen)
{
    return write_number_in(folder, "cgroup.freeze", is_frozen) ||
           write_in(folder, "freezer.state", is_frozen ? "FROZEN" : "THAWED");
}

static bool limit(enum controller_index controller, const char *folder,
                  const struct sandbox_limits *limits)
{
    switch (controller) {
    case MEMORY:
        return limit_memory(folder, limits);
    case PIDS:
        return write_number_in(folder, "pids.max", limits->processes + OWN_PROCESSES);
    case CPU:
        return share_cpu(folder, false);
    case FREEZER:
        return freeze(folder, false);
    case CPU_TIME: /* counted, not limited */
        return true;
    }
    return false;
}

/* Process numbers mean something only in the namespace that they come from. */
static unsigned long pid_namespace(void)
{
    struct stat status;
    return stat("/proc/self/ns/pid", &status) == 0 ? (unsigned long)status.st_ino : 0;
}

static void name_group(pid_t judge, pid_t maker, char out[SANDBOX_CGROUP_NAME_BYTES])
{
    snprintf(out, SANDBOX_CGROUP_NAME_BYTES, "plum-%ld-%lu-%ld", (long)judge, pid_namespace(),
             (long)maker);
}

void sandbox_cgroup_name(char out[SANDBOX_CGROUP_NAME_BYTES])
{
    name_group(getppid(), getpid(), out);
}

static bool create_folder(const char *base, char out[PATH_MAX])
{
    char name[SANDBOX_CGROUP_NAME_BYTES];
    char path[PATH_MAX];
    sandbox_cgroup_name(name);
    join_path(path, base, name);
    /* In version 2 it exists the second time; so does one whose owner died with our number. */
    if (mkdir(path, 0755) != 0 && errno != EEXIST) {
        return false;
    }
    memcpy(out, path, sizeof path);
    return true;
}

/* On failure *failed is the controller that cannot be had. */
static bool create_folders(const struct sandbox_cgroup_system *system, unsigned features,
                           const struct sandbox_limits *limits, struct sandbox_cgroup *group,
                           size_t *failed)
{
    char bases[SANDBOX_CGROUP_FOLDERS][PATH_MAX];
    if (!find_bases(system, features, bases, failed)) {
        return false;
    }
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        *failed = i;
        if ((features & controllers[i].feature) &&
            (!create_folder(bases[i], group->folders[i]) ||
             !limit((enum controller_index)i, group->folders[i], limits))) {
            return false;
        }
    }
    return true;
}

enum err sandbox_cgroup_create(const struct sandbox_cgroup_system *system, unsigned features,
                               const struct sandbox_limits *limits, struct sandbox_cgroup *out,
                               enum sandbox_feature *missing, struct note *why)
{
    struct sandbox_cgroup group = {0};
    size_t failed = 0;
    if (!create_folders(system, features, limits, &group, &failed)) {
        int error = errno;
        note_set(why, "no %s cgroup: %s", controllers[failed].name, strerror(error));
        *missing = controllers[failed].feature;
        sandbox_cgroup_remove(&group);
        errno = error;
        return ERR_ENVIRONMENT;
    }
    *out = group;
    return ERR_NONE;
}

/* By `tasks`, which only version 1 has: the kernel moves a thread that moves itself at once, and a
 * whole process only when no processor is starting or ending one, which takes milliseconds. The
 * caller has one thread. */
enum err sandbox_cgroup_join(const struct sandbox_cgroup *group, struct note *why)
{
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        bool is_known = i > 0 && strcmp(group->folders[i], group->folders[i - 1]) == 0;
        if (*group->folders[i] && !is_known && !write_in(group->folders[i], "tasks", "0") &&
            !write_in(group->folders[i], "cgroup.procs", "0")) {
            note_set(why, "cannot join a cgroup: %s", strerror(errno));
            return ERR_ENVIRONMENT;
        }
    }
    return ERR_NONE;
}

/* The number after `word` in a file of that group; 0: there is none. */
static int64_t read_count(const char *folder, const char *file, const char *word)
{
    char text[FILE_BYTES];
    const char *line = *folder && read_in(folder, file, text) ? strstr(text, word) : NULL;
    return line ? strtoll(line + strlen(word), NULL, 10) : 0;
}

bool sandbox_cgroup_was_starved(const struct sandbox_cgroup *group)
{
    const char *folder = group->folders[MEMORY];
    return read_count(folder, "memory.events", "oom_kill ") > 0 ||
           read_count(folder, "memory.oom_control", "oom_kill ") > 0;
}

int64_t sandbox_cgroup_refused_processes(const struct sandbox_cgroup *group)
{
    return read_count(group->folders[PIDS], "pids.events", "max ");
}

bool sandbox_cgroup_freeze(const struct sandbox_cgroup *group, bool is_frozen)
{
    return *group->folders[FREEZER] && freeze(group->folders[FREEZER], is_frozen);
}

bool sandbox_cgroup_yield(const struct sandbox_cgroup *group, bool yields)
{
    return *group->folders[CPU] && share_cpu(group->folders[CPU], yields);
}

bool sandbox_cgroup_find_time(const struct sandbox_cgroup_system *system, pid_t maker,
                              char out[PATH_MAX])
{
    char base[PATH_MAX];
    char name[SANDBOX_CGROUP_NAME_BYTES];
    bool is_v2 = false;
    if (!find_own_group(system, &controllers[CPU_TIME], base, &is_v2)) {
        return false;
    }
    name_group(getpid(), maker, name);
    do {
        int length =
            snprintf(out, PATH_MAX, "%s/%s/%s", base, name, is_v2 ? "cpu.stat" : "cpuacct.usage");
        if (length < PATH_MAX && access(out, R_OK) == 0) {
            return true;
        }
    } while (is_v2 && climb(base, system));
    return false;
}

/* Version 1 has nanoseconds, version 2 a line with microseconds. */
int64_t sandbox_cgroup_used_ns(const char *path)
{
    static const char v2[] = "usage_usec ";
    char text[FILE_BYTES];
    if (file_read_kernel(path, text, sizeof text) < 0) {
        return -1;
    }
    const char *line = strstr(text, v2);
    return line ? strtoll(line + strlen(v2), NULL, 10) * NS_PER_US : strtoll(text, NULL, 10);
}

bool sandbox_cgroup_has_autogroup(const struct sandbox_cgroup_system *system)
{
    char text[FILE_BYTES];
    char folder[PATH_MAX];
    bool is_v2 = false;
    if (file_read_kernel(system->autogroup, text, sizeof text) < 0 || *text != '1' ||
        !find_own_group(system, &controllers[CPU], folder, &is_v2)) {
        return false;
    }
    if (!is_v2) { /* Only the first group of a hierarchy has the file. A container may show another
                   * one as the first. */
        return exists_in(folder, "release_agent", F_OK);
    }
    /* Each group but the first has the file, if the one above passes the controller on. */
    while (!exists_in(folder, "cpu.weight", F_OK)) {
        if (!climb(folder, system)) {
            return exists_in(system->root, "cgroup.procs", F_OK);
        }
    }
    return false;
}

/* The last member may need a moment more after it was reaped. */
static void remove_folder(const char *path)
{
    const struct timespec pause = {.tv_nsec = REMOVE_PAUSE_NS};
    for (int i = 0; i < REMOVE_TRIES && rmdir(path) != 0 && errno == EBUSY; i++) {
        nanosleep(&pause, NULL);
    }
}

void sandbox_cgroup_remove(struct sandbox_cgroup *group)
{
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        if (*group->folders[i]) {
            remove_folder(group->folders[i]);
        }
    }
    *group = (struct sandbox_cgroup){0};
}

/* Groups of other namespaces are left alone: whether their makers live cannot be seen from here. */
static bool is_orphaned(const char *name)
{
    unsigned long judge;
    unsigned long space;
    int maker;
    int end = 0;
    /* NOLINTNEXTLINE(cert-err34-c): a name with other numbers is not one of ours */
    return sscanf(name, "plum-%lu-%lu-%d%n", &judge, &space, &maker, &end) == 3 && !name[end] &&
           space == pid_namespace() && maker > 0 && kill(maker, 0) != 0 && errno == ESRCH;
}

static void sweep_folder(const char *folder)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries))) {
        char path[PATH_MAX];
        join_path(path, folder, entry->d_name);
        if (is_orphaned(entry->d_name) && rmdir(path) != 0 && errno == EBUSY) {
            /* Its members were killed with their maker; in version 1 the frozen ones die only now.
             * The next sweep removes the group. */
            (void)freeze(path, false);
        }
    }
    if (entries) {
        closedir(entries);
    }
}

void sandbox_cgroup_sweep(const struct sandbox_cgroup_system *system)
{
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        char base[PATH_MAX];
        bool is_v2 = false;
        if (!find_own_group(system, &controllers[i], base, &is_v2)) {
            continue;
        }
        do {
            sweep_folder(base);
        } while (is_v2 && climb(base, system));
    }
}
