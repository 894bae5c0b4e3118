#include "sandbox/sandbox_player.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_landlock.h"
#include "sandbox/sandbox_seccomp.h"
#include "sandbox/sandbox_watch.h"

enum {
    COULD_NOT_RUN = 126,
    NO_CORE_BYTES = 1,
};

static _Noreturn void fail(const struct sandbox_player *player, unsigned feature,
                           const struct note *why)
{
    sandbox_job_report_failure(player->control, feature, why);
    _exit(COULD_NOT_RUN);
}

/* The kernel counts what a user runs anywhere; this is how much that is now. */
static bool count_tasks_of(uid_t user, rlim_t *out)
{
    rlim_t tasks = 0;
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    if (!processes) {
        return false;
    }
    while ((entry = readdir(processes))) {
        char path[PATH_MAX];
        struct stat status;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') {
            continue;
        }
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (stat(path, &status) == 0 && status.st_uid == user) {
            tasks += status.st_nlink - 2;
        }
    }
    closedir(processes);
    *out = tasks;
    return true;
}

/* The limit of a stack is also the size of a new thread's stack: it is never raised. */
static bool limit(int resource, rlim_t wanted)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0) {
        return false;
    }
    rlim_t most = now.rlim_max < wanted ? now.rlim_max : wanted;
    bool is_lower = resource == RLIMIT_STACK && now.rlim_cur < most;
    struct rlimit limit = {.rlim_cur = is_lower ? now.rlim_cur : most, .rlim_max = most};
    return setrlimit((__rlimit_resource_t)resource, &limit) == 0;
}

/* RLIMIT_DATA, not RLIMIT_AS: a program may reserve addresses that it never uses. It does not count
 * the stack. */
static enum err limit_resources(const struct sandbox_job *job, struct note *why)
{
    const struct sandbox_limits *limits = &job->limits;
    bool is_done = limit(RLIMIT_STACK, (rlim_t)limits->stack_bytes) &&
                   limit(RLIMIT_SIGPENDING, (rlim_t)limits->pending_signals) &&
                   limit(RLIMIT_MEMLOCK, 64 * 1024) && limit(RLIMIT_MSGQUEUE, 0) &&
                   limit(RLIMIT_RTPRIO, 0) && limit(RLIMIT_NICE, 0) &&
                   limit(RLIMIT_FSIZE, (rlim_t)limits->disk_bytes) &&
                   limit(RLIMIT_NOFILE, (rlim_t)limits->open_files);
    if (is_done && !sandbox_job_has(job, SANDBOX_PIDS_CGROUP)) {
        rlim_t others = 1;
        is_done = (sandbox_job_has(job, SANDBOX_NAMESPACES) || count_tasks_of(getuid(), &others)) &&
                  limit(RLIMIT_NPROC, others + (rlim_t)limits->processes);
    }
    if (is_done && !sandbox_job_has(job, SANDBOX_MEMORY_CGROUP)) {
        is_done = limit(RLIMIT_DATA, (rlim_t)limits->memory_bytes);
    }
    return is_done ? ERR_NONE : sandbox_job_report_errno(why, "cannot set a limit");
}

static enum err forbid_calls(const struct sandbox_job *job, int *listener, struct note *why)
{
    const struct {
        enum sandbox_seccomp_case which;
        bool is_so;
    } cases[] = {
        {SANDBOX_NO_SOCKETS, !sandbox_job_has(job, SANDBOX_NAMESPACES) && job->listen_port == 0},
        {SANDBOX_ONLY_STREAMS, !sandbox_job_has(job, SANDBOX_NAMESPACES)},
        {SANDBOX_KEEPS_CPU, job->cpu >= 0},
        {SANDBOX_IS_MEASURED, !sandbox_job_has(job, SANDBOX_MEMORY_CGROUP)},
        {SANDBOX_KEEPS_SESSION, !sandbox_job_has(job, SANDBOX_CPU_CGROUP)},
        {SANDBOX_IS_STOPPED, !sandbox_job_has(job, SANDBOX_FREEZER_CGROUP)},
        {SANDBOX_SEES_OTHERS, !sandbox_job_has(job, SANDBOX_NAMESPACES)},
        {SANDBOX_SHARES_USER,
         !sandbox_job_has(job, SANDBOX_NAMESPACES) && !sandbox_job_has(job, SANDBOX_OTHER_USER)},
        {SANDBOX_CUTS_FILES, !sandbox_job_has(job, SANDBOX_NAMESPACES) &&
                                 sandbox_landlock_version() < SANDBOX_LANDLOCK_TRUNCATE},
    };
    unsigned set = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        set |= cases[i].is_so ? (unsigned)cases[i].which : 0U;
    }
    return sandbox_seccomp_apply(set, listener, why);
}

/* From here on the supervisor must have the listener: opening a file waits for its answer. */
static void forbid_and_watch_calls(const struct sandbox_player *player)
{
    const struct sandbox_job *job = player->job;
    struct note why;
    int listener = -1;
    bool is_watched = sandbox_job_has(job, SANDBOX_WATCH);
    if (forbid_calls(job, is_watched ? &listener : NULL, &why)) {
        fail(player, is_watched ? SANDBOX_WATCH : SANDBOX_SECCOMP, &why);
    }
    if (is_watched) {
        const struct sandbox_job_report report = {
            .kind = SANDBOX_READY, .fd_count = 1, .fds = {listener}};
        sandbox_job_report_send(player->watch, &report);
        close(listener);
        close(player->watch);
    }
}

