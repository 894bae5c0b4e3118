/* sandbox_child: the helper's main program, the supervisor of one player's program.
 *
 * It stays outside the sandbox. It makes the cgroup and the temporary folder, starts the program,
 * in a sandbox (sandbox_init) or without one, and watches two things: the program's end, and the
 * control socket. When plum closes that socket, or dies in whatever way, everything that the
 * program started is killed. What was made is removed in any case.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/folder.h"
#include "sandbox/process_tree.h"
#include "sandbox/process_time.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_init.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_player.h"
#include "sandbox/sandbox_programs.h"
#include "sandbox/sandbox_watch.h"

enum {
    CHECK_MS = 250,
    CHECK_SHARE = 10, /* a program cannot make checks use more than a tenth of a processor */
    /* Where SIGSTOP freezes: the pauses after which it is sent again double from here to CHECK_MS,
     * as long as no processor time is used. */
    STOP_AGAIN_MS = 4,
};

struct supervisor {
    struct sandbox_job job;
    struct sandbox_programs programs;
    struct sandbox_folder entries;
    struct sandbox_cgroup group;
    struct folder_scratch temporary; /* may be none */
    pid_t child;                     /* the init, or without namespaces the program */
    int child_fd;
    struct sandbox_init_shared *shared; /* NULL without namespaces */
    int64_t free_entries; /* of its folder: the links to what is in the agent's folder */
    bool checks_folder;
    bool checks_memory;
    bool checks_processes;
    bool is_overgrown;
    bool is_starved;    /* found here, not by a cgroup */
    int64_t crowded_ms; /* likewise: when it had as many processes as it may; 0: never */
    struct sandbox_watch watch;
    bool is_held;      /* frozen, or with the smallest share of the processors */
    int stop_pause_ms; /* 0: SIGSTOP does not freeze it now; else until it is sent again */
    int64_t next_stop_ns;
    struct process_usage usage; /* looked at with each SIGSTOP */
};

static void clean_up(struct supervisor *supervisor)
{
    folder_scratch_remove(&supervisor->temporary);
    sandbox_cgroup_remove(&supervisor->group);
}

