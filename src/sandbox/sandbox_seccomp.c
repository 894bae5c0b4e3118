#include "sandbox/sandbox_seccomp.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

/* --- What is allowed --- */

/* Left out on purpose, as other processors' and older calls are: what changes the machine or looks
 * into processes; parts of the kernel with a long record of holes (io_uring, userfaultfd, perf,
 * filters of its own); memory that belongs to no process, where no process's limit finds it
 * (memfd_create, System V segments, vmsplice, tee); what all programs of the machine share
 * (io_setup). Run-times that try one of them have another way. */
static const char *const allowed_calls[] = {
    /* files */
    "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 open openat "
    "openat2 creat close close_range lseek _llseek dup dup2 dup3 fcntl fcntl64 ioctl pipe "
    "pipe2 sendfile sendfile64 copy_file_range stat fstat lstat newfstatat statx stat64 "
    "fstat64 lstat64 fstatat64 statfs fstatfs access faccessat faccessat2 readlink readlinkat "
    "getdents getdents64 getcwd chdir fchdir umask mkdir mkdirat rmdir rename renameat "
    "renameat2 unlink unlinkat link linkat symlink symlinkat mknod mknodat truncate ftruncate "
    "truncate64 ftruncate64 fallocate fsync fdatasync sync_file_range fadvise64 readahead "
    "chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat utimensat "
    "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr "
    "fsetxattr removexattr lremovexattr fremovexattr",
    /* waiting for files */
    "poll ppoll select _newselect pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait "
    "epoll_pwait epoll_pwait2 eventfd eventfd2 signalfd signalfd4 inotify_init inotify_init1 "
    "inotify_add_watch inotify_rm_watch",
    /* memory */
    "brk mmap mmap2 munmap mremap mprotect madvise msync mincore mlock mlock2 mlockall "
    "munlock munlockall pkey_alloc pkey_free pkey_mprotect membarrier",
    /* processes and threads */
    "clone fork vfork execve execveat exit exit_group wait4 waitid waitpid getpid getppid "
    "gettid getpgid getpgrp setpgid getsid setsid prctl arch_prctl personality "
    "set_tid_address set_robust_list get_robust_list set_thread_area rseq futex futex_waitv "
    "pidfd_open getrlimit ugetrlimit setrlimit prlimit64 getrusage getpriority setpriority "
    "ioprio_get ioprio_set nice sched_yield sched_getaffinity sched_setaffinity "
    "sched_getparam sched_setparam sched_getscheduler sched_setscheduler sched_getattr "
    "sched_setattr sched_get_priority_max sched_get_priority_min sched_rr_get_interval getcpu",
    /* users: the kernel decides, and it has no rights */
    "getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid "
    "setregid setresuid setresgid setfsuid setfsgid setgroups capget capset",
    /* signals */
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend "
    "rt_sigqueueinfo rt_tgsigqueueinfo sigaltstack sigreturn kill tkill tgkill pause "
    "pidfd_send_signal restart_syscall",
    /* time */
    "time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep times alarm "
    "getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun "
    "timer_delete timerfd_create timerfd_settime timerfd_gettime",
    /* sockets */
    "socket socketpair bind connect listen accept accept4 getsockname getpeername getsockopt "
    "setsockopt shutdown send sendto sendmsg sendmmsg recv recvfrom recvmsg recvmmsg",
    /* the machine */
    "uname sysinfo getrandom",
};

/* --- What the supervisor looks at --- */

/* A second name for a file counts as reading it: that is what the name is for.
 * Not in the list, because ordinary libraries try them: memfd_create, io_uring, shmget, kcmp, the
 * memory policies, Unix and netlink sockets, sched_setaffinity. */
