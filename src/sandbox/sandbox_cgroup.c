#include "sandbox/sandbox_cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"

enum {
    FILE_BYTES = 4096,
    OWN_PROCESSES = 1, /* the sandbox's init is also a member */
    REMOVE_TRIES = 50,
    REMOVE_PAUSE_NS = 1000000,
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

const struct sandbox_cgroup_system sandbox_cgroup_kernel = {
    "/proc/self/cgroup", "/sys/fs/cgroup", "/proc/sys/kernel/sched_autogroup_enabled"};

static bool read_file(const char *path, char out[FILE_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t count = read(fd, out, FILE_BYTES - 1);
    close(fd);
    if (count < 0) {
        return false;
    }
    out[count] = '\0';
    return true;
}

static bool join_path(char out[PATH_MAX], const char *folder, const char *name)
{
    int length = snprintf(out, PATH_MAX, "%s/%s", folder, name);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return true;
}

static bool read_in(const char *folder, const char *name, char out[FILE_BYTES])
{
    char path[PATH_MAX];
    return join_path(path, folder, name) && read_file(path, out);
}

static bool write_in(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX];
    if (!join_path(path, folder, name)) {
        return false;
    }
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    bool is_written = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    int error = errno;
    close(fd);
    errno = error;
    return is_written;
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

/* Our own group in the hierarchy of `controller`: a line is ID:CONTROLLERS:PATH. Version 2
 * has the ID 0 and names no controllers. */
static bool find_membership(char *lines, const char *controller, char **path, bool *is_v2)
{
    bool is_found = false;
    char *rest = NULL;
    for (char *line = strtok_r(lines, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *names = strchr(line, ':');
        char *own = names ? strchr(names + 1, ':') : NULL;
        if (!own) {
            continue;
        }
        *own = '\0';
        if (has_word(names + 1, ",", controller)) {
            *path = own + 1;
            *is_v2 = false;
            return true;
        }
        if (strcmp(line, "0:") == 0) {
            *path = own + 1;
            *is_v2 = true;
            is_found = true;
        }
    }
    return is_found;
}

/* In version 2 a group that holds processes cannot limit its children: the nearest one above
 * that passes the controller on is the place. */
static bool climb_to_parent_group(char folder[PATH_MAX], size_t root_length, const char *controller)
{
    char passed_on[FILE_BYTES];
    while (!read_in(folder, "cgroup.subtree_control", passed_on) ||
           !has_word(passed_on, " \n", controller)) {
        char *last = strrchr(folder, '/');
        if (err_is_shortage(errno)) {
            return false;
        }
        if (!last || strlen(folder) <= root_length) {
            errno = ENOENT;
            return false;
        }
        *last = '\0';
    }
    return true;
}

static bool find_base(const struct sandbox_cgroup_system *system,
                      const struct controller *controller, char out[PATH_MAX])
{
    char lines[FILE_BYTES];
    char *own = NULL;
    bool is_v2 = false;
    errno = 0;
    if (!read_file(system->membership, lines) ||
        !find_membership(lines, controller->name, &own, &is_v2)) {
        errno = err_is_shortage(errno) ? errno : ENOENT;
        return false;
    }
    const char *tail = strcmp(own, "/") == 0 ? "" : own;
    int length = is_v2 ? snprintf(out, PATH_MAX, "%s%s", system->root, tail)
                       : snprintf(out, PATH_MAX, "%s/%s%s", system->root, controller->name, tail);
    if (length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    return !is_v2 || climb_to_parent_group(out, strlen(system->root), controller->name_v2);
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

static bool create_folder(const struct sandbox_cgroup_system *system,
                          const struct controller *controller, char out[PATH_MAX])
{
    char base[PATH_MAX];
    char name[SANDBOX_CGROUP_NAME_BYTES];
    char path[PATH_MAX];
    sandbox_cgroup_name(name);
    if (!find_base(system, controller, base) || !join_path(path, base, name)) {
        return false;
    }
    /* In version 2 it exists the second time; so does one whose owner died with our number. */
    if (mkdir(path, 0755) != 0 && errno != EEXIST) {
        return false;
    }
    memcpy(out, path, sizeof path);
    return true;
}

enum err sandbox_cgroup_create(const struct sandbox_cgroup_system *system, unsigned features,
                               const struct sandbox_limits *limits, struct sandbox_cgroup *out,
                               enum sandbox_feature *missing, struct note *why)
{
    struct sandbox_cgroup group = {0};
    for (size_t i = 0; i < SANDBOX_CGROUP_FOLDERS; i++) {
        const struct controller *controller = &controllers[i];
        if (!(features & controller->feature)) {
            continue;
        }
        if (!create_folder(system, controller, group.folders[i]) ||
            !limit((enum controller_index)i, group.folders[i], limits)) {
            int error = errno;
            note_set(why, "no %s cgroup: %s", controller->name, strerror(error));
            *missing = controller->feature;
            sandbox_cgroup_remove(&group);
            errno = error;
            return ERR_ENVIRONMENT;
        }
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
        if (*group->folders[i] && !write_in(group->folders[i], "tasks", "0") &&
            !write_in(group->folders[i], "cgroup.procs", "0")) {
            note_set(why, "cannot join a cgroup: %s", strerror(errno));
            return ERR_ENVIRONMENT;
        }
    }
    return ERR_NONE;
}

bool sandbox_cgroup_was_starved(const struct sandbox_cgroup *group)
{
    char text[FILE_BYTES];
    const char *folder = group->folders[MEMORY];
    if (!*folder ||
        (!read_in(folder, "memory.events", text) && !read_in(folder, "memory.oom_control", text))) {
        return false;
    }
    const char *kills = strstr(text, "oom_kill ");
    return kills && strtol(kills + strlen("oom_kill "), NULL, 10) > 0;
}

int64_t sandbox_cgroup_refused_processes(const struct sandbox_cgroup *group)
{
    static const char word[] = "max ";
    char text[FILE_BYTES];
    const char *folder = group->folders[PIDS];
    const char *line = *folder && read_in(folder, "pids.events", text) ? strstr(text, word) : NULL;
    return line ? strtoll(line + strlen(word), NULL, 10) : 0;
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
    char folder[PATH_MAX];
    char name[SANDBOX_CGROUP_NAME_BYTES];
    name_group(getpid(), maker, name);
    return find_base(system, &controllers[CPU_TIME], base) && join_path(folder, base, name) &&
           ((join_path(out, folder, "cpuacct.usage") && access(out, R_OK) == 0) ||
            (join_path(out, folder, "cpu.stat") && access(out, R_OK) == 0));
}

/* Version 1 has nanoseconds, version 2 a line with microseconds. */
int64_t sandbox_cgroup_used_ns(const char *path)
{
    static const char v2[] = "usage_usec ";
    char text[FILE_BYTES];
    if (!read_file(path, text)) {
        return -1;
    }
    const char *line = strstr(text, v2);
    return line ? strtoll(line + strlen(v2), NULL, 10) * NS_PER_US : strtoll(text, NULL, 10);
}

static bool exists_in(const char *folder, const char *name)
{
    char path[PATH_MAX];
    return join_path(path, folder, name) && access(path, F_OK) == 0;
}

/* In version 1 only the first group of a hierarchy has the file. A container may show another one
 * as the first. */
static bool is_in_first_group(const struct sandbox_cgroup_system *system, const char *own)
{
    char folder[PATH_MAX];
    return snprintf(folder, PATH_MAX, "%s/%s%s", system->root, controllers[CPU].name, own) <
               PATH_MAX &&
           exists_in(folder, "release_agent");
}

/* In version 2 each group but the first has the file, if the one above passes the controller on. */
static bool is_in_no_cpu_group(const struct sandbox_cgroup_system *system, const char *own)
{
    char folder[PATH_MAX];
    if (snprintf(folder, PATH_MAX, "%s%s", system->root, own) >= PATH_MAX) {
        return false;
    }
    while (!exists_in(folder, "cpu.weight")) {
        char *last = strrchr(folder, '/');
        if (!last || strlen(folder) <= strlen(system->root)) {
            return exists_in(system->root, "cgroup.procs");
        }
        *last = '\0';
    }
    return false;
}

bool sandbox_cgroup_has_autogroup(const struct sandbox_cgroup_system *system)
{
    char text[FILE_BYTES];
    char *own = NULL;
    bool is_v2 = false;
    if (!read_file(system->autogroup, text) || *text != '1' ||
        !read_file(system->membership, text) ||
        !find_membership(text, controllers[CPU].name, &own, &is_v2)) {
        return false;
    }
    return is_v2 ? is_in_no_cpu_group(system, own) : is_in_first_group(system, own);
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
        if (is_orphaned(entry->d_name) && join_path(path, folder, entry->d_name) &&
            rmdir(path) != 0 && errno == EBUSY) {
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
        if (find_base(system, &controllers[i], base)) {
            sweep_folder(base);
        }
    }
}
