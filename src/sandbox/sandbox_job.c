#include "sandbox/sandbox_job.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "base/number.h"
#include "sandbox_sources.h" /* made by the build */

#define OWN_PROGRAM "/proc/self/exe"

/* The order of the numbers in an argument list, after the program's name, SANDBOX_CHILD and
 * SANDBOX_SOURCES. The names of a rule come last. */
enum job_number {
    FEATURES,
    IS_LIMITED,
    MEMORY,
    DISK,
    OUTPUT,
    PROCESSES,
    OPEN_FILES,
    STACK,
    PENDING_SIGNALS,
    INOTIFY_INSTANCES,
    LISTEN_PORT,
    CPU,
    PRIVATE_IS_CWD,
    IS_REHEARSAL,
    IS_SHARED,
    HIDDEN_NAMES,
    COMMON_NAMES,
    NUMBERS
};

enum {
    SOURCES_ARGUMENT = 2,
    FIRST_NUMBER,
    FOLDER_ARGUMENT = FIRST_NUMBER + NUMBERS,
    PRIVATE_ARGUMENT,
    COMMAND_ARGUMENT,
    ARGUMENTS,
};

enum {
    MOST_ARGUMENTS = ARGUMENTS + SANDBOX_FOLDER_NAMES + SANDBOX_FOLDER_COMMON,
    NUMBER_BYTES = 24,
};

static void write_numbers(const struct sandbox_job *job, char text[NUMBERS][NUMBER_BYTES])
{
    const int64_t numbers[NUMBERS] = {
        [FEATURES] = job->features,
        [IS_LIMITED] = job->is_limited,
        [MEMORY] = job->limits.memory_bytes,
        [DISK] = job->limits.disk_bytes,
        [OUTPUT] = job->limits.output_bytes,
        [PROCESSES] = job->limits.processes,
        [OPEN_FILES] = job->limits.open_files,
        [STACK] = job->limits.stack_bytes,
        [PENDING_SIGNALS] = job->limits.pending_signals,
        [INOTIFY_INSTANCES] = job->limits.inotify_instances,
        [LISTEN_PORT] = job->listen_port,
        [CPU] = job->cpu,
        [PRIVATE_IS_CWD] = job->private_is_cwd,
        [IS_REHEARSAL] = job->is_rehearsal,
        [IS_SHARED] = job->rule.is_shared,
        [HIDDEN_NAMES] = job->rule.hidden_count,
        [COMMON_NAMES] = job->rule.common_count,
    };
    for (int i = 0; i < NUMBERS; i++) {
        snprintf(text[i], NUMBER_BYTES, "%" PRId64, numbers[i]);
    }
}

/* As well protected as plum's own file: of the same user or root, and nobody else can write it. */
static bool is_trusted(int helper, const struct stat *plum)
{
    struct stat status;
    mode_t writable = S_IWGRP | S_IWOTH;
    return fstat(helper, &status) == 0 && S_ISREG(status.st_mode) &&
           (status.st_uid == plum->st_uid || status.st_uid == 0) &&
           !(status.st_mode & writable & ~plum->st_mode) &&
           (!(status.st_mode & S_IWGRP) || status.st_gid == plum->st_gid);
}

/* plum-helper in plum's folder, or where `make install` puts it; -1: plum itself is the helper. */
static int open_helper(void)
{
    static const char *const places[] = {"plum-helper", "../libexec/plum/plum-helper"};
    char path[PATH_MAX];
    struct stat plum;
    int helper = -1;
    ssize_t length = readlink(OWN_PROGRAM, path, sizeof path - 1);
    if (length < 0 || stat(OWN_PROGRAM, &plum) != 0) {
        return -1;
    }
    path[length] = '\0';
    const char *name = strrchr(path, '/');
    size_t folder = name ? (size_t)(name - path) + 1 : 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && helper < 0; i++) {
        snprintf(path + folder, sizeof path - folder, "%s", places[i]);
        helper = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
        if (helper >= 0 && !is_trusted(helper, &plum)) {
            close(helper);
            helper = -1;
        }
    }
    return helper;
}

