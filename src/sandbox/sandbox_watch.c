#include "sandbox/sandbox_watch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "sandbox/sandbox_job.h"

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
    enum { PAGES = 3 };
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct iovec remote[PAGES];
    unsigned long count = 0;
    size_t planned = 0;
    while (planned < bytes && count < PAGES) {
        size_t rest = (size_t)(page - (address + planned) % page);
        size_t length = rest < bytes - planned ? rest : bytes - planned;
        remote[count++] = (struct iovec){(void *)(uintptr_t)(address + planned), length};
        planned += length;
    }
    struct iovec local = {out, planned};
    ssize_t done = process_vm_readv(process, &local, 1, remote, count, 0);
    return done < 0 ? 0 : (size_t)done;
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
    char link[64];
    if (!read_text(process, address, text) || !*text) {
        return false;
    }
    if (*text == '/') {
        memcpy(out, text, strlen(text) + 1);
    } else {
        char start[PATH_MAX];
        if (folder == AT_FDCWD) {
            snprintf(link, sizeof link, "/proc/%d/cwd", (int)process);
        } else {
            snprintf(link, sizeof link, "/proc/%d/fd/%d", (int)process, folder);
        }
        ssize_t length = readlink(link, start, sizeof start - 1);
        if (length <= 0 || *start != '/' || (size_t)length + strlen(text) + 2 > PATH_MAX) {
            return false;
        }
        start[length] = '\0';
        memcpy(out, start, (size_t)length);
        out[length] = '/';
        memcpy(out + length + 1, text, strlen(text) + 1);
    }
    fold(out);
    skip_root_links(out);
    return true;
}

/* --- Rows --- */

struct attempt {
    enum violation_kind kind;
    bool is_hostile;
};

/* Programs look for services and for their own address; a client may name the author's machine. */
static const struct attempt network = {VIOLATION_NETWORK, false};
static const struct attempt signalling = {VIOLATION_SIGNAL, true};
static const struct attempt listing = {VIOLATION_PROCESS, false}; /* ps, lsof and fuser do */
static const struct attempt spying = {VIOLATION_PROCESS, true};
static const struct attempt tampering = {VIOLATION_SYSTEM, true};

__attribute__((format(printf, 4, 5))) static void record(struct sandbox_watch *watch,
                                                         const struct seccomp_notif *question,
                                                         struct attempt attempt, const char *format,
                                                         ...)
{
    struct violation violation = {.kind = attempt.kind,
                                  .is_hostile = attempt.is_hostile,
                                  .count = 1,
                                  .first_ms = clock_unix_ms()};
    char text[PATH_MAX + 64];
    va_list args;
    /* Otherwise the process is gone, and another one may have its number by now. */
    if (seccomp_notify_id_valid(watch->listener, question->id) != 0) {
        return;
    }
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    utf8_clean(text, violation.what, sizeof violation.what);
    (void)violation_list_add(&watch->list, &violation);
    watch->hostile += attempt.is_hostile;
}

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
static void record_in_doubt(struct sandbox_watch *watch, const struct seccomp_notif *question,
                            struct attempt attempt, const char *verb, const char *path,
                            const char *file)
{
    watch->is_in_doubt = true;
    if (may_exist(watch, file)) {
        record(watch, question, attempt, "%s %s", verb, path);
    }
}

/* --- What each call wants --- */

static void note_reading(struct sandbox_watch *watch, const struct seccomp_notif *question,
                         const char *path)
{
    pid_t caller = (pid_t)question->pid;
    if (watch_rules_is_inside_process(&watch->rules, caller, path)) {
        record(watch, question, watch_rules_is_memory(path) ? spying : listing, "read %s", path);
        return;
    }
    enum watch_verdict verdict = watch_rules_hide(&watch->rules, caller, path);
    struct attempt attempt = {VIOLATION_READ, watch_rules_is_hostile_reading(path)};
    if (verdict == WATCH_HARM) {
        record(watch, question, attempt, "read %s", path);
    } else if (verdict == WATCH_HARM_IF_IT_EXISTS) {
        record_in_doubt(watch, question, attempt, "read", path, path);
    }
}

