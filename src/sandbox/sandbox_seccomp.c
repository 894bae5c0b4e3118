#include "sandbox/sandbox_seccomp.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
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

#include "sandbox/sandbox_watch.h"

/* Each is either a way to look at or into other processes, to change the machine, or a part
 * of the kernel with a long record of holes. sandbox_watch_calls has those that only an attacker
 * tries; ordinary libraries try these. */
static const int refused_calls[] = {
    /* other processes */
    SCMP_SYS(process_madvise),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(kcmp),
    SCMP_SYS(move_pages),
    SCMP_SYS(migrate_pages),
    /* file systems */
    SCMP_SYS(fsconfig),
    SCMP_SYS(name_to_handle_at),
    SCMP_SYS(fanotify_init),
    SCMP_SYS(quotactl),
    SCMP_SYS(quotactl_fd),
    /* the kernel itself */
    SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(io_uring_enter),
    SCMP_SYS(io_uring_register),
    SCMP_SYS(lookup_dcookie),
    SCMP_SYS(memfd_secret),
    /* Memory that belongs to no process, where no process's limit finds it. */
    SCMP_SYS(memfd_create),
    SCMP_SYS(shmget),
    SCMP_SYS(semget),
    SCMP_SYS(msgget),
    SCMP_SYS(modify_ldt),
    SCMP_SYS(clock_adjtime),
    SCMP_SYS(adjtimex),
};

static const int user_calls[] = {
    SCMP_SYS(chmod),        SCMP_SYS(fchmod),    SCMP_SYS(fchmodat),    SCMP_SYS(chown),
    SCMP_SYS(fchown),       SCMP_SYS(fchownat),  SCMP_SYS(lchown),      SCMP_SYS(setxattr),
    SCMP_SYS(fsetxattr),    SCMP_SYS(lsetxattr), SCMP_SYS(removexattr), SCMP_SYS(fremovexattr),
    SCMP_SYS(lremovexattr),
};

/* Their number is limited for a user namespace: in a container all its users share it. */
static const int namespace_calls[] = {SCMP_SYS(inotify_init), SCMP_SYS(inotify_init1)};

static const unsigned long namespace_flags[] = {
    CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,    CLONE_NEWNET,
    CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP,
};

static int refuse_calls(scmp_filter_ctx filter, const int *calls, size_t count)
{
    int error = 0;
    for (size_t i = 0; i < count && !error; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), calls[i], 0);
    }
    return error;
}

/* What happens to a call that is refused and, with a listener, recorded. */
static uint32_t refusal(bool is_watched, int error)
{
    return is_watched ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO((uint32_t)error);
}

/* Those that the kernel decides about are in begin_watch(). */
static int watch_calls(scmp_filter_ctx filter, bool is_watched)
{
    int error = 0;
    for (size_t i = 0; i < sandbox_watch_call_count && !error; i++) {
        const struct watched_call *call = &sandbox_watch_calls[i];
        if (!call->is_partial && call->error) {
            error = seccomp_rule_add(filter, refusal(is_watched, call->error), call->number, 0);
        }
    }
    if (!error && is_watched) { /* without an address it is send() */
        error = seccomp_rule_add(filter, SCMP_ACT_NOTIFY, SCMP_SYS(sendto), 1,
                                 SCMP_A4(SCMP_CMP_NE, 0, 0));
    }
    return error;
}

/* clone3 hides its flags from a filter: without it the C library uses clone. */
static int refuse_new_namespaces(scmp_filter_ctx filter, bool is_watched)
{
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    for (size_t i = 0; i < sizeof namespace_flags / sizeof namespace_flags[0] && !error; i++) {
        error =
            seccomp_rule_add(filter, refusal(is_watched, EPERM), SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, namespace_flags[i], namespace_flags[i]));
    }
    return error;
}

/* The supervisor looks at the descriptors of a process, not of each thread, and a process that is
 * not dumpable hides them. */
static int refuse_hidden_descriptors(scmp_filter_ctx filter)
{
    const scmp_datum_t both = CLONE_THREAD | CLONE_FILES;
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1,
                                 SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffff, PR_SET_DUMPABLE));
    if (error) {
        return error;
    }
    error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                             SCMP_A0(SCMP_CMP_MASKED_EQ, both, CLONE_THREAD));
    return error ? error
                 : seccomp_rule_add(
                       filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(close_range), 1,
                       SCMP_A2(SCMP_CMP_MASKED_EQ, CLOSE_RANGE_UNSHARE, CLOSE_RANGE_UNSHARE));
}