static const struct watched_call watched_calls[] = {
    {"open", 0, false, "r0f"},
    {"openat", 0, false, "r01f"},
    {"openat2", 0, false, "o"},
    {"creat unlink rmdir mkdir mknod truncate", 0, false, "w0"},
    {"unlinkat mkdirat mknodat", 0, false, "w01"},
    {"rename", 0, false, "w0 w1"},
    {"renameat renameat2", 0, false, "w01 w23"},
    {"link symlink", 0, false, "r0 w1"},
    {"linkat", 0, false, "r01 w23"},
    {"symlinkat", 0, false, "r0 w12"},
    {"connect", 0, false, "a1"},
    {"sendto", 0, true, "a4"},
    {"epoll_ctl", 0, true, "e"},
    {"kill tkill rt_sigqueueinfo", 0, false, "k01"},
    {"tgkill rt_tgsigqueueinfo", 0, false, "k02"},
    {"pidfd_open", 0, false, "p0"},
    {"socket", EAFNOSUPPORT, true, "f0"},
    {"clone ioctl", EPERM, true, "m"},
    {"ptrace", EPERM, false, "t"},
    {"process_vm_readv process_vm_writev", EPERM, false, "p0"},
    {"unshare", EPERM, false, "n0"},
    /* file systems, namespaces, keys, the kernel itself */
    {"mount umount umount2 pivot_root chroot open_tree move_mount mount_setattr fsopen fsmount "
     "fspick open_by_handle_at swapon swapoff setns add_key keyctl request_key bpf kexec_load "
     "kexec_file_load init_module finit_module delete_module iopl ioperm syslog acct reboot "
     "vhangup sethostname setdomainname settimeofday clock_settime",
     EPERM, false, "m"},
};

/* --- What is refused --- */

enum kind { END_OF_TESTS, IS, IS_NOT, IS_NOT_NULL };

/* Of one argument. But for pointers the kernel looks at the lower half of each that is named here.
 */
struct argument_test {
    enum kind kind;
    int argument;
    uint32_t mask;
    uint32_t value;
};

#define ALL 0xffffffffU

enum {
    RECORDED = 1 << 16,
    ASKED = 1 << 17,
    MOST_TESTS = 3,
    IOPRIO_OF_USER = 3,
    NEW_NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                     CLONE_NEWUTS | CLONE_NEWCGROUP,
};

struct call_rule {
    const char *calls;
    int answer;     /* an errno; RECORDED: the supervisor gives it, if there is one; ASKED: the
                       supervisor decides */
    unsigned cases; /* enum sandbox_seccomp_case: in one of them; 0: always */
    struct argument_test tests[MOST_TESTS + 1]; /* if all of them are true */
};