static void note_writing(struct sandbox_watch *watch, const struct seccomp_notif *question,
                         const char *path)
{
    char folder[PATH_MAX];
    pid_t caller = (pid_t)question->pid;
    if (watch_rules_is_inside_process(&watch->rules, caller, path)) {
        record(watch, question, spying, "write %s", path);
        return;
    }
    enum watch_verdict verdict = watch_rules_protect(&watch->rules, caller, path, folder);
    if (verdict == WATCH_HARMLESS) {
        return;
    }
    struct attempt attempt = {VIOLATION_WRITE, watch_rules_is_hostile_writing(path)};
    if (verdict == WATCH_HARM) {
        record(watch, question, attempt, "write %s", path);
    } else {
        record_in_doubt(watch, question, attempt, "write", path, folder);
    }
}

static void note_opening(struct sandbox_watch *watch, const struct seccomp_notif *question,
                         int folder, uint64_t path_address, uint64_t flags)
{
    char path[PATH_MAX];
    bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
    if (!read_path((pid_t)question->pid, folder, path_address, path)) {
        return;
    }
    if (writes && !(flags & O_PATH)) {
        note_writing(watch, question, path);
    } else {
        note_reading(watch, question, path);
    }
}

static void note_openat2(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    const __u64 *args = question->data.args;
    struct open_how how = {0};
    if (read_memory((pid_t)question->pid, args[2], &how, sizeof how) >= sizeof how.flags) {
        note_opening(watch, question, (int)args[0], args[1], how.flags);
    }
}

static void note_paths(struct sandbox_watch *watch, const struct seccomp_notif *question,
                       const char *paths)
{
    for (const char *at = paths; *at; at += *at == ' ') {
        uint64_t flags = *at++ == 'w' ? O_WRONLY : O_RDONLY;
        int folder = AT_FDCWD;
        int argument = *at++ - '0';
        if (*at && *at != ' ' && *at != 'f') {
            folder = (int)question->data.args[argument];
            argument = *at++ - '0';
        }
        if (*at == 'f') {
            flags = question->data.args[argument + 1];
            at++;
        }
        note_opening(watch, question, folder, question->data.args[argument], flags);
    }
}

static void note_address(struct sandbox_watch *watch, const struct seccomp_notif *question,
                         uint64_t where, uint64_t length)
{
    struct sockaddr_storage address = {0};
    size_t wanted = length < sizeof address ? (size_t)length : sizeof address;
    size_t bytes = read_memory((pid_t)question->pid, where, &address, wanted);
    if (bytes < wanted || !watch_rules_is_outside(&watch->rules, &address, (socklen_t)bytes)) {
        return;
    }
    char text[INET6_ADDRSTRLEN] = "?";
    bool is_v4 = address.ss_family == AF_INET;
    const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address;
    const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address;
    inet_ntop(address.ss_family, is_v4 ? (const void *)&v4->sin_addr : (const void *)&v6->sin6_addr,
              text, sizeof text);
    record(watch, question, network, "reach %s port %d", text,
           ntohs(is_v4 ? v4->sin_port : v6->sin6_port));
}

static void note_connect(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    note_address(watch, question, question->data.args[1], question->data.args[2]);
}

static void note_sendto(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    note_address(watch, question, question->data.args[4], question->data.args[5]);
}

/* Libraries look for services of the machine through Unix sockets, and for its addresses through
 * netlink: that is not an attack. Families above are raw frames, radio, virtual machines, … */
static void note_socket(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    int family = (int)question->data.args[0];
    if (family > AF_NETLINK) {
        record(watch, question, network, "open a socket of family %d, type %d", family,
               (int)question->data.args[1] & 0xf);
    }
}

static void note_signal(struct sandbox_watch *watch, const struct seccomp_notif *question,
                        int target, int signal)
{
    if (signal != 0 && watch_rules_is_others(&watch->rules, (pid_t)question->pid, target)) {
        record(watch, question, signalling, "send signal %d to %s %d", signal,
               target < 0 ? "group" : "process", target);
    }
}

/* kill, tkill, rt_sigqueueinfo */
static void note_kill(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    note_signal(watch, question, (int)question->data.args[0], (int)question->data.args[1]);
}

/* tgkill, rt_tgsigqueueinfo */
static void note_tgkill(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    note_signal(watch, question, (int)question->data.args[0], (int)question->data.args[2]);
}