/* Two push characters into a terminal as if they had been typed; the third loads a module of the
 * kernel for another line discipline. */
static int refuse_terminal_calls(scmp_filter_ctx filter, bool is_watched)
{
    static const scmp_datum_t requests[] = {TIOCSTI, TIOCLINUX, TIOCSETD};
    int error = 0;
    for (size_t i = 0; i < sizeof requests / sizeof requests[0] && !error; i++) {
        error = seccomp_rule_add(filter, refusal(is_watched, EPERM), SCMP_SYS(ioctl), 1,
                                 SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, requests[i]));
    }
    return error;
}

/* A program that lowers its limit to 0 gets the dumps that the kernel sends to a program: see
 * take_on_limits() in sandbox_player.c. Reading the limit is allowed. */
static int refuse_core_limits(scmp_filter_ctx filter)
{
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setrlimit), 1,
                                 SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffff, RLIMIT_CORE));
    return error ? error
                 : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2,
                                    SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, RLIMIT_CORE),
                                    SCMP_A2(SCMP_CMP_NE, 0, 0));
}

/* Where it sees other processes, which may be its own user's. Its own process is 0: no filter knows
 * the number. The users are those of setpriority and ioprio_set. */
static int refuse_priorities_of_others(scmp_filter_ctx filter)
{
    enum { IOPRIO_USER = 3 };
    static const struct {
        int call;
        struct scmp_arg_cmp if_it; /* a target that is another process, or a user */
    } rules[] = {
        {SCMP_SYS(setpriority), SCMP_A1(SCMP_CMP_NE, 0, 0)},
        {SCMP_SYS(setpriority), SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffff, PRIO_USER)},
        {SCMP_SYS(ioprio_set), SCMP_A1(SCMP_CMP_NE, 0, 0)},
        {SCMP_SYS(ioprio_set), SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffff, IOPRIO_USER)},
        {SCMP_SYS(sched_setaffinity), SCMP_A0(SCMP_CMP_NE, 0, 0)},
        {SCMP_SYS(sched_setscheduler), SCMP_A0(SCMP_CMP_NE, 0, 0)},
        {SCMP_SYS(sched_setparam), SCMP_A0(SCMP_CMP_NE, 0, 0)},
        {SCMP_SYS(sched_setattr), SCMP_A0(SCMP_CMP_NE, 0, 0)},
    };
    int error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), 2,
                                 SCMP_A0(SCMP_CMP_NE, 0, 0), SCMP_A2(SCMP_CMP_NE, 0, 0));
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && !error; i++) {
        error = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), rules[i].call, 1,
                                       &rules[i].if_it);
    }
    return error;
}

/* A socket with a path leads out of the sandbox if one is in a visible folder;
 * socketpair, which needs no address, is another call. */
static bool is_allowed_family(int family, enum sandbox_network network)
{
    return (family == AF_INET || family == AF_INET6) && network != SANDBOX_NETWORK_NONE;
}

/* One action for all of them: socketcall, which 32-bit programs use, hides the arguments from a
 * filter and needs a single rule. */
static int refuse_sockets(scmp_filter_ctx filter, enum sandbox_network network, bool is_watched)
{
    const uint32_t action = refusal(is_watched, EAFNOSUPPORT);
    int error =
        seccomp_rule_add(filter, action, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_GT, AF_INET6, 0));
    for (int family = 0; family <= AF_INET6 && !error; family++) {
        if (!is_allowed_family(family, network)) {
            error = seccomp_rule_add(filter, action, SCMP_SYS(socket), 1,
                                     SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)family, 0));
        }
    }
    for (int type = 0; type < SOCK_PACKET && !error && network == SANDBOX_NETWORK_STREAM; type++) {
        if (type != SOCK_STREAM) {
            const scmp_datum_t wanted = (scmp_datum_t)type;
            error = seccomp_rule_add(filter, action, SCMP_SYS(socket), 1,
                                     SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, wanted));
        }
    }
    return error;
}

/* 32-bit programs run as well; whatever other kind there is gets killed. */
static int add_architectures(scmp_filter_ctx filter)
{
#ifdef __x86_64__
    return seccomp_arch_add(filter, SCMP_ARCH_X86);
#else
    (void)filter;
    return 0;
#endif
}