/* The program itself, without namespaces. */
static _Noreturn void run_plainly(const struct supervisor *supervisor,
                                  const struct sandbox_player *player)
{
    const struct sandbox_job *job = player->job;
    enum sandbox_feature missing = SANDBOX_CGROUPS;
    struct note why;
    enum err err = sandbox_cgroup_join(&supervisor->group, &why);
    if (!err && sandbox_job_has(job, SANDBOX_OTHER_USER)) {
        missing = SANDBOX_OTHER_USER;
        err = sandbox_identity_give_folder(job->private_folder, job->user, &why);
        if (!err) {
            err = sandbox_identity_leave_root(job->user, &why);
        }
    }
    if (err) {
        sandbox_job_report_failure(player->control, missing, &why);
        _exit(ERR_ENVIRONMENT);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    sandbox_player_run(player);
}

/* What the program will see: the interpreters that its command names, and what is in its folder. */
static enum err find_files(struct supervisor *supervisor, struct note *why)
{
    const struct sandbox_job *job = &supervisor->job;
    struct sandbox_programs *programs = &supervisor->programs;
    sandbox_programs_find(job->command, job->folder, getenv("PATH"), programs);
    errno = programs->error;
    if (programs->error) {
        return sandbox_job_report_errno(why, "cannot look for its programs");
    }
    if (job->is_limited && *programs->refusal.text) {
        *why = programs->refusal;
        return ERR_ENVIRONMENT;
    }
    return job->is_limited || job->private_is_cwd
               ? sandbox_folder_list(job->folder, job->command, &job->rule, &supervisor->entries,
                                     why)
               : ERR_NONE;
}

static enum err start_child(struct supervisor *supervisor, int watch_end, struct note *why)
{
    const struct sandbox_job *job = &supervisor->job;
    bool has_namespaces = sandbox_job_has(job, SANDBOX_NAMESPACES);
    unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                          (sandbox_job_has(job, SANDBOX_OTHER_USER) ? 0 : CLONE_NEWUSER);
    struct sandbox_player player = {
        .job = job,
        .programs = &supervisor->programs,
        .entries = &supervisor->entries,
        .private_folder = job->private_folder,
        .control = SANDBOX_CONTROL_FD,
        .listener = -1,
        .watch = watch_end,
    };
    struct sandbox_init init = {
        .player = &player,
        .group = &supervisor->group,
        .shared = supervisor->shared,
        .supervisor = pidfd_open(getpid(), 0),
        .user = geteuid(),
        .user_group = getegid(),
    };
    if (init.supervisor < 0) {
        return sandbox_job_report_errno(why, "cannot watch a process");
    }
    long pid = syscall(SYS_clone, (has_namespaces ? flags : 0) | CLONE_PIDFD | SIGCHLD, NULL,
                       &supervisor->child_fd, NULL, NULL);
    if (pid == 0 && has_namespaces) {
        sandbox_init_run(&init);
    }
    if (pid == 0) {
        run_plainly(supervisor, &player);
    }
    int error = errno;
    close(init.supervisor);
    errno = error;
    if (pid < 0) {
        note_set(why, "%s: %s", has_namespaces ? "no namespaces" : "cannot start a process",
                 has_namespaces ? sandbox_identity_refusal(error) : strerror(error));
        return ERR_ENVIRONMENT;
    }
    supervisor->child = (pid_t)pid;
    return ERR_NONE;
}

static enum err start_in_namespaces(struct supervisor *supervisor, int watch_end, struct note *why)
{
    supervisor->shared = mmap(NULL, sizeof *supervisor->shared, PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (supervisor->shared == MAP_FAILED) {
        return sandbox_job_report_errno(why, "no memory to share");
    }
    atomic_init(&supervisor->shared->status, -1);
    return start_child(supervisor, watch_end, why);
}

/* Orphans of the program become children of this process, which can find and kill them. */
static enum err start_plainly(struct supervisor *supervisor, int watch_end, struct note *why)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (!*supervisor->job.private_folder) {
        /* In /tmp, whatever TMPDIR is: root's agents must be able to enter it. */
        enum err err = folder_scratch_make_in(&supervisor->temporary, "/tmp", getppid(), why);
        if (err) {
            return err;
        }
        supervisor->job.private_folder = supervisor->temporary.path;
    }
    return start_child(supervisor, watch_end, why);
}

static enum err start(struct supervisor *supervisor, enum sandbox_feature *missing,
                      struct note *why)
{
    struct sandbox_job *job = &supervisor->job;
    int ends[2] = {-1, -1};
    *missing = 0;
    /* A folder that stays may be used again, and its files then have to be the same user's. */
    bool is_temporary = !*job->private_folder;
    job->user = is_temporary && sandbox_job_has(job, SANDBOX_OTHER_USER) ? sandbox_identity_claim()
                                                                         : SANDBOX_USER;
    if (sandbox_job_has(job, SANDBOX_WATCH) &&
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return sandbox_job_report_errno(why, "no socket");
    }
    sandbox_watch_init(&supervisor->watch, job, &supervisor->programs, &supervisor->entries,
                       ends[0]);
    enum err err = find_files(supervisor, why);
    if (!err) {
        err = sandbox_cgroup_create(&sandbox_cgroup_kernel, job->features, &job->limits,
                                    &supervisor->group, missing, why);
    }
    if (!err && sandbox_job_has(job, SANDBOX_NAMESPACES)) {
        *missing = SANDBOX_NAMESPACES;
        err = start_in_namespaces(supervisor, ends[1], why);
    } else if (!err) {
        err = start_plainly(supervisor, ends[1], why);
    }
    int error = errno;
    if (ends[1] >= 0) {
        close(ends[1]);
    }
    supervisor->free_entries = job->private_is_cwd ? (int64_t)supervisor->entries.count : 0;
    errno = error;
    return err;
}

/* The streams belong to the program: a copy that stays open here would hide their end. */
static void release_streams(void)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        dup2(nothing, fd);
    }
    close(nothing);
}

/* Without a freezer: the init stops all processes of its namespace at one moment. */
static void stop_or_continue(const struct supervisor *supervisor, bool stops)
{
    if (supervisor->shared) {
        atomic_store(&supervisor->shared->order, stops ? SIGSTOP : SIGCONT);
        kill(supervisor->child, SANDBOX_INIT_OBEY);
    } else {
        process_tree_signal(getpid(), stops ? SIGSTOP : SIGCONT);
    }
}

static void stop(struct supervisor *supervisor, int pause_ms)
{
    stop_or_continue(supervisor, true);
    supervisor->stop_pause_ms = pause_ms;
    supervisor->next_stop_ns = clock_now_ns() + pause_ms * CLOCK_NS_PER_MS;
    (void)process_usage_look(&supervisor->usage, getpid(), clock_now_ns());
}

static void freeze(struct supervisor *supervisor)
{
    supervisor->is_held = true;
    if (!sandbox_cgroup_freeze(&supervisor->group, true)) {
        stop(supervisor, STOP_AGAIN_MS);
    }
}

/* The kernel may have continued a process: when a process ends that connected its group to the
 * session, the stopped ones in the group get SIGCONT (kill_orphaned_pgrp() in Linux). And without
 * namespaces a new process can escape the first time. */