static const char *name_of(const struct seccomp_notif *question, char out[32])
{
    char *name = seccomp_syscall_resolve_num_arch(question->data.arch, question->data.nr);
    snprintf(out, 32, "%s", name ? name : "a system call");
    free(name);
    return out;
}

static void note_process(struct sandbox_watch *watch, const struct seccomp_notif *question,
                         int target)
{
    char name[32];
    if (watch_rules_is_others(&watch->rules, (pid_t)question->pid, target)) {
        record(watch, question, spying, "use %s on process %d", name_of(question, name), target);
    }
}

static void note_ptrace(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    if (question->data.args[0] != 0) { /* PTRACE_TRACEME has no target */
        note_process(watch, question, (int)question->data.args[1]);
    }
}

/* process_vm_readv, process_vm_writev, pidfd_open */
static void note_first_process(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    note_process(watch, question, (int)question->data.args[0]);
}

static void note_system(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    char name[32];
    record(watch, question, tampering, "call %s", name_of(question, name));
}

static void note_unshare(struct sandbox_watch *watch, const struct seccomp_notif *question)
{
    static const uint64_t harmless = CLONE_FILES | CLONE_FS | CLONE_SYSVSEM;
    if (question->data.args[0] & ~harmless) {
        note_system(watch, question);
    }
}

/* A second name for a file counts as reading it: that is what the name is for.
 * Not in the list, because ordinary libraries try them: memfd_create, io_uring, shmget, kcmp, the
 * memory policies, Unix and netlink sockets, sched_setaffinity. */
const struct watched_call sandbox_watch_calls[] = {
    {"open", 0, false, NULL, "r0f"},
    {"openat", 0, false, NULL, "r01f"},
    {"openat2", 0, false, note_openat2, NULL},
    {"creat unlink rmdir mkdir mknod truncate", 0, false, NULL, "w0"},
    {"unlinkat mkdirat mknodat", 0, false, NULL, "w01"},
    {"rename", 0, false, NULL, "w0 w1"},
    {"renameat renameat2", 0, false, NULL, "w01 w23"},
    {"link symlink", 0, false, NULL, "r0 w1"},
    {"linkat", 0, false, NULL, "r01 w23"},
    {"symlinkat", 0, false, NULL, "r0 w12"},
    {"connect", 0, false, note_connect, NULL},
    {"sendto", 0, true, note_sendto, NULL},
    {"kill tkill rt_sigqueueinfo", 0, false, note_kill, NULL},
    {"tgkill rt_tgsigqueueinfo", 0, false, note_tgkill, NULL},
    {"pidfd_open", 0, false, note_first_process, NULL},
    {"socket", EAFNOSUPPORT, true, note_socket, NULL},
    {"clone ioctl", EPERM, true, note_system, NULL},
    {"ptrace", EPERM, false, note_ptrace, NULL},
    {"process_vm_readv process_vm_writev", EPERM, false, note_first_process, NULL},
    {"unshare", EPERM, false, note_unshare, NULL},
    /* file systems, namespaces, keys, the kernel itself */
    {"mount umount umount2 pivot_root chroot open_tree move_mount mount_setattr fsopen fsmount "
     "fspick open_by_handle_at swapon swapoff setns add_key keyctl request_key bpf kexec_load "
     "kexec_file_load init_module finit_module delete_module iopl ioperm syslog acct reboot "
     "vhangup sethostname setdomainname settimeofday clock_settime",
     EPERM, false, note_system, NULL},
};

const size_t sandbox_watch_call_count = sizeof sandbox_watch_calls / sizeof sandbox_watch_calls[0];

/* --- The listener --- */

const char *sandbox_watch_next_call(const char *names, int *number)
{
    for (size_t length; (length = strcspn(names, " ")) > 0;) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        names += length + strspn(names + length, " ");
        *number = seccomp_syscall_resolve_name(name);
        if (*number >= 0 && *number < SANDBOX_WATCH_NUMBERS) {
            return names;
        }
    }
    return NULL;
}