/* The first one that applies decides. */
static const struct call_rule call_rules[] = {
    /* clone3 hides its flags from a filter: without it the C library uses clone. */
    {"clone", RECORDED | EPERM, 0, {{IS_NOT, 0, NEW_NAMESPACES, 0}}},
    /* The supervisor looks at the descriptors of a process, not of each thread, and a process that
     * is not dumpable hides them. */
    {"clone", EPERM, 0, {{IS, 0, CLONE_THREAD | CLONE_FILES, CLONE_THREAD}}},
    {"close_range", EPERM, 0, {{IS_NOT, 2, CLOSE_RANGE_UNSHARE, 0}}},
    {"prctl", EPERM, 0, {{IS, 0, ALL, PR_SET_DUMPABLE}}},
    {"prctl", EINVAL, 0, {{IS, 0, ALL, PR_SET_SECCOMP}}},
    /* Two push characters into a terminal as if they had been typed; the third loads a module of
     * the kernel for another line discipline. */
    {"ioctl", RECORDED | EPERM, 0, {{IS, 1, ALL, TIOCSTI}}},
    {"ioctl", RECORDED | EPERM, 0, {{IS, 1, ALL, TIOCLINUX}}},
    {"ioctl", RECORDED | EPERM, 0, {{IS, 1, ALL, TIOCSETD}}},
    /* Calls of file systems change attributes of a file that is open for reading, or make folders:
     * Landlock does not see them. What is left is for terminals and for sockets. */
    {"ioctl",
     ENOTTY,
     SANDBOX_SEES_OTHERS,
     {{IS_NOT, 1, 0xff00, 0x5400}, {IS_NOT, 1, 0xff00, 0x8900}}},
    /* A program that lowers its limit to 0 gets the dumps that the kernel sends to a program: see
     * forbid() in sandbox_player.c. Reading the limit is allowed. */
    {"setrlimit", EPERM, 0, {{IS, 0, ALL, RLIMIT_CORE}}},
    {"prlimit64", EPERM, 0, {{IS, 1, ALL, RLIMIT_CORE}, {IS_NOT_NULL, 2, 0, 0}}},
    /* Every agent sees the locks on files of the system: they would carry messages. A lock for
     * reading prevents nothing, so only questions about locks show it; leases and F_NOTIFY show
     * that a file is open. Java locks a file of its own by flock, and prints to its output if it
     * cannot: it has no effect. */
    {"flock", 0, 0, {{0}}},
    {"fcntl", EPERM, 0, {{IS, 1, ALL, F_GETLK}}},
    {"fcntl", EPERM, 0, {{IS, 1, ALL, F_OFD_GETLK}}},
    {"fcntl", EPERM, 0, {{IS, 1, ALL, F_SETLEASE}}},
    {"fcntl", EPERM, 0, {{IS, 1, ALL, F_NOTIFY}}},
    /* Memory that no process's limit counts: a pipe keeps a whole huge page for a byte of it.
     * EINVAL is what programs expect for a kind of file that cannot be spliced. */
    {"mmap", ENOMEM, 0, {{IS_NOT, 3, MAP_HUGETLB, 0}}},
    {"splice", EINVAL, 0, {{0}}},
    /* A socket with a path leads out of the sandbox if one is in a visible folder; a pair needs no
     * address. Other protocols load modules of the kernel, and Landlock does not know MPTCP. */
    {"socket", RECORDED | EAFNOSUPPORT, SANDBOX_NO_SOCKETS, {{0}}},
    {"socket", RECORDED | EAFNOSUPPORT, 0, {{IS_NOT, 0, ALL, AF_INET}, {IS_NOT, 0, ALL, AF_INET6}}},
    {"socket", RECORDED | EAFNOSUPPORT, SANDBOX_ONLY_STREAMS, {{IS_NOT, 1, 0xf, SOCK_STREAM}}},
    {"socket", EPERM, 0, {{IS_NOT, 1, 0xf, SOCK_STREAM}, {IS_NOT, 1, 0xf, SOCK_DGRAM}}},
    {"socket",
     EPROTONOSUPPORT,
     0,
     {{IS_NOT, 2, ALL, 0}, {IS_NOT, 2, ALL, IPPROTO_TCP}, {IS_NOT, 2, ALL, IPPROTO_UDP}}},
    {"socketpair", EAFNOSUPPORT, 0, {{IS_NOT, 0, ALL, AF_UNIX}}},
    /* Each of two datagram sockets can also send to a path. */
    {"socketpair",
     EPROTONOSUPPORT,
     0,
     {{IS_NOT, 1, 0xf, SOCK_STREAM}, {IS_NOT, 1, 0xf, SOCK_SEQPACKET}}},
    /* Landlock does not see this way to connect, nor that a socket without an address listens. */
    {"sendto sendmmsg", EOPNOTSUPP, SANDBOX_ONLY_STREAMS, {{IS_NOT, 3, MSG_FASTOPEN, 0}}},
    {"sendmsg", EOPNOTSUPP, SANDBOX_ONLY_STREAMS, {{IS_NOT, 2, MSG_FASTOPEN, 0}}},
    {"listen", EACCES, SANDBOX_ONLY_STREAMS, {{0}}},
    {"sendto", ASKED, SANDBOX_IS_WATCHED, {{IS_NOT_NULL, 4, 0, 0}}}, /* else it is send() */
    {"epoll_ctl", ASKED, SANDBOX_IS_WATCHED, {{IS, 1, ALL, EPOLL_CTL_ADD}}},
    {"sched_setaffinity", EPERM, SANDBOX_KEEPS_CPU, {{0}}},
    {"setsid", EPERM, SANDBOX_KEEPS_SESSION, {{0}}},
    /* Shared memory without a file is not counted while it is not mapped. Larger buffers have no
     * effect, as on a machine whose largest ones are the usual ones. */
    {"mmap mmap2",
     EPERM,
     SANDBOX_IS_MEASURED,
     {{IS, 3, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS}}},
    {"setsockopt", 0, SANDBOX_IS_MEASURED, {{IS, 1, ALL, SOL_SOCKET}, {IS, 2, ALL, SO_SNDBUF}}},
    {"setsockopt", 0, SANDBOX_IS_MEASURED, {{IS, 1, ALL, SOL_SOCKET}, {IS, 2, ALL, SO_RCVBUF}}},
    /* All ways to have SIGCONT sent, by itself or by the kernel. A filter cannot read which signal
     * a timer sends, so only those with the usual one are left. */
    {"timer_create", EPERM, SANDBOX_IS_STOPPED, {{IS_NOT_NULL, 1, 0, 0}}},
    {"fcntl", EPERM, SANDBOX_IS_STOPPED, {{IS, 1, ALL, F_SETSIG}}},
    {"prctl", EPERM, SANDBOX_IS_STOPPED, {{IS, 0, ALL, PR_SET_PDEATHSIG}, {IS, 1, ALL, SIGCONT}}},
    {"clone", EPERM, SANDBOX_IS_STOPPED, {{IS, 0, 0xff, SIGCONT}}},
    {"kill tkill rt_sigqueueinfo pidfd_send_signal",
     EPERM,
     SANDBOX_IS_STOPPED,
     {{IS, 1, ALL, SIGCONT}}},
    {"tgkill rt_tgsigqueueinfo", EPERM, SANDBOX_IS_STOPPED, {{IS, 2, ALL, SIGCONT}}},
    /* Limits and priorities of other processes, which may be its own user's. Its own process is 0:
     * no filter knows the number. */
    {"prlimit64", EPERM, SANDBOX_SEES_OTHERS, {{IS_NOT, 0, ALL, 0}, {IS_NOT_NULL, 2, 0, 0}}},
    {"sched_setaffinity sched_setscheduler sched_setparam sched_setattr",
     EPERM,
     SANDBOX_SEES_OTHERS,
     {{IS_NOT, 0, ALL, 0}}},
    {"setpriority ioprio_set", EPERM, SANDBOX_SEES_OTHERS, {{IS_NOT, 1, ALL, 0}}},
    {"setpriority", EPERM, SANDBOX_SEES_OTHERS, {{IS, 0, ALL, PRIO_USER}}},
    {"ioprio_set", EPERM, SANDBOX_SEES_OTHERS, {{IS, 0, ALL, IOPRIO_OF_USER}}},
    /* Their number is limited for a user namespace: in a container all its users share it. */
    {"inotify_init inotify_init1", EPERM, SANDBOX_SEES_OTHERS, {{0}}},
    /* It takes gigabytes of a disk between two looks at the folder; programs write instead. */
    {"fallocate", EOPNOTSUPP, SANDBOX_SEES_OTHERS, {{0}}},
    /* Without the right to write: for reading, or for neither (3). */
    {"truncate truncate64", EACCES, SANDBOX_CUTS_FILES, {{0}}},
    {"open", EACCES, SANDBOX_CUTS_FILES, {{IS, 1, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC}}},
    {"open", EACCES, SANDBOX_CUTS_FILES, {{IS, 1, O_ACCMODE | O_TRUNC, O_ACCMODE | O_TRUNC}}},
    {"openat", EACCES, SANDBOX_CUTS_FILES, {{IS, 2, O_ACCMODE | O_TRUNC, O_RDONLY | O_TRUNC}}},
    {"openat", EACCES, SANDBOX_CUTS_FILES, {{IS, 2, O_ACCMODE | O_TRUNC, O_ACCMODE | O_TRUNC}}},
    {"openat2", ENOSYS, SANDBOX_CUTS_FILES, {{0}}},
    {"chmod fchmod fchmodat chown fchown lchown fchownat utime utimes futimesat setxattr lsetxattr "
     "fsetxattr removexattr lremovexattr fremovexattr",
     EPERM,
     SANDBOX_SHARES_USER,
     {{0}}},
    /* An open file may get the present time, as `touch` does. */
    {"utimensat", EPERM, SANDBOX_SHARES_USER, {{IS_NOT_NULL, 1, 0, 0}}},
    {"utimensat", EPERM, SANDBOX_SHARES_USER, {{IS_NOT_NULL, 2, 0, 0}}},
};

