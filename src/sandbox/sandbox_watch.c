#include "sandbox/sandbox_watch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "sandbox/process_tree.h"
#include "sandbox/sandbox_init.h"

/* Linux 6.6; the system's header may be older. The waiting program and the supervisor then take
 * turns on one processor. */
#ifndef SECCOMP_IOCTL_NOTIF_SET_FLAGS
#define SECCOMP_IOCTL_NOTIF_SET_FLAGS SECCOMP_IOW(4, __u64)
#define SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP (1UL << 0)
#endif

/* A program pays for its calls with its own time, and for what the supervisor does for them by
 * waiting: that is limited to this share of a processor, after a beginning in which a program opens
 * its files. A path of 4 KB takes 50 to 190 us instead of 12. */
enum { FIRST_MS = 200, SHARE_PERCENT = 5, REFILL_MS = 10 };

/* After as many attempts that only an attacker makes, there is no doubt left: paths, addresses and
 * processes are not looked at any more. What the filter refuses is counted on. */
enum { MOST_HOSTILE = 100 };

/* The kernel has one limit on what is watched with epoll for all programs of a user, and plum,
 * which cannot go on without, is one of them where it is not root. */
enum { MOST_EPOLL_ADDITIONS = 1 << 15 };

/* The answer to a call that counts only if a hidden file exists comes this long after the call:
 * how long the lookup took, and what was recorded then, must not show whether the file exists. */
enum { DOUBT_MS = 10 };

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* --- Arguments --- */

/* The memory of a program ends somewhere: each page is read by itself. */
static size_t read_memory(pid_t process, uint64_t address, void *out, size_t bytes)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    size_t done = 0;
    ssize_t count = 1;
    while (done < bytes && count > 0) {
        size_t rest = (size_t)(page - (address + done) % page);
        struct iovec local = {(char *)out + done, rest < bytes - done ? rest : bytes - done};
        struct iovec remote = {(void *)(uintptr_t)(address + done), local.iov_len};
        count = process_vm_readv(process, &local, 1, &remote, 1, 0);
        done += count > 0 ? (size_t)count : 0;
    }
    return done;
}

static bool read_text(pid_t process, uint64_t address, char out[PATH_MAX])
{
    enum { USUAL_BYTES = 256 }; /* to read more takes longer */
    size_t length = read_memory(process, address, out, USUAL_BYTES);
    if (length == USUAL_BYTES && !memchr(out, '\0', length)) {
        length = read_memory(process, address, out, PATH_MAX);
    }
    return memchr(out, '\0', length) != NULL;
}

/* Folds "//", "/./" and "/../" in a path that begins with '/'. */
static void fold(char *path)
{
    size_t end = 0;
    for (const char *part = path; *part;) {
        const char *name = part + strspn(part, "/");
        size_t length = strcspn(name, "/");
        if (length == 2 && memcmp(name, "..", 2) == 0) {
            while (end > 0 && path[--end] != '/') {
            }
        } else if (length > 0 && !(length == 1 && *name == '.')) {
            path[end++] = '/';
            memmove(path + end, name, length);
            end += length;
        }
        part = name + length;
    }
    if (end == 0) {
        path[end++] = '/';
    }
    path[end] = '\0';
}

/* /proc/self/root is the root of the program. */
static void skip_root_links(char *path)
{
    int length = 0;
    while (strncmp(path, "/proc/", 6) == 0 && sscanf(path, "/proc/%*[a-z-]/root%n", &length) == 0 &&
           length > 0 && (path[length] == '/' || path[length] == '\0')) {
        memmove(path, path + length, strlen(path + length) + 1);
        if (*path == '\0') {
            memcpy(path, "/", 2);
        }
        length = 0;
    }
}