static void stop_again(struct supervisor *supervisor)
{
    int64_t before_ns = supervisor->usage.total_ns;
    bool has_run = process_usage_look(&supervisor->usage, getpid(), clock_now_ns()) > before_ns;
    int pause_ms = has_run ? STOP_AGAIN_MS : 2 * supervisor->stop_pause_ms;
    stop(supervisor, pause_ms < CHECK_MS ? pause_ms : CHECK_MS);
}

static void yield(struct supervisor *supervisor)
{
    supervisor->is_held = true;
    (void)sandbox_cgroup_yield(&supervisor->group, true);
}

static void let_continue(struct supervisor *supervisor)
{
    if (supervisor->is_held) {
        supervisor->is_held = false;
        supervisor->stop_pause_ms = 0;
        (void)sandbox_cgroup_yield(&supervisor->group, false);
        if (!sandbox_cgroup_freeze(&supervisor->group, false)) {
            stop_or_continue(supervisor, false);
        }
    }
}

/* What is frozen receives the signal first and then may continue, which delivers it. */
static void send_signal(struct supervisor *supervisor, int signal)
{
    if (supervisor->shared || kill(-supervisor->child, signal) != 0) {
        kill(supervisor->child, signal);
    }
    let_continue(supervisor);
}

/* False when plum has closed the socket. */
static bool read_order(struct supervisor *supervisor)
{
    char order;
    ssize_t count = recv(SANDBOX_CONTROL_FD, &order, sizeof order, MSG_DONTWAIT);
    if (count <= 0) {
        return count < 0 && (errno == EAGAIN || errno == EINTR);
    }
    switch ((enum sandbox_order)order) {
    case SANDBOX_TERMINATE:
        send_signal(supervisor, SIGTERM);
        break;
    case SANDBOX_FREEZE:
        freeze(supervisor);
        break;
    case SANDBOX_YIELD:
        yield(supervisor);
        break;
    case SANDBOX_CONTINUE:
        let_continue(supervisor);
        break;
    }
    return true;
}

/* What the kernel does not limit: a folder on a disk of the machine, and without cgroups the sum of
 * its processes' memory. Where it counts no refused processes, a look can show that the limit is
 * reached. */
static void choose_checks(struct supervisor *supervisor)
{
    const struct sandbox_job *job = &supervisor->job;
    supervisor->checks_folder = job->is_limited && *job->private_folder;
    supervisor->checks_memory = job->is_limited && !sandbox_job_has(job, SANDBOX_MEMORY_CGROUP);
    supervisor->checks_processes = job->is_limited && !sandbox_job_has(job, SANDBOX_PIDS_CGROUP);
}

static void check(struct supervisor *supervisor)
{
    const struct sandbox_job *job = &supervisor->job;
    if (supervisor->checks_folder &&
        process_tree_exceeds_folder(getpid(), job->private_folder, job->limits.disk_bytes,
                                    supervisor->free_entries)) {
        supervisor->checks_folder = false;
        supervisor->is_overgrown = true;
        send_signal(supervisor, SIGKILL);
    }
    if (supervisor->checks_memory && process_tree_exceeds_memory(getpid(), job->limits.memory_bytes,
                                                                 supervisor->shared != NULL)) {
        supervisor->checks_memory = false;
        supervisor->is_starved = true;
        send_signal(supervisor, SIGKILL);
    }
    if (supervisor->checks_processes &&
        process_tree_count_tasks(getpid()) >= job->limits.processes) {
        supervisor->checks_processes = false;
        supervisor->crowded_ms = clock_unix_ms();
    }
}

/* The program is gone. */
static void report_limit(const struct supervisor *supervisor)
{
    int64_t refused = sandbox_cgroup_refused_processes(&supervisor->group);
    struct sandbox_job_report report = {.kind = SANDBOX_VIOLATION,
                                        .violation = {.kind = VIOLATION_LIMIT,
                                                      .count = refused > 0 ? refused : 1,
                                                      .first_ms = supervisor->crowded_ms
                                                                      ? supervisor->crowded_ms
                                                                      : clock_unix_ms()}};
    snprintf(report.violation.what, sizeof report.violation.what,
             "have more than %d processes and threads at once",
             (int)supervisor->job.limits.processes);
    if (refused > 0 || supervisor->crowded_ms) {
        sandbox_job_report_send(SANDBOX_CONTROL_FD, &report);
    }
}