static int spawn(const char *helper_path, char *const argv[], char *const environment[],
                 const int streams[SANDBOX_JOB_STREAMS], int control, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) {
        return error;
    }
    error = posix_spawnattr_init(&attributes);
    if (error) {
        goto out;
    }
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
    for (int fd = 0; fd < SANDBOX_JOB_STREAMS && !error; fd++) {
        error = posix_spawn_file_actions_adddup2(&actions, streams[fd], fd);
    }
    if (!error) {
        error = posix_spawn_file_actions_adddup2(&actions, control, SANDBOX_CONTROL_FD);
    }
    if (!error) {
        error = posix_spawn(pid, helper_path, &actions, &attributes, argv, environment);
    }
    posix_spawnattr_destroy(&attributes);
out:
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* What was checked is what runs, so it is started by its descriptor, which is above those that the
 * helper gets. */
static int spawn_found(char *const argv[], char *const environment[],
                       const int streams[SANDBOX_JOB_STREAMS], int control, pid_t *pid)
{
    char path[32] = OWN_PROGRAM;
    int found = open_helper();
    int helper = found < 0 ? -1 : fcntl(found, F_DUPFD_CLOEXEC, SANDBOX_CONTROL_FD + 1);
    if (helper >= 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", helper);
    }
    int error = spawn(path, argv, environment, streams, control, pid);
    if (helper >= 0) {
        close(helper);
    }
    if (found >= 0) {
        close(found);
    }
    return error;
}