/* --- The filter --- */

enum {
    MOST_STEPS = 2048,
    X32_BIT = 0x40000000,
    NUMBER_AT = offsetof(struct seccomp_data, nr),
    PROCESSOR_AT = offsetof(struct seccomp_data, arch),
    REFUSED = SECCOMP_RET_ERRNO | ENOSYS,
};

struct filter {
    unsigned cases;
    uint32_t answers[SANDBOX_SECCOMP_CALLS]; /* to each call, if no rule applies */
    uint64_t rules[SANDBOX_SECCOMP_CALLS];   /* a bit for each of call_rules */
    struct sock_filter steps[MOST_STEPS];
    size_t count;
};

_Static_assert(COUNT(call_rules) <= 64, "a bit for each rule");

static size_t add(struct filter *filter, struct sock_filter step)
{
    assert(filter->count < MOST_STEPS);
    filter->steps[filter->count] = step;
    return filter->count++;
}

static uint32_t answer_of(const struct filter *filter, int answer)
{
    bool is_watched = (filter->cases & SANDBOX_IS_WATCHED) != 0;
    return is_watched && (answer & (RECORDED | ASKED))
               ? SECCOMP_RET_USER_NOTIF
               : SECCOMP_RET_ERRNO | (uint32_t)(answer & 0xffff);
}

