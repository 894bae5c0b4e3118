#include "sandbox/sandbox_job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "sandbox_sources.h" /* made by the build */

#define OWN_PROGRAM "/proc/self/exe"

/* After the program's name, SANDBOX_CHILD and SANDBOX_SOURCES. */
enum { SOURCES_ARGUMENT = 2, FOLDER_ARGUMENT, PRIVATE_ARGUMENT, COMMAND_ARGUMENT, ARGUMENTS };

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

/* --- Environment --- */

static size_t name_length(const char *entry) { return strcspn(entry, "="); }

static bool has_name(const char *const *entries, const char *entry)
{
    size_t length = name_length(entry);
    for (; entries && *entries; entries++) {
        if (length == name_length(*entries) && strncmp(*entries, entry, length) == 0) {
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

/* A sandboxed program gets only the variables that locate programs and set the language: the
 * teacher's environment may contain passwords. The caller frees the list, whose strings are
 * borrowed; NULL: no memory. */
static char **list_environment(const struct sandbox_job *job)
{
    static const char *const kept[] = {
        "PATH",         "LANG",       "LANGUAGE",        "TZ",
        "TERM",         "PYENV_ROOT", "PYENV_VERSION",   "VIRTUAL_ENV",
        "CONDA_PREFIX", "JAVA_HOME",  "LD_LIBRARY_PATH", NULL};
    static const char *const of_agents[] = {"USER=agent", "LOGNAME=agent", NULL};
    enum { INHERITED, ADDED, GIVEN, LISTS };
    const char *const *lists[LISTS] = {[INHERITED] = (const char *const *)environ,
                                       [ADDED] = job->is_limited ? of_agents : NULL,
                                       [GIVEN] = job->environment};
    size_t count = 0;
    char **out =
        calloc(length_of(lists[INHERITED]) + length_of(lists[ADDED]) + length_of(lists[GIVEN]) + 1,
               sizeof *out);
    for (int i = 0; i < LISTS && out; i++) {
        for (const char *const *entry = lists[i]; entry && *entry; entry++) {
            bool is_hidden = i == INHERITED && job->is_limited && !has_name(kept, *entry) &&
                             strncmp(*entry, "LC_", 3) != 0;
            if (!is_hidden && (i == GIVEN || !has_name(job->environment, *entry))) {
                out[count++] = (char *)*entry;
            }
        }
    }
    return out;
}

/* --- Start --- */

enum err sandbox_job_spawn(const struct sandbox_job *job, const char *helper_path,
                           const int streams[SANDBOX_JOB_STREAMS], int *control, pid_t *pid,
                           struct note *why)
{
    char *argv[ARGUMENTS + 1] = {
        (char *)"plum",
        (char *)SANDBOX_CHILD,
        [SOURCES_ARGUMENT] = (char *)SANDBOX_SOURCES,
        [FOLDER_ARGUMENT] = (char *)job->folder,
        [PRIVATE_ARGUMENT] = (char *)job->private_folder,
        [COMMAND_ARGUMENT] = (char *)job->command,
    };
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return sandbox_job_report_errno(why, "no socket");
    }
    char **environment = list_environment(job);
    int error = environment ? 0 : ENOMEM;
    if (!error && send(ends[0], job, sizeof *job, MSG_NOSIGNAL) < 0) {
        error = errno;
    }
    if (!error) {
        error = helper_path ? spawn(helper_path, argv, environment, streams, ends[1], pid)
                            : spawn_found(argv, environment, streams, ends[1], pid);
    }
    free(environment);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        note_set(why, "cannot start %.120s: %s", helper_path ? helper_path : "the sandbox helper",
                 strerror(error));
        return ERR_ENVIRONMENT;
    }
    *control = ends[0];
    return ERR_NONE;
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
    if (argc != ARGUMENTS || recv(SANDBOX_CONTROL_FD, out, sizeof *out, 0) != sizeof *out) {
        return false;
    }
    out->folder = argv[FOLDER_ARGUMENT];
    out->private_folder = argv[PRIVATE_ARGUMENT];
    out->command = argv[COMMAND_ARGUMENT];
    return true;
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

union rights {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int) * SANDBOX_JOB_REPORT_FDS)];
};

/* The descriptors are sent next to the report, which itself only shows how many there are. */
void sandbox_job_report_send(int control, const struct sandbox_job_report *report)
{
    struct iovec part = {(void *)(uintptr_t)report, sizeof *report};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    union rights rights = {.bytes = ""};
    size_t size = sizeof(int) * (size_t)report->fd_count;
    if (size > 0) {
        header.msg_control = rights.bytes;
        header.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *item = CMSG_FIRSTHDR(&header);
        *item = (struct cmsghdr){
            .cmsg_len = CMSG_LEN(size), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
        memcpy(CMSG_DATA(item), report->fds, size);
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
    };
    sandbox_job_report_send(control, &report);
}

enum err sandbox_job_report_errno(struct note *why, const char *what)
{
    note_set(why, "%s: %s", what, strerror(errno));
    return ERR_ENVIRONMENT;
}

/* The kernel delivers as many descriptors as there is room for, and drops the others. */
static void take_descriptors(struct msghdr *header, struct sandbox_job_report *report)
{
    struct cmsghdr *item = CMSG_FIRSTHDR(header);
    int given = item ? (int)((item->cmsg_len - CMSG_LEN(0)) / sizeof(int)) : 0;
    if (given > 0) {
        memcpy(report->fds, CMSG_DATA(item), sizeof(int) * (size_t)given);
    }
    if (given < report->fd_count) {
        while (given > 0) {
            close(report->fds[--given]);
        }
        *report = (struct sandbox_job_report){.kind = SANDBOX_FAILED, .error = EMFILE};
        note_set(&report->note, "no descriptor for its socket or folder: %s", strerror(EMFILE));
    }
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
    *is_over = count == 0 || (count < 0 && errno != EAGAIN);
    if (count != (ssize_t)sizeof report) {
        return false;
    }
    take_descriptors(&header, &report);
    *out = report;
    return true;
}