enum err sandbox_job_spawn(const struct sandbox_job *job, const char *helper_path,
                           char *const environment[], const int streams[SANDBOX_JOB_STREAMS],
                           int control, pid_t *pid, struct note *why)
{
    char numbers[NUMBERS][NUMBER_BYTES];
    char *argv[MOST_ARGUMENTS + 1] = {(char *)"plum", (char *)SANDBOX_CHILD,
                                      (char *)SANDBOX_SOURCES};
    write_numbers(job, numbers);
    for (int i = 0; i < NUMBERS; i++) {
        argv[FIRST_NUMBER + i] = numbers[i];
    }
    argv[FOLDER_ARGUMENT] = (char *)job->folder;
    argv[PRIVATE_ARGUMENT] = (char *)job->private_folder;
    argv[COMMAND_ARGUMENT] = (char *)job->command;
    for (int i = 0; i < job->rule.hidden_count; i++) {
        argv[ARGUMENTS + i] = (char *)job->rule.hidden[i];
    }
    for (int i = 0; i < job->rule.common_count; i++) {
        argv[ARGUMENTS + job->rule.hidden_count + i] = (char *)job->rule.common[i];
    }
    int error = helper_path ? spawn(helper_path, argv, environment, streams, control, pid)
                            : spawn_found(argv, environment, streams, control, pid);
    if (error) {
        note_set(why, "cannot start %.120s: %s", helper_path ? helper_path : "the sandbox helper",
                 strerror(error));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

static void read_names(char **argv, int count, char names[][NAME_MAX + 1])
{
    for (int i = 0; i < count; i++) {
        snprintf(names[i], NAME_MAX + 1, "%s", argv[i]);
    }
}

/* The file of the very plum that started us is its helper, also when another is at its place now.
 */
static void become_parent(char **argv)
{
    struct ucred plum;
    socklen_t length = sizeof plum;
    char path[32];
    if (getsockopt(SANDBOX_CONTROL_FD, SOL_SOCKET, SO_PEERCRED, &plum, &length) == 0 &&
        plum.pid == getppid()) {
        snprintf(path, sizeof path, "/proc/%d/exe", plum.pid);
        execv(path, argv);
    }
}

bool sandbox_job_read(int argc, char **argv, struct sandbox_job *out)
{
    if (argc <= SOURCES_ARGUMENT || strcmp(argv[1], SANDBOX_CHILD) != 0) {
        return false;
    }
    if (strcmp(argv[SOURCES_ARGUMENT], SANDBOX_SOURCES) != 0) {
        become_parent(argv);
        return false;
    }
    if (argc < ARGUMENTS) {
        return false;
    }
    int64_t numbers[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) {
        if (number_read(argv[FIRST_NUMBER + i], "a number", -1, INT64_MAX, &numbers[i], NULL)) {
            return false;
        }
    }
    int64_t hidden = numbers[HIDDEN_NAMES];
    int64_t common = numbers[COMMON_NAMES];
    if (hidden < 0 || hidden > SANDBOX_FOLDER_NAMES || common < 0 ||
        common > SANDBOX_FOLDER_COMMON || argc != ARGUMENTS + hidden + common) {
        return false;
    }
    *out = (struct sandbox_job){
        .command = argv[COMMAND_ARGUMENT],
        .folder = argv[FOLDER_ARGUMENT],
        .private_folder = argv[PRIVATE_ARGUMENT],
        .private_is_cwd = numbers[PRIVATE_IS_CWD] != 0,
        .is_limited = numbers[IS_LIMITED] != 0,
        .is_rehearsal = numbers[IS_REHEARSAL] != 0,
        .listen_port = (int)numbers[LISTEN_PORT],
        .cpu = (int)numbers[CPU],
        .features = (unsigned)numbers[FEATURES],
        .limits = {.memory_bytes = numbers[MEMORY],
                   .disk_bytes = numbers[DISK],
                   .output_bytes = numbers[OUTPUT],
                   .processes = (int)numbers[PROCESSES],
                   .open_files = (int)numbers[OPEN_FILES],
                   .stack_bytes = numbers[STACK],
                   .pending_signals = (int)numbers[PENDING_SIGNALS],
                   .inotify_instances = (int)numbers[INOTIFY_INSTANCES]},
        .rule = {.is_shared = numbers[IS_SHARED] != 0,
                 .hidden_count = (int)hidden,
                 .common_count = (int)common},
    };
    read_names(argv + ARGUMENTS, (int)hidden, out->rule.hidden);
    read_names(argv + ARGUMENTS + hidden, (int)common, out->rule.common);
    return true;
}

/* --- Environment --- */

static const char *const kept[] = {
    "PATH",         "LANG",       "LANGUAGE",        "TZ",
    "TERM",         "PYENV_ROOT", "PYENV_VERSION",   "VIRTUAL_ENV",
    "CONDA_PREFIX", "JAVA_HOME",  "LD_LIBRARY_PATH",
};

static const char *const added[] = {"USER=agent", "LOGNAME=agent"};

static size_t name_length(const char *entry) { return strcspn(entry, "="); }

static bool is_same_name(const char *a, const char *b)
{
    size_t length = name_length(a);
    return length == name_length(b) && strncmp(a, b, length) == 0;
}

static bool is_kept(const char *entry)
{
    if (strncmp(entry, "LC_", 3) == 0) {
        return true;
    }
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        if (is_same_name(entry, kept[i])) {
            return true;
        }
    }
    return false;
}

static bool has_name(const char *const *entries, const char *entry)
{
    for (; entries && *entries; entries++) {
        if (is_same_name(*entries, entry)) {
            return true;
        }
    }
    return false;
}

static size_t length_of(const char *const *entries)
{
    size_t length = 0;
    while (entries && entries[length]) {
        length++;
    }
    return length;
}

static bool append(char **list, size_t *count, const char *entry)
{
    list[*count] = strdup(entry);
    return list[*count] && ++*count;
}

char **sandbox_job_environment(bool is_sandboxed, const char *const *extra)
{
    const char *const *inherited = (const char *const *)environ;
    enum { ADDED = sizeof added / sizeof added[0] };
    size_t most = length_of(inherited) + length_of(extra) + ADDED + 1;
    char **list = calloc(most, sizeof *list);
    size_t count = 0;
    bool is_done = list != NULL;
    for (; is_done && inherited && *inherited; inherited++) {
        if ((!is_sandboxed || is_kept(*inherited)) && !has_name(extra, *inherited)) {
            is_done = append(list, &count, *inherited);
        }
    }
    for (size_t i = 0; is_done && is_sandboxed && i < ADDED; i++) {
        if (!has_name(extra, added[i])) {
            is_done = append(list, &count, added[i]);
        }
    }
    for (; is_done && extra && *extra; extra++) {
        is_done = append(list, &count, *extra);
    }
    if (!is_done) {
        sandbox_job_free_environment(list);
        return NULL;
    }
    return list;
}

void sandbox_job_free_environment(char **environment)
{
    for (char **entry = environment; entry && *entry; entry++) {
        free(*entry);
    }
    free(environment);
}

/* --- Terminal --- */

static int make_plain(int fd)
{
    struct termios mode;
    if (tcgetattr(fd, &mode) != 0) {
        return -1;
    }
    cfmakeraw(&mode);
    mode.c_lflag |= ICANON;
    mode.c_cc[VEOF] = SANDBOX_JOB_TERMINAL_END;
    mode.c_cc[VEOL] = _POSIX_VDISABLE;
    mode.c_cc[VEOL2] = _POSIX_VDISABLE;
    mode.c_cc[VERASE] = _POSIX_VDISABLE;
    mode.c_cc[VKILL] = _POSIX_VDISABLE;
    return tcsetattr(fd, TCSANOW, &mode);
}

enum err sandbox_job_open_terminal(int *our_end, int *program_end, struct note *why)
{
    int theirs = -1;
    int ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ours >= 0 && grantpt(ours) == 0 && unlockpt(ours) == 0) {
        theirs = ioctl(ours, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    }
    if (theirs < 0 || make_plain(theirs) != 0) {
        note_set(why, "no pseudo-terminal: %s", strerror(errno));
        if (theirs >= 0) {
            close(theirs);
        }
        if (ours >= 0) {
            close(ours);
        }
        return ERR_ENVIRONMENT;
    }
    *our_end = ours;
    *program_end = theirs;
    return ERR_NONE;
}

/* --- What it reports --- */

enum { MOST_FDS = 2 };

union rights {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * MOST_FDS)];
};