/* A list of refusals must end somewhere: calls younger than this list do not exist in the sandbox.
 * Programs live with that, as they live with older kernels. Numbers this high mean the same on
 * every processor. */
static int refuse_younger_calls(void)
{
    enum { YOUNGEST_KNOWN = 450 };
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, YOUNGEST_KNOWN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof steps / sizeof steps[0], .filter = steps};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0 ? 0 : -errno;
}

/* mmap2 is what 32-bit programs call. */
static int refuse_shared_memory(scmp_filter_ctx filter)
{
    const int calls[] = {SCMP_SYS(mmap), SCMP_SYS(mmap2)};
    int error = 0;
    for (size_t i = 0; i < sizeof calls / sizeof calls[0] && !error; i++) {
        error = seccomp_rule_add(
            filter, SCMP_ACT_ERRNO(EPERM), calls[i], 1,
            SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_TYPE | MAP_ANONYMOUS, MAP_SHARED | MAP_ANONYMOUS));
    }
    return error;
}

/* Where SIGSTOP freezes a program: all ways to have SIGCONT sent, by itself or by the kernel. A
 * filter cannot read which signal a timer sends, so only those with the usual one are left. What is
 * reported to the supervisor before these rules, it refuses itself. */
static int refuse_continuing(scmp_filter_ctx filter)
{
    const scmp_datum_t all = 0xffffffff;
    const scmp_datum_t exit_signal = 0xff;
    const struct {
        int call;
        unsigned count;
        struct scmp_arg_cmp if_they[2];
    } rules[] = {
        {SCMP_SYS(timer_create), 1, {SCMP_A1(SCMP_CMP_NE, 0, 0)}},
        {SCMP_SYS(mq_notify), 0, {{0}}},
        {SCMP_SYS(fcntl), 1, {SCMP_A1(SCMP_CMP_MASKED_EQ, all, F_SETSIG)}},
        {SCMP_SYS(fcntl64), 1, {SCMP_A1(SCMP_CMP_MASKED_EQ, all, F_SETSIG)}},
        {SCMP_SYS(prctl),
         2,
         {SCMP_A0(SCMP_CMP_MASKED_EQ, all, PR_SET_PDEATHSIG),
          SCMP_A1(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
        {SCMP_SYS(clone), 1, {SCMP_A0(SCMP_CMP_MASKED_EQ, exit_signal, SIGCONT)}},
        {SCMP_SYS(kill), 1, {SCMP_A1(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
        {SCMP_SYS(tkill), 1, {SCMP_A1(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
        {SCMP_SYS(tgkill), 1, {SCMP_A2(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
        {SCMP_SYS(rt_sigqueueinfo), 1, {SCMP_A1(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
        {SCMP_SYS(rt_tgsigqueueinfo), 1, {SCMP_A2(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
        {SCMP_SYS(pidfd_send_signal), 1, {SCMP_A1(SCMP_CMP_MASKED_EQ, all, SIGCONT)}},
    };
    int error = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && !error; i++) {
        error = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), rules[i].call, rules[i].count,
                                       rules[i].if_they);
    }
    return error;
}

/* Has no effect, as on a machine whose largest buffers are the usual ones. A 32-bit program may use
 * socketcall, which hides the option: there no option has an effect. */
static int keep_socket_buffers(scmp_filter_ctx filter)
{
    enum { SYS_SETSOCKOPT_OF_SOCKETCALL = 14 };
    static const scmp_datum_t options[] = {SO_SNDBUF, SO_RCVBUF};
    int error =
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(socketcall), 1,
                         SCMP_A0(SCMP_CMP_MASKED_EQ, 0xffffffff, SYS_SETSOCKOPT_OF_SOCKETCALL));
    for (size_t i = 0; i < sizeof options / sizeof options[0] && !error; i++) {
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(setsockopt), 2,
                                 SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, SOL_SOCKET),
                                 SCMP_A2(SCMP_CMP_MASKED_EQ, 0xffffffff, options[i]));
    }
    return error;
}

enum { MOST_STEPS = 4096 };

/* A filter's beginning that reports the watched calls which the sandbox does not refuse; libseccomp
 * needs five times as long to make rules for them. 32-bit programs are not watched here. Returns
 * the number of steps. */
static size_t begin_watch(struct sock_filter steps[MOST_STEPS])
{
    enum { HEAD = 3, TAIL = 2 };
    uint32_t numbers[UINT8_MAX - TAIL];
    size_t count = 0;
    for (size_t i = 0; i < sandbox_watch_call_count; i++) {
        const struct watched_call *call = &sandbox_watch_calls[i];
        if (!call->is_partial && !call->error && call->number >= 0) {
            numbers[count++] = (uint32_t)call->number;
        }
    }
    uint8_t rest = (uint8_t)(count + TAIL);
    struct sock_filter head[HEAD] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, seccomp_arch_native(), 0, (uint8_t)(rest + 1)),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    struct sock_filter tail[TAIL] = {
        BPF_STMT(BPF_JMP | BPF_JA | BPF_K, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
    };
    memcpy(steps, head, sizeof head);
    for (size_t i = 0; i < count; i++) {
        steps[HEAD + i] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, numbers[i],
                                                       (uint8_t)(count - i), 0);
    }
    memcpy(steps + HEAD + count, tail, sizeof tail);
    return HEAD + count + TAIL;
}

/* What libseccomp does itself, with a flag that its version in Debian 12 does not know: once the
 * supervisor has a question, only the end of the program interrupts the call, as it is without a
 * listener. A kernel with that flag (Linux 5.19) also has all others that are needed. */
static int load(scmp_filter_ctx filter, int *listener)
{
    if (!listener) {
        return seccomp_load(filter);
    }
    int error = -ENOMEM;
    int file = memfd_create("filter", MFD_CLOEXEC);
    struct sock_filter *steps = calloc(MOST_STEPS, sizeof *steps);
    if (file < 0 || !steps) {
        goto out;
    }
    size_t count = begin_watch(steps);
    size_t room = (MOST_STEPS - count) * sizeof *steps;
    error = seccomp_export_bpf(filter, file);
    if (error) {
        goto out;
    }
    ssize_t bytes = pread(file, steps + count, room, 0);
    if (bytes < 0 || (size_t)bytes == room) {
        error = bytes < 0 ? -errno : -E2BIG;
        goto out;
    }
    count += (size_t)bytes / sizeof *steps;
    struct sock_fprog program = {.len = (unsigned short)count, .filter = steps};
    long fd = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                      SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV,
                      &program);
    if (fd < 0) {
        error = -errno;
        goto out;
    }
    *listener = (int)fd;
out:
    free(steps);
    if (file >= 0) {
        close(file);
    }
    return error;
}

enum err sandbox_seccomp_apply(const struct sandbox_seccomp_rules *rules, int *listener,
                               struct note *why)
{
    const bool is_watched = listener != NULL;
    int error = -ENOMEM;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) {
        goto out;
    }
    error = add_architectures(filter);
    if (!error) {
        error = refuse_calls(filter, refused_calls, sizeof refused_calls / sizeof refused_calls[0]);
    }
    if (!error) {
        error = watch_calls(filter, is_watched);
    }
    if (!error) {
        error = refuse_new_namespaces(filter, is_watched);
    }
    if (!error) {
        error = refuse_hidden_descriptors(filter);
    }
    if (!error) {
        error = refuse_terminal_calls(filter, is_watched);
    }
    if (!error) {
        error = refuse_core_limits(filter);
    }
    if (!error) {
        error = refuse_sockets(filter, rules->network, is_watched);
    }
    if (!error && rules->shares_user) {
        error = refuse_calls(filter, user_calls, sizeof user_calls / sizeof user_calls[0]);
    }
    if (!error && rules->is_stopped_by_signal) {
        error = refuse_continuing(filter);
    }
    if (!error && rules->sees_others) {
        error = refuse_priorities_of_others(filter);
    }
    if (!error && rules->sees_others) {
        error = refuse_calls(filter, namespace_calls,
                             sizeof namespace_calls / sizeof namespace_calls[0]);
    }
    if (!error && rules->is_measured) {
        error = refuse_shared_memory(filter);
    }
    if (!error && rules->is_measured) {
        error = keep_socket_buffers(filter);
    }
    if (!error && rules->keeps_cpu) {
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_setaffinity), 0);
    }
    if (!error && rules->keeps_session) {
        error = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(setsid), 0);
    }
    if (!error) { /* first: with a listener the next calls of this process may wait for answers */
        error = refuse_younger_calls();
    }
    if (!error) {
        error = load(filter, listener);
    }
out:
    seccomp_release(filter);
    if (error) {
        note_set(why, is_watched ? "attempts are not recorded: %s" : "no seccomp filter: %s",
                 strerror(-error));
        errno = -error;
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}