void sandbox_watch_init(struct sandbox_watch *watch, const struct sandbox_job *job, int socket)
{
    *watch = (struct sandbox_watch){.rules = {.job = job},
                                    .socket = socket,
                                    .listener = -1,
                                    .left_ns = FIRST_MS * CLOCK_NS_PER_MS,
                                    .filled_ns = clock_now_ns()};
    for (size_t i = 0; i < sandbox_watch_call_count; i++) {
        int number;
        for (const char *rest = sandbox_watch_calls[i].names;
             (rest = sandbox_watch_next_call(rest, &number));) {
            watch->calls[number] = &sandbox_watch_calls[i];
        }
    }
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

static void send_row(struct sandbox_watch *watch, int row, int control)
{
    struct sandbox_job_report report = {.kind = SANDBOX_VIOLATION,
                                        .violation = watch->list.rows[row]};
    report.violation.count -= watch->sent[row];
    watch->sent[row] = watch->list.rows[row].count;
    watch->was_hostile[row] = watch->list.rows[row].is_hostile;
    sandbox_job_report_send(control, &report);
}

static void sleep_until(int64_t end_ns)
{
    struct timespec end = {.tv_sec = end_ns / CLOCK_NS_PER_S, .tv_nsec = end_ns % CLOCK_NS_PER_S};
    (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL);
}

/* Where SIGSTOP freezes it, a program may not continue itself: SANDBOX_IS_STOPPED in
 * sandbox_seccomp.c. */
static bool is_continuing(const struct sandbox_watch *watch, const struct watched_call *call)
{
    const __u64 *args = watch->question->data.args;
    return !sandbox_job_has(watch->rules.job, SANDBOX_FREEZER_CGROUP) &&
           ((call->note == note_kill && (int)args[1] == SIGCONT) ||
            (call->note == note_tgkill && (int)args[2] == SIGCONT));
}

static void answer_call(struct sandbox_watch *watch, int control)
{
    memset(watch->question, 0, sizeof *watch->question);
    if (seccomp_notify_receive(watch->listener, watch->question) != 0) {
        return; /* the program was killed, or a signal has interrupted its call */
    }
    const int number = watch->question->data.nr;
    const struct watched_call *call =
        number >= 0 && number < SANDBOX_WATCH_NUMBERS ? watch->calls[number] : NULL;
    *watch->answer = (struct seccomp_notif_resp){.id = watch->question->id};
    if (!call || call->error) {
        watch->answer->error = call ? -call->error : -EPERM;
    } else if (is_continuing(watch, call)) {
        watch->answer->error = -EPERM;
    } else {
        watch->answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    }
    int64_t end_ns = clock_now_ns() + DOUBT_MS * CLOCK_NS_PER_MS;
    watch->is_in_doubt = false;
    if (call && call->paths && watch->hostile < MOST_HOSTILE) {
        note_paths(watch, watch->question, call->paths);
    } else if (call && call->note && (call->error || watch->hostile < MOST_HOSTILE)) {
        call->note(watch, watch->question);
    }
    for (int row = 0; row < watch->list.count; row++) {
        bool is_new = !watch->sent[row];
        if (is_new || watch->was_hostile[row] != watch->list.rows[row].is_hostile) {
            send_row(watch, row, control); /* before the program can do anything else */
        }
    }
    if (watch->is_in_doubt) {
        sleep_until(end_ns);
    }
    (void)seccomp_notify_respond(watch->listener, watch->answer);
}

static int64_t used_ns(void)
{
    struct timespec used = {0};
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * CLOCK_NS_PER_S + used.tv_nsec;
}

void sandbox_watch_step(struct sandbox_watch *watch, short events, int control)
{
    if (watch->listener < 0) {
        open_listener(watch);
    } else if (events & POLLIN) {
        int64_t before_ns = used_ns();
        answer_call(watch, control);
        watch->left_ns -= used_ns() - before_ns;
    } else { /* the program and all that it started have ended */
        close_fd(&watch->listener);
    }
}

void sandbox_watch_finish(struct sandbox_watch *watch, int control)
{
    if (watch->seeker > 0) { /* it may not even end then: it is not waited for */
        kill(watch->seeker, SIGKILL);
        (void)waitpid(watch->seeker, NULL, WNOHANG);
    }
    for (int row = 0; row < watch->list.count; row++) {
        if (watch->list.rows[row].count > watch->sent[row]) {
            send_row(watch, row, control);
        }
    }
    close_fd(&watch->socket);
    close_fd(&watch->listener);
    seccomp_notify_free(watch->question, watch->answer);
    watch_rules_free(&watch->rules);
}