static void watch(struct supervisor *supervisor)
{
    enum { CHILD, ORDERS, CALLS, SOURCES };
    struct pollfd sources[SOURCES] = {
        [CHILD] = {.fd = supervisor->child_fd, .events = POLLIN},
        [ORDERS] = {.fd = SANDBOX_CONTROL_FD, .events = POLLIN},
        [CALLS] = {.events = POLLIN},
    };
    int64_t next_check_ns = clock_now_ns() + CHECK_MS * CLOCK_NS_PER_MS;
    while (!sources[CHILD].revents) {
        bool must_check =
            supervisor->checks_folder || supervisor->checks_memory || supervisor->checks_processes;
        int limit_ms = -1;
        sources[CALLS].fd = sandbox_watch_source(&supervisor->watch, &limit_ms);
        if (must_check && limit_ms < 0) {
            limit_ms = CHECK_MS;
        }
        if (supervisor->stop_pause_ms > 0 &&
            (limit_ms < 0 || limit_ms > supervisor->stop_pause_ms)) {
            limit_ms = supervisor->stop_pause_ms;
        }
        int count = poll(sources, SOURCES, limit_ms);
        if (supervisor->stop_pause_ms > 0 && clock_now_ns() >= supervisor->next_stop_ns) {
            stop_again(supervisor);
        }
        if (must_check && clock_now_ns() >= next_check_ns) { /* orders and calls come more often */
            int64_t before_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
            check(supervisor);
            int64_t pause_ns = (clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - before_ns) * CHECK_SHARE;
            next_check_ns =
                clock_now_ns() +
                (pause_ns > CHECK_MS * CLOCK_NS_PER_MS ? pause_ns : CHECK_MS * CLOCK_NS_PER_MS);
        }
        if (count <= 0) {
            continue;
        }
        if (sources[ORDERS].revents && !read_order(supervisor)) {
            send_signal(supervisor, SIGKILL);
            sources[ORDERS].fd = -1;
        }
        if (sources[CALLS].revents) {
            sandbox_watch_step(&supervisor->watch, sources[CALLS].revents);
        }
    }
    sandbox_watch_finish(&supervisor->watch);
}

/* The children of each process that dies become children of this one. */
static void kill_orphans(void)
{
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        process_tree_signal(getpid(), SIGKILL);
        waitpid(-1, NULL, 0);
    }
}

/* A killed init reports nothing: then its status is taken for the program's. */
static int reap(const struct supervisor *supervisor)
{
    int status = 0;
    while (waitpid(supervisor->child, &status, 0) < 0 && errno == EINTR) {
    }
    if (!supervisor->shared) {
        kill_orphans();
        return status;
    }
    int reported = atomic_load(&supervisor->shared->status);
    return reported >= 0 ? reported : status;
}

static volatile sig_atomic_t was_signalled;

/* As if plum had closed the socket: the program is killed, and its files are removed. */
static void on_signal(int signal)
{
    (void)signal;
    was_signalled = true;
    shutdown(SANDBOX_CONTROL_FD, SHUT_RD);
}

/* When a machine is shut down, or all processes of plum are ended, the helper gets these itself. */
static void clean_up_after_signals(void)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal};
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        sigaction(signals[i], &action, NULL);
    }
}

static int supervise(struct supervisor *supervisor)
{
    struct note why;
    enum sandbox_feature missing;
    enum err err = start(supervisor, &missing, &why);
    if (err) {
        sandbox_job_report_failure(SANDBOX_CONTROL_FD, missing, &why);
        clean_up(supervisor);
        return (int)err;
    }
    clean_up_after_signals();
    release_streams();
    choose_checks(supervisor);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    watch(supervisor);
    let_continue(
        supervisor); /* the last order may have frozen what is left: it could not be killed */
    struct sandbox_job_report report = {.kind = SANDBOX_ENDED, .value = reap(supervisor)};
    if (supervisor->is_overgrown) {
        report.kind = SANDBOX_OVERGROWN;
    } else if (supervisor->is_starved || sandbox_cgroup_was_starved(&supervisor->group)) {
        report.kind = SANDBOX_STARVED;
    }
    report_limit(supervisor);
    clean_up(supervisor);
    if (!was_signalled) { /* else the end was not the program's: plum sees that its helper died */
        sandbox_job_report_send(SANDBOX_CONTROL_FD, &report);
    }
    return ERR_NONE;
}

/* _exit, because there is nothing to flush and no exit handler (such as that of a leak checker) may
 * delay the helper. */
void sandbox_child_main(int argc, char **argv)
{
    struct supervisor supervisor = {.child_fd = -1};
    if (!sandbox_job_read(argc, argv, &supervisor.job)) {
        _exit(ERR_INPUT);
    }
    fcntl(SANDBOX_CONTROL_FD, F_SETFD, FD_CLOEXEC);
    close_range(SANDBOX_CONTROL_FD + 1, ~0U, 0);
    _exit((int)supervise(&supervisor));
}