static uint32_t place_of(int argument, bool is_upper_half)
{
    const bool is_second = is_upper_half == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    return (uint32_t)(offsetof(struct seccomp_data, args) + (size_t)argument * sizeof(__u64) +
                      (is_second ? sizeof(uint32_t) : 0));
}

static size_t length_of(const struct argument_test *test)
{
    return test->kind == IS_NOT_NULL ? 4 : 3;
}

/* Where the test is false, it jumps over as many steps. */
static void add_test(struct filter *filter, const struct argument_test *test, uint8_t steps)
{
    add(filter,
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place_of(test->argument, false)));
    if (test->kind == IS_NOT_NULL) { /* if the lower half is 0, the upper one decides */
        add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2));
        add(filter,
            (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, place_of(test->argument, true)));
    } else {
        add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, test->mask));
    }
    bool is_equal = test->kind == IS;
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, test->value,
                                             is_equal ? 0 : steps, is_equal ? steps : 0));
}

static void add_rule(struct filter *filter, const struct call_rule *rule)
{
    size_t steps = 1;
    for (const struct argument_test *test = rule->tests; test->kind; test++) {
        steps += length_of(test);
    }
    for (const struct argument_test *test = rule->tests; test->kind; test++) {
        steps -= length_of(test);
        add_test(filter, test, (uint8_t)steps);
    }
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer_of(filter, rule->answer)));
}

/* The names after the next one that is a call of this processor, whose number is *number then;
 * NULL: there is none. */
static const char *next_call(const char *names, int *number)
{
    for (size_t length; (length = strcspn(names, " ")) > 0;) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        names += length + strspn(names + length, " ");
        *number = seccomp_syscall_resolve_name(name);
        if (*number >= 0 && *number < SANDBOX_SECCOMP_CALLS) {
            return names;
        }
    }
    return NULL;
}