/* A path of a program, from its working directory or an open folder on. */
static bool read_path(pid_t process, int folder, uint64_t address, char out[PATH_MAX])
{
    char text[PATH_MAX];
    char start[PATH_MAX] = "";
    char link[64];
    if (!read_text(process, address, text) || !*text) {
        return false;
    }
    if (*text != '/') {
        if (folder == AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/%d/cwd", (int)process);
        } else {
            snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)process, folder);
        }
        ssize_t length = readlink(link, start, sizeof start - 1);
        if (length <= 0 || *start != '/') {
            return false;
        }
        start[length] = '\0';
    }
    if (snprintf(out, PATH_MAX, "%s%s%s", start, *text == '/' ? "" : "/", text) >= PATH_MAX) {
        return false;
    }
    fold(out);
    skip_root_links(out);
    return true;
}

/* --- Rows --- */

static void send_row(struct sandbox_watch *watch, int row)
{
    struct sandbox_job_report report = {.kind = SANDBOX_VIOLATION,
                                        .violation = watch->list.rows[row]};
    watch->list.rows[row].count = 0;
    watch->sent_rank[row] = 1 + report.violation.is_hostile;
    sandbox_job_report_send(SANDBOX_CONTROL_FD, &report);
}

/* The first of each row is sent at once, before the program can do anything else. */
__attribute__((format(printf, 4, 5))) static void record(struct sandbox_watch *watch,
                                                         enum violation_kind kind, bool is_hostile,
                                                         const char *format, ...)
{
    struct violation violation = {
        .kind = kind, .is_hostile = is_hostile, .count = 1, .first_ms = clock_unix_ms()};
    char text[PATH_MAX + 64];
    va_list args;
    /* Otherwise the process is gone, and another one may have its number by now. */
    if (seccomp_notify_id_valid(watch->listener, watch->question->id) != 0) {
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    utf8_clean(text, violation.what, sizeof violation.what);
    int row = violation_list_add(&watch->list, &violation);
    watch->hostile += is_hostile;
    if (watch->sent_rank[row] < 1 + watch->list.rows[row].is_hostile) {
        send_row(watch, row);
    }
}

/* --- Which files belong to others --- */

/* Secrets: no program opens them by chance, whether they exist or not. */
static const char *const secrets[] = {
    "/etc/shadow",    "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-",
    "/etc/sudoers",   "/etc/ssh/*",   "/proc/kcore",  "/dev/mem",
    "/proc/kallsyms", "*/.ssh/*",     "*/.gnupg/*",   "*/.bash_history",
};

/* What interpreters and loaders look for in the folders above a program, or along a path that the
 * organiser has set. */
static const char *const looked_for[] = {
    "*/pyvenv.cfg",   "*/pybuilddir.txt", "*/.python-version", "*/.pyenv/*", "*/package.json",
    "*/node_modules", "*/*.so",           "*/*.so.*",
};

/* In the program's own folder the sandbox may hide files of others, see sandbox_folder.h. With
 * other endings they may be the program's own data, which it misses. */
static const char *const works_of_others[] = {
    "*.py", "*.c", "*.cc", "*.cpp", "*.db", "*.db-*",
};

/* What a program may write about itself. */
static const char *const own_entries[] = {"/proc/self/*", "/proc/thread-self/*", "/proc/[0-9]*",
                                          "*/__pycache__*"};

static const char *const system_folders[] = {
    "/bin", "/boot", "/etc", "/lib", "/lib64", "/sbin", "/sys", "/usr",
};

/* Where caches and temporary files are usual. */
static const char *const usual_places[] = {
    "/tmp", "/var/tmp", "/usr/tmp", "/dev", "/var/cache", "/run", "/var/run", "/var/lock",
};

/* What is directly in one of these need not be the organiser's. */
static const char *const common_folders[] = {
    "/bin", "/boot", "/dev",  "/etc",  "/lib",     "/lib32",     "/lib64",   "/media",
    "/mnt", "/opt",  "/proc", "/root", "/run",     "/sbin",      "/srv",     "/sys",
    "/tmp", "/usr",  "/var",  "/home", "/var/tmp", "/usr/local", "/var/lib",
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool has_view(const struct sandbox_watch *watch)
{
    return sandbox_job_has(watch->job, SANDBOX_NAMESPACES);
}

static bool is_below_part(const char *path, const char *folder, size_t length)
{
    return length > 0 && strncmp(path, folder, length) == 0 &&
           (path[length] == '\0' || path[length] == '/');
}

static bool is_below(const char *path, const char *folder)
{
    return is_below_part(path, folder, strlen(folder));
}

static bool is_below_any(const char *path, const char *const *folders, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (is_below(path, folders[i])) {
            return true;
        }
    }
    return false;
}

static bool matches_any(const char *path, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (fnmatch(patterns[i], path, 0) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_own(const struct sandbox_watch *watch, const char *path)
{
    return (strcmp(watch->job->folder, "/") != 0 && is_below(path, watch->job->folder)) ||
           is_below(path, watch->job->private_folder) || is_below(path, SANDBOX_INIT_PRIVATE);
}

/* As the program sees the file system. */
static bool is_visible(const struct sandbox_watch *watch, const char *path)
{
    char root[32];
    snprintf(root, sizeof root, "/proc/%d/root", (int)watch->question->pid);
    int folder = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    int fd = (int)syscall(SYS_openat2, folder, path, &how, sizeof how);
    bool is_there = fd >= 0;
    close_fd(&folder);
    close_fd(&fd);
    return is_there;
}

static size_t parent_length(const char *path)
{
    const char *last = strrchr(path, '/');
    return last ? (size_t)(last - path) : 0;
}

/* In a folder above the program's own, where a class has its roster, results and other teams. */
static bool is_of_class(const struct sandbox_watch *watch, const char *path)
{
    char above[PATH_MAX];
    snprintf(above, sizeof above, "%s", watch->job->folder);
    for (size_t length; (length = parent_length(above)) > 0;) {
        above[length] = '\0';
        if (matches_any(above, common_folders, COUNT(common_folders))) {
            return false;
        }
        if (is_below(path, above)) {
            return true;
        }
    }
    return false;
}

/* An interpreter that is installed outside the system looks around in its installation. */
static bool is_of_interpreter(const struct sandbox_watch *watch, const char *path)
{
    for (size_t i = 0; i < watch->programs->count; i++) {
        const char *part = watch->programs->paths[i];
        if (is_below_part(path, part, parent_length(part))) {
            return true;
        }
    }
    return false;
}

/* As Landlock sees the folder, where there is no view. */
static bool is_shown(const struct sandbox_watch *watch, const char *path)
{
    const char *inside = sandbox_folder_inside(path, watch->job->folder);
    return !inside || !*inside || /* the folder itself */
           is_below_any(inside, (const char *const *)watch->entries->entries,
                        watch->entries->count);
}

static bool is_of_neighbour(const struct sandbox_watch *watch, const char *path)
{
    return (has_view(watch) || sandbox_job_has(watch->job, SANDBOX_LANDLOCK)) &&
           is_below(path, watch->job->folder) &&
           matches_any(path, works_of_others, COUNT(works_of_others)) &&
           !(has_view(watch) ? is_visible(watch, path) : is_shown(watch, path));
}

static bool is_of_others(const struct sandbox_watch *watch, const char *path)
{
    bool is_home = is_below(path, "/home") || is_below(path, "/root");
    return (is_home || is_of_class(watch, path)) &&
           !matches_any(path, looked_for, COUNT(looked_for)) && !is_of_interpreter(watch, path) &&
           /* Without a view the folders on the way to its own are visible, and only they. */
           !(has_view(watch) ? is_visible(watch, path) : is_below(watch->job->folder, path));
}

/* Whether no ordinary program opens it: a secret, or a source, database or roster of others. A
 * program may look for its data in the folders above its own, or want to write a log there. */
static bool is_precious(const char *path)
{
    return matches_any(path, secrets, COUNT(secrets)) ||
           matches_any(path, works_of_others, COUNT(works_of_others)) ||
           fnmatch("*.ini", path, 0) == 0;
}

/* --- Whether a file exists --- */

static bool is_error_of_absence(int error)
{
    return error == ENOENT || error == ENOTDIR || error == ENAMETOOLONG;
}

/* In a process of its own, because a lookup may take any time: where the server of a network file
 * system does not answer, it never ends. It keeps nothing of the supervisor open. */
static bool is_found_aside(struct sandbox_watch *watch, const char *path)
{
    struct stat found;
    int status = 0;
    if (watch->seeker > 0 && waitpid(watch->seeker, NULL, WNOHANG) == 0) {
        return false; /* it still waits for the file before */
    }
    watch->seeker = fork();
    if (watch->seeker == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
        close_range(0, ~0U, 0);
        bool is_there = fstatat(AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) == 0;
        _exit(is_there || !is_error_of_absence(errno));
    }
    struct pollfd end = {.fd = pidfd_open(watch->seeker, 0), .events = POLLIN};
    bool has_ended = end.fd >= 0 && poll(&end, 1, DOUBT_MS) == 1 &&
                     waitpid(watch->seeker, &status, WNOHANG) == watch->seeker;
    close_fd(&end.fd);
    watch->seeker = has_ended ? 0 : watch->seeker;
    return has_ended && WIFEXITED(status) && WEXITSTATUS(status) != 0;
}

/* In a folder that is closed to this user there may be a file. What the kernel has in its cache is
 * found without waiting. */
static bool may_exist(struct sandbox_watch *watch, const char *path)
{
    struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC, .resolve = RESOLVE_CACHED};
    int fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
    if (fd < 0) {
        return errno == EAGAIN ? is_found_aside(watch, path) : !is_error_of_absence(errno);
    }
    close(fd);
    return true;
}

/* It counts if `file` exists. */
static void record_in_doubt(struct sandbox_watch *watch, enum violation_kind kind, bool is_hostile,
                            const char *verb, const char *path, const char *file)
{
    watch->is_in_doubt = true;
    if (may_exist(watch, file)) {
        record(watch, kind, is_hostile, "%s %s", verb, path);
    }
}

/* --- Processes --- */

/* Numbers of processes in a namespace begin at 1. A number above this one that no process has was
 * not that of a child which has just ended: it was guessed. */
enum { HIGH_PROCESS = 4096 };

/* The files of a process that show what it does. Others, such as `stat`, belong to lists of
 * processes. */
static const char *const inner_files[] = {
    "mem",  "environ", "maps",    "smaps", "fd",        "fdinfo",
    "root", "cwd",     "pagemap", "auxv",  "map_files",
};

static pid_t parent_of(pid_t process)
{
    char folder[32];
    struct process_state state = {0};
    snprintf(folder, sizeof folder, "/proc/%d", (int)process);
    return process_tree_read_state(folder, &state) ? state.parent : 0;
}

/* The supervisor is the ancestor of all processes of the program. */
static bool is_of_supervisor(pid_t process)
{
    while (process > 1 && process != getpid()) {
        process = parent_of(process);
    }
    return process == getpid();
}

/* `target` as in kill(2), in the numbers of the program: 0 is itself, or its group. */
static bool is_others(const struct sandbox_watch *watch, int target)
{
    if (target == 0 || target == -1 || target == INT_MIN) {
        return target == -1;
    }
    pid_t process = target < 0 ? -target : target;
    if (has_view(watch)) {
        char path[32];
        snprintf(path, sizeof path, "/proc/%d", (int)process);
        return process == 1 || (process > HIGH_PROCESS && !is_visible(watch, path));
    }
    /* One that does not exist may have been a child of the program a moment ago. */
    return parent_of(process) != 0 && (process == getpid() || !is_of_supervisor(process));
}

/* A file of /proc with the memory, environment or descriptors of a process of others? */
static bool is_inside_process(const struct sandbox_watch *watch, const char *path)
{
    char number[10];
    char file[16];
    return sscanf(path, "/proc/%9[0-9]/%15[a-z_]", number, file) == 2 &&
           matches_any(file, inner_files, COUNT(inner_files)) &&
           is_others(watch, (int)strtol(number, NULL, 10));
}

/* --- What each call wants --- */

static void note_reading(struct sandbox_watch *watch, const char *path)
{
    if (is_inside_process(watch, path)) {
        /* The memory of others is in no list, as ps, lsof and fuser make it. */
        record(watch, VIOLATION_PROCESS, fnmatch("*/mem", path, 0) == 0, "read %s", path);
    } else if (strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0) {
        return; /* for speed: most of what an interpreter opens is there */
    } else if (!is_own(watch, path) && matches_any(path, secrets, COUNT(secrets))) {
        record(watch, VIOLATION_READ, true, "read %s", path);
    } else if (is_own(watch, path) ? is_of_neighbour(watch, path) : is_of_others(watch, path)) {
        record_in_doubt(watch, VIOLATION_READ, is_precious(path), "read", path, path);
    }
}

static void note_writing(struct sandbox_watch *watch, const char *path)
{
    char folder[PATH_MAX];
    size_t length = parent_length(path);
    if (is_inside_process(watch, path)) {
        record(watch, VIOLATION_PROCESS, true, "write %s", path);
        return;
    }
    if (is_own(watch, path) || matches_any(path, own_entries, COUNT(own_entries)) ||
        (!is_of_class(watch, path) && (is_below_any(path, usual_places, COUNT(usual_places)) ||
                                       is_of_interpreter(watch, path)))) {
        return;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    bool is_of_system = is_below_any(path, system_folders, COUNT(system_folders));
    bool is_hostile = is_of_system ? access(path, F_OK) == 0 : is_precious(path);
    if (length == 0 || (has_view(watch) && is_visible(watch, folder))) {
        record(watch, VIOLATION_WRITE, is_hostile, "write %s", path);
    } else {
        record_in_doubt(watch, VIOLATION_WRITE, is_hostile, "write", path, folder);
    }
}

static void note_opening(struct sandbox_watch *watch, int folder, uint64_t address, uint64_t flags)
{
    char path[PATH_MAX];
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
    if (!read_path((pid_t)watch->question->pid, folder, address, path)) {
        return;
    }
    if (writes && !(flags & O_PATH)) {
        note_writing(watch, path);
    } else {
        note_reading(watch, path);
    }
}

static void note_paths(struct sandbox_watch *watch, const __u64 *args, const char *paths)
{
    for (const char *at = paths; *at; at += *at == ' ') {
        uint64_t flags = *at++ == 'w' ? O_WRONLY : O_RDONLY;
        int folder = AT_FDCWD;
        int argument = *at++ - '0';
        if (*at && *at != ' ' && *at != 'f') {
            folder = (int)args[argument];
            argument = *at++ - '0';
        }
        if (*at == 'f') {
            flags = args[argument + 1];
            at++;
        }
        note_opening(watch, folder, args[argument], flags);
    }
}

/* 0.0.0.0 and :: mean this machine. */
static bool is_loopback(const struct in6_addr *address)
{
    return IN6_IS_ADDR_LOOPBACK(address) || IN6_IS_ADDR_UNSPECIFIED(address) ||
           (IN6_IS_ADDR_V4MAPPED(address) &&
            (address->s6_addr[12] == 127 || address->s6_addr[12] == 0));
}

static void note_address(struct sandbox_watch *watch, uint64_t where, uint64_t length)
{
    union {
        struct sockaddr_in6 v6;
        struct sockaddr_in v4;
    } address = {0};
    char text[INET6_ADDRSTRLEN] = "?";
    struct in6_addr ip = {0};
    size_t wanted = length < sizeof address ? (size_t)length : sizeof address;
    if (read_memory((pid_t)watch->question->pid, where, &address, wanted) < wanted) {
        return;
    }
    if (address.v4.sin_family == AF_INET && wanted >= sizeof address.v4) {
        memset(&ip.s6_addr[10], 0xff, 2);
        memcpy(&ip.s6_addr[12], &address.v4.sin_addr, sizeof address.v4.sin_addr);
        inet_ntop(AF_INET, &address.v4.sin_addr, text, sizeof text);
    } else if (address.v6.sin6_family == AF_INET6 &&
               wanted >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
        ip = address.v6.sin6_addr;
        inet_ntop(AF_INET6, &ip, text, sizeof text);
    } else {
        return;
    }
    /* Its own loopback contains nothing of others; that of the machine does. Both kinds of address
     * have their port at the same place. Not hostile: programs look for services and for their own
     * address; a client may name the author's machine. */
    int port = ntohs(address.v4.sin_port);
    if (!is_loopback(&ip) || (!has_view(watch) && port != watch->job->listen_port)) {
        record(watch, VIOLATION_NETWORK, false, "reach %s port %d", text, port);
    }
}

static void note_signal(struct sandbox_watch *watch, int target, int signal)
{
    if (signal != 0 && is_others(watch, target)) {
        record(watch, VIOLATION_SIGNAL, true, "send signal %d to %s %d", signal,
               target < 0 ? "group" : "process", target);
    }
}

static const char *name_of(const struct seccomp_notif *question, char out[32])
{
    char *name = seccomp_syscall_resolve_num_arch(question->data.arch, question->data.nr);
    snprintf(out, 32, "%s", name ? name : "a system call");
    free(name);
    return out;
}

static void note_process(struct sandbox_watch *watch, int target)
{
    char name[32];
    if (is_others(watch, target)) {
        record(watch, VIOLATION_PROCESS, true, "use %s on process %d",
               name_of(watch->question, name), target);
    }
}

/* See struct watched_call. */
static void note_call(struct sandbox_watch *watch, const char *wants)
{
    static const uint64_t harmless_flags = CLONE_FILES | CLONE_FS | CLONE_SYSVSEM;
    const __u64 *args = watch->question->data.args;
    const int first = wants[1] - '0';
    const pid_t caller = (pid_t)watch->question->pid;
    struct open_how how = {0};
    char name[32];
    switch (*wants) {
    case 'o':
        if (read_memory(caller, args[2], &how, sizeof how) >= sizeof how.flags) {
            note_opening(watch, (int)args[0], args[1], how.flags);
        }
        break;
    case 'a':
        note_address(watch, args[first], args[first + 1]);
        break;
    case 'k':
        note_signal(watch, (int)args[first], (int)args[wants[2] - '0']);
        break;
    case 'p':
        note_process(watch, (int)args[first]);
        break;
    case 't':
        if (args[0] != 0) { /* PTRACE_TRACEME has no target */
            note_process(watch, (int)args[1]);
        }
        break;
    case 'e':
        if (++watch->epoll_additions > MOST_EPOLL_ADDITIONS) {
            watch->answer->flags = 0;
            watch->answer->error = -ENOSPC;
        }
        break;
    case 'f':
        /* Libraries look for services of the machine through Unix sockets, and for its addresses
         * through netlink: that is not an attack. Families above are raw frames, radio, virtual
         * machines, … */
        if ((int)args[0] > AF_NETLINK) {
            record(watch, VIOLATION_NETWORK, false, "open a socket of family %d, type %d",
                   (int)args[0], (int)args[1] & 0xf);
        }
        break;
    case 'm':
    case 'n':
        if (*wants == 'm' || (args[0] & ~harmless_flags)) {
            record(watch, VIOLATION_SYSTEM, true, "call %s", name_of(watch->question, name));
        }
        break;
    default:
        note_paths(watch, args, wants);
        break;
    }
}

/* --- The listener --- */

void sandbox_watch_init(struct sandbox_watch *watch, const struct sandbox_job *job,
                        const struct sandbox_programs *programs,
                        const struct sandbox_folder *entries, int socket)
{
    *watch = (struct sandbox_watch){.job = job,
                                    .programs = programs,
                                    .entries = entries,
                                    .socket = socket,
                                    .listener = -1,
                                    .left_ns = FIRST_MS * CLOCK_NS_PER_MS,
                                    .filled_ns = clock_now_ns()};
    sandbox_seccomp_list_watched(watch->calls);
}

/* Closing the listener without an answer makes every watched call fail: the program cannot run. */
static void open_listener(struct sandbox_watch *watch)
{
    struct sandbox_job_report report;
    bool is_over = false;
    bool is_received = sandbox_job_report_receive(watch->socket, &report, &is_over);
    watch->listener = is_received && report.fd_count > 0 ? report.fds[0] : -1;
    close_fd(&watch->socket);
    if (watch->listener >= 0 && seccomp_notify_alloc(&watch->question, &watch->answer) != 0) {
        close_fd(&watch->listener);
    }
    if (watch->listener >= 0) {
        (void)ioctl(watch->listener, SECCOMP_IOCTL_NOTIF_SET_FLAGS,
                    SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP);
    }
}

/* --- Answers --- */

static void refill(struct sandbox_watch *watch)
{
    int64_t now_ns = clock_now_ns();
    watch->left_ns += (now_ns - watch->filled_ns) * SHARE_PERCENT / 100;
    if (watch->left_ns > FIRST_MS * CLOCK_NS_PER_MS) {
        watch->left_ns = FIRST_MS * CLOCK_NS_PER_MS;
    }
    watch->filled_ns = now_ns;
}

int sandbox_watch_source(struct sandbox_watch *watch, int *limit_ms)
{
    *limit_ms = -1;
    if (watch->listener < 0) {
        return watch->socket;
    }
    refill(watch);
    if (watch->left_ns <= 0) {
        *limit_ms = REFILL_MS;
        return -1;
    }
    return watch->listener;
}

static void sleep_until(int64_t end_ns)
{
    struct timespec end = {.tv_sec = end_ns / CLOCK_NS_PER_S, .tv_nsec = end_ns % CLOCK_NS_PER_S};
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

static void answer_call(struct sandbox_watch *watch)
{
    memset(watch->question, 0, sizeof *watch->question);
    if (seccomp_notify_receive(watch->listener, watch->question) != 0) {
        return; /* the program was killed, or a signal has interrupted its call */
    }
    const int number = watch->question->data.nr;
    const struct watched_call *call =
        number >= 0 && number < SANDBOX_SECCOMP_CALLS ? watch->calls[number] : NULL;
    *watch->answer = (struct seccomp_notif_resp){.id = watch->question->id};
    if (!call || call->error) {
        watch->answer->error = call ? -call->error : -EPERM;
    } else {
        watch->answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    int64_t end_ns = clock_now_ns() + DOUBT_MS * CLOCK_NS_PER_MS;
    watch->is_in_doubt = false;
    if (call && (call->error || *call->wants == 'e' || watch->hostile < MOST_HOSTILE)) {
        note_call(watch, call->wants);
    }
    if (watch->is_in_doubt) {
        sleep_until(end_ns);
    }
    (void)seccomp_notify_respond(watch->listener, watch->answer);
}

void sandbox_watch_step(struct sandbox_watch *watch, short events)
{
    if (watch->listener < 0) {
        open_listener(watch);
    } else if (events & POLLIN) {
        int64_t before_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
        answer_call(watch);
        watch->left_ns -= clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns;
    } else { /* the program and all that it started have ended */
        close_fd(&watch->listener);
    }
}

void sandbox_watch_finish(struct sandbox_watch *watch)
{
    if (watch->seeker > 0) { /* it may not even end then: it is not waited for */
        kill(watch->seeker, SIGKILL);
        (void)waitpid(watch->seeker, NULL, WNOHANG);
    }
    for (int row = 0; row < watch->list.count; row++) {
        if (watch->list.rows[row].count > 0) {
            send_row(watch, row);
        }
    }
    close_fd(&watch->socket);
    close_fd(&watch->listener);
}