static void attach(struct msghdr *header, union rights *rights, const int *fds, size_t count)
{
    memset(rights, 0, sizeof *rights);
    header->msg_control = rights->bytes;
    header->msg_controllen = CMSG_SPACE(sizeof(int) * count);
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    item->cmsg_level = SOL_SOCKET;
    item->cmsg_type = SCM_RIGHTS;
    item->cmsg_len = CMSG_LEN(sizeof(int) * count);
    memcpy(CMSG_DATA(item), fds, sizeof(int) * count);
}

void sandbox_job_report_send(int control, const struct sandbox_job_report *report)
{
    /* The descriptors are sent next to it; it itself only shows which of them there are. */
    struct iovec part = {(void *)(uintptr_t)report, sizeof *report};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    union rights rights;
    int fds[MOST_FDS];
    size_t count = 0;
    if (report->listener >= 0) {
        fds[count++] = report->listener;
    }
    if (report->folder >= 0) {
        fds[count++] = report->folder;
    }
    if (count > 0) {
        attach(&header, &rights, fds, count);
    }
    while (sendmsg(control, &header, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

void sandbox_job_report_failure(int control, unsigned feature, const struct note *why)
{
    const struct sandbox_job_report report = {
        .kind = SANDBOX_FAILED,
        .value = (int)feature,
        .error = errno,
        .note = *why,
        .listener = -1,
        .folder = -1,
    };
    sandbox_job_report_send(control, &report);
}

enum err sandbox_job_report_errno(struct note *why, const char *what)
{
    note_set(why, "%s: %s", what, strerror(errno));
    return ERR_ENVIRONMENT;
}

static void close_if_open(int fd)
{
    if (fd >= 0) {
        close(fd);
    }
}

static size_t detach(struct msghdr *header, int fds[MOST_FDS])
{
    size_t count = 0;
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    if (item && item->cmsg_level == SOL_SOCKET && item->cmsg_type == SCM_RIGHTS) {
        count = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(fds, CMSG_DATA(item), sizeof(int) * count);
    }
    return count;
}

/* The kernel delivers as many descriptors as there is room for, and drops the others. */
static void refuse_rest(struct sandbox_job_report *report)
{
    close_if_open(report->listener);
    close_if_open(report->folder);
    *report = (struct sandbox_job_report){
        .kind = SANDBOX_FAILED, .error = EMFILE, .listener = -1, .folder = -1};
    note_set(&report->note, "no descriptor for its socket or folder: %s", strerror(EMFILE));
}

bool sandbox_job_report_receive(int control, struct sandbox_job_report *out, bool *is_over)
{
    struct sandbox_job_report report;
    struct iovec part = {&report, sizeof report};
    union rights rights;
    struct msghdr header = {
        .msg_iov = &part,
        .msg_iovlen = 1,
        .msg_control = rights.bytes,
        .msg_controllen = sizeof rights.bytes,
    };
    ssize_t count;
    do {
        count = recvmsg(control, &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count != (ssize_t)sizeof report) {
        *is_over = count >= 0 || errno != EAGAIN;
        return false;
    }
    int fds[MOST_FDS] = {-1, -1};
    size_t given = detach(&header, fds);
    size_t used = 0;
    *out = report;
    out->listener = report.listener >= 0 && used < given ? fds[used++] : -1;
    out->folder = report.folder >= 0 && used < given ? fds[used++] : -1;
    if (used < (size_t)(report.listener >= 0) + (size_t)(report.folder >= 0)) {
        refuse_rest(out);
    }
    *is_over = false;
    return true;
}