static void decide(struct filter *filter)
{
    int number;
    for (int call = 0; call < SANDBOX_SECCOMP_CALLS; call++) {
        filter->answers[call] = REFUSED;
    }
    for (size_t i = 0; i < COUNT(allowed_calls); i++) {
        for (const char *rest = allowed_calls[i]; (rest = next_call(rest, &number));) {
            filter->answers[number] = SECCOMP_RET_ALLOW;
        }
    }
    for (size_t i = 0; i < COUNT(watched_calls); i++) {
        const struct watched_call *call = &watched_calls[i];
        bool applies = !call->is_partial && (call->error || (filter->cases & SANDBOX_IS_WATCHED));
        for (const char *rest = call->names; applies && (rest = next_call(rest, &number));) {
            filter->answers[number] = answer_of(filter, RECORDED | call->error);
        }
    }
    for (size_t i = 0; i < COUNT(call_rules); i++) {
        bool applies = !call_rules[i].cases || (filter->cases & call_rules[i].cases);
        for (const char *rest = call_rules[i].calls;
             applies && (rest = next_call(rest, &number));) {
            filter->rules[number] |= UINT64_C(1) << i;
        }
    }
}

/* One step for each range of numbers with the same answer: the kernel runs the filter for every
 * number when it is loaded, to find what it need not ask. */
static void add_calls(struct filter *filter)
{
    for (int call = 0; call < SANDBOX_SECCOMP_CALLS;) {
        int end = call + 1;
        while (end < SANDBOX_SECCOMP_CALLS && !filter->rules[call] && !filter->rules[end] &&
               filter->answers[end] == filter->answers[call]) {
            end++;
        }
        size_t jump = add(
            filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)end, 0, 0));
        for (size_t i = 0; i < COUNT(call_rules); i++) {
            if (filter->rules[call] >> i & 1) {
                add_rule(filter, &call_rules[i]);
            }
        }
        add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, filter->answers[call]));
        assert(filter->count - jump - 1 <= UINT8_MAX);
        filter->steps[jump].jt = (uint8_t)(filter->count - jump - 1);
        call = end;
    }
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, REFUSED));
}

/* Another processor's calls have other numbers. */
static void add_head(struct filter *filter)
{
    const uint32_t native = seccomp_arch_native();
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PROCESSOR_AT));
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, native, 1, 0));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, NUMBER_AT));
#ifdef __x86_64__
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, X32_BIT, 0, 1));
    add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
#endif
}

enum err sandbox_seccomp_apply(unsigned cases, int *listener, struct note *why)
{
    struct filter *filter = calloc(1, sizeof *filter);
    long result = -1;
    if (filter) {
        filter->cases = cases | (listener ? SANDBOX_IS_WATCHED : 0U);
        decide(filter);
        add_head(filter);
        add_calls(filter);
        struct sock_fprog program = {.len = (unsigned short)filter->count, .filter = filter->steps};
        /* Once the supervisor has a question, only the end of the program interrupts the call, as
         * it is without a listener (Linux 5.19). */
        result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                         listener ? SECCOMP_FILTER_FLAG_NEW_LISTENER |
                                        SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
                                  : 0UL,
                         &program);
    }
    int error = errno;
    free(filter);
    if (result < 0) {
        note_set(why, listener ? "attempts are not recorded: %s" : "no seccomp filter: %s",
                 strerror(error));
        errno = error;
        return ERR_ENVIRONMENT;
    }
    if (listener) {
        *listener = (int)result;
    }
    return ERR_NONE;
}

bool sandbox_seccomp_allows(int call)
{
    struct filter filter = {.cases = 0};
    decide(&filter);
    return call >= 0 && filter.answers[call] == SECCOMP_RET_ALLOW;
}

void sandbox_seccomp_list_watched(const struct watched_call *out[SANDBOX_SECCOMP_CALLS])
{
    int number;
    for (size_t i = 0; i < COUNT(watched_calls); i++) {
        for (const char *rest = watched_calls[i].names; (rest = next_call(rest, &number));) {
            out[number] = &watched_calls[i];
        }
    }
}