static enum err stay_on_cpu(int cpu, struct note *why)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0) {
        note_set(why, "cannot run on processor %d: %s", cpu, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

/* The first folder on the way to `path`, or `path` itself, that its user may not enter or read. */
static size_t closed_length(const char *path)
{
    char part[PATH_MAX];
    for (const char *end = path; (end = strchr(end + 1, '/'));) {
        size_t length = (size_t)(end - path);
        snprintf(part, sizeof part, "%.*s", (int)length, path);
        if (access(part, X_OK) != 0) {
            return length;
        }
    }
    return strlen(path);
}

/* Names what root can do about a file or folder that the sandbox's user cannot use. */
static enum err refuse_closed(const char *path, struct note *why)
{
    int length = (int)closed_length(path);
    bool is_on_the_way = path[length] != '\0';
    note_set(
        why,
        "root's agents run as users %d to %d, and this one is closed to them: chmod %s '%.*s'%s",
        SANDBOX_FIRST_USER, SANDBOX_USER, is_on_the_way ? "go+x" : "go+rX", length, path,
        is_on_the_way ? ", or move the agent to a folder that is open to all users"
                      : " and all that the agent needs");
    return ERR_ENVIRONMENT;
}

/* Links everything that it sees in its folder into the current folder, but no names with a dot in
 * front, unless the name exists there. What cannot be linked is left out: the program reports what
 * it misses. */
static void link_files(const struct sandbox_player *player)
{
    for (size_t i = 0; i < player->entries->count; i++) {
        const char *entry = player->entries->entries[i];
        char target[PATH_MAX];
        int length = snprintf(target, sizeof target, "%s/%s", player->job->folder, entry);
        if (entry[0] == '.' || length >= (int)sizeof target || symlink(target, entry) != 0) {
            continue;
        }
    }
}

static enum err settle_down(const struct sandbox_player *player, struct note *why)
{
    const struct sandbox_job *job = player->job;
    const char *place = job->private_is_cwd ? player->private_folder : job->folder;
    if (sandbox_job_has(job, SANDBOX_OTHER_USER)) {
        const char *forbidden = access(job->folder, X_OK) != 0 && errno == EACCES
                                    ? job->folder
                                    : sandbox_programs_forbidden(player->programs, getenv("PATH"));
        if (forbidden) {
            return refuse_closed(forbidden, why);
        }
    }
    if (chdir(place) != 0) {
        note_set(why, "cannot enter the folder %.200s: %s", place, strerror(errno));
        return ERR_ENVIRONMENT;
    }
    if (job->private_is_cwd) {
        link_files(player);
    }
    if (job->is_limited && (setenv("HOME", player->private_folder, 1) != 0 ||
                            setenv("TMPDIR", player->private_folder, 1) != 0)) {
        return sandbox_job_report_errno(why, "no environment");
    }
    return ERR_NONE;
}

/* So many descriptors may be on their way through the sockets of this user: other agents may have
 * used up the limit that is usual. */
static void raise_open_files(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &files);
    }
}

static void forbid(const struct sandbox_player *player)
{
    const struct sandbox_job *job = player->job;
    struct note why;
    raise_open_files();
    if (sandbox_identity_drop_capabilities(&why)) {
        fail(player, 0, &why);
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        (void)sandbox_job_report_errno(&why, "cannot rule out new privileges");
        fail(player, SANDBOX_SECCOMP | SANDBOX_LANDLOCK, &why);
    }
    if (sandbox_job_has(job, SANDBOX_LANDLOCK) && sandbox_landlock_apply(player, &why)) {
        fail(player, SANDBOX_LANDLOCK, &why);
    }
    /* 1 byte stops every core dump; 0 stops only those to a file, not those that the kernel sends
     * to a program (core(5)). The filter refuses another limit. */
    if (!limit(RLIMIT_CORE, NO_CORE_BYTES)) {
        (void)sandbox_job_report_errno(&why, "cannot rule out core dumps");
        fail(player, 0, &why);
    }
    if (sandbox_job_has(job, SANDBOX_SECCOMP)) {
        forbid_and_watch_calls(player);
    }
}

_Noreturn void sandbox_player_run(const struct sandbox_player *player)
{
    const struct sandbox_job *job = player->job;
    struct sandbox_job_report ready = {.kind = SANDBOX_READY,
                                       .fd_count = player->listener >= 0 ? 2 : 1,
                                       .fds = {-1, player->listener}};
    struct note why;
    char *line = NULL;
    if (asprintf(&line, "exec %s", job->command) < 0) {
        (void)sandbox_job_report_errno(&why, "no memory for a command");
        fail(player, 0, &why);
    }
    /* Where cgroups do not share the processors, the kernel does so between sessions, if it has
     * autogroups: see sched(7). */
    setsid();
    umask(022);
    if (job->cpu >= 0 && stay_on_cpu(job->cpu, &why)) {
        fail(player, 0, &why);
    }
    if (settle_down(player, &why)) {
        fail(player, 0, &why);
    }
    if (job->is_rehearsal) {
        _exit(0);
    }
    ready.fds[0] = open(player->private_folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (ready.fds[0] < 0) {
        (void)sandbox_job_report_errno(&why, "cannot open the private folder");
        fail(player, 0, &why);
    }
    if (job->is_limited) {
        forbid(player);
    }
    sandbox_job_report_send(player->control, &ready);
    /* Last, because they may be tighter than what we ourselves need. */
    if (job->is_limited && limit_resources(job, &why)) {
        fail(player, 0, &why);
    }
    execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    (void)sandbox_job_report_errno(&why, "cannot run /bin/sh");
    free(line);
    fail(player, 0, &why);
}
