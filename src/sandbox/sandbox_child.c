/* sandbox_child: the helper's main program, the supervisor of one player's program.
 *
 * It stays outside the sandbox. It makes the cgroup and the temporary folder, starts the program,
 * in a sandbox (sandbox_init) or without one, and watches two things: the program's end, and the
 * control socket. When plum closes that socket, or dies in whatever way, everything that the
 * program started is killed. What was made is removed in any case.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/number.h"
#include "base/folder.h"
#include "sandbox/process_storage.h"
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
    struct sandbox_cgroup group;
    struct folder_scratch temporary; /* may be none */
    pid_t child;                     /* the init, or without namespaces the program */
    int child_fd;
    int status; /* where the init's report about the program comes; -1 without namespaces */
    int64_t free_entries; /* of its folder: the links to what is in the agent's folder */
    bool is_overgrown;
    bool is_starved;    /* found here, not by a cgroup */
    int64_t crowded_ms; /* likewise: when it had as many processes as it may; 0: never */
    int watch_end;      /* the program's end of the watch's socket; -1: none */
    struct sandbox_watch watch;
    atomic_int *is_stopped; /* shared with the init */
    bool is_held;           /* frozen, or with the smallest share of the processors */
    int stop_pause_ms;      /* 0: SIGSTOP does not freeze it now; else until it is sent again */
    int64_t next_stop_ns;
    struct process_usage usage; /* looked at with each SIGSTOP */
};

static _Noreturn void fail(unsigned feature, const struct note *why)
{
    sandbox_job_report_failure(SANDBOX_CONTROL_FD, feature, why);
    _exit(ERR_ENVIRONMENT);
}

/* In /tmp, whatever TMPDIR is: root's agents must be able to enter it. */
static enum err make_temporary_folder(struct supervisor *supervisor, struct note *why)
{
    enum err err = folder_scratch_make_in(&supervisor->temporary, "/tmp", getppid(), why);
    if (!err) {
        supervisor->job.private_folder = supervisor->temporary.path;
    }
    return err;
}

static void clean_up(struct supervisor *supervisor)
{
    folder_scratch_remove(&supervisor->temporary);
    sandbox_cgroup_remove(&supervisor->group);
}

static enum err start_in_namespaces(struct supervisor *supervisor, struct note *why)
{
    int status[2];
    if (pipe2(status, O_CLOEXEC) != 0) {
        note_set(why, "no pipe: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    supervisor->is_stopped = mmap(NULL, sizeof *supervisor->is_stopped, PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (supervisor->is_stopped == MAP_FAILED) {
        note_set(why, "no memory to share: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    struct sandbox_init init = {
        .is_stopped = supervisor->is_stopped,
        .job = &supervisor->job,
        .group = &supervisor->group,
        .control = SANDBOX_CONTROL_FD,
        .status = {status[0], status[1]},
        .watch = supervisor->watch_end,
    };
    enum err err = sandbox_init_start(&init, &supervisor->child, why);
    close(status[1]);
    supervisor->status = status[0];
    return err;
}

static _Noreturn void run_plainly(const struct supervisor *supervisor)
{
    const struct sandbox_job *job = &supervisor->job;
    struct sandbox_programs programs;
    struct sandbox_folder entries = {0};
    struct note why;
    struct sandbox_player player = {
        .job = job,
        .programs = &programs,
        .entries = &entries,
        .private_folder = job->private_folder,
        .control = SANDBOX_CONTROL_FD,
        .listener = -1,
        .folder = -1,
        .watch = supervisor->watch_end,
    };
    if (sandbox_cgroup_join(&supervisor->group, &why)) {
        fail(SANDBOX_CGROUPS, &why);
    }
    sandbox_programs_find(job->command, job->folder, getenv("PATH"), &programs);
    if (programs.error) {
        errno = programs.error;
        note_set(&why, "cannot look for its programs: %s", strerror(errno));
        fail(0, &why);
    }
    if (job->is_limited && *programs.refusal.text) {
        errno = 0; /* not a shortage */
        fail(0, &programs.refusal);
    }
    const struct sandbox_folder_rule everything = {0};
    if ((job->is_limited || job->private_is_cwd) &&
        sandbox_folder_list(job->folder, job->command, job->is_limited ? &job->rule : &everything,
                            &entries, &why)) {
        fail(0, &why);
    }
    if (sandbox_job_has(&supervisor->job, SANDBOX_OTHER_USER) &&
        chown(job->private_folder, job->user, job->user) != 0) {
        note_set(&why, "cannot give the folder %.200s to user %u: %s", job->private_folder,
                 job->user, strerror(errno));
        fail(SANDBOX_OTHER_USER, &why);
    }
    if (sandbox_job_has(&supervisor->job, SANDBOX_OTHER_USER) &&
        sandbox_identity_leave_root(job->user, &why)) {
        fail(SANDBOX_OTHER_USER, &why);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    sandbox_player_run(&player);
}

/* Orphans of the program become children of this process, which can find and kill them. */
static enum err start_plainly(struct supervisor *supervisor, struct note *why)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    supervisor->child = fork();
    if (supervisor->child == 0) {
        run_plainly(supervisor);
    }
    if (supervisor->child < 0) {
        note_set(why, "cannot start a process: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
}

static enum err open_watch(struct supervisor *supervisor, struct note *why)
{
    int ends[2] = {-1, -1};
    if (sandbox_job_has(&supervisor->job, SANDBOX_WATCH) &&
        socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        note_set(why, "no socket: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    sandbox_watch_init(&supervisor->watch, &supervisor->job, ends[0]);
    supervisor->watch_end = ends[1];
    return ERR_NONE;
}

static enum err start(struct supervisor *supervisor, enum sandbox_feature *missing,
                      struct note *why)
{
    *missing = 0;
    /* A folder that stays may be used again, and its files then have to be the same user's. */
    bool is_temporary = !*supervisor->job.private_folder;
    supervisor->job.user = is_temporary && sandbox_job_has(&supervisor->job, SANDBOX_OTHER_USER)
                               ? sandbox_identity_claim()
                               : SANDBOX_USER;
    if (open_watch(supervisor, why)) {
        return ERR_ENVIRONMENT;
    }
    enum err err = sandbox_cgroup_create(&sandbox_cgroup_kernel, supervisor->job.features,
                                         &supervisor->job.limits, &supervisor->group, missing, why);
    if (err) {
        return err;
    }
    if (sandbox_job_has(&supervisor->job, SANDBOX_NAMESPACES)) {
        *missing = SANDBOX_NAMESPACES;
        return start_in_namespaces(supervisor, why);
    }
    if (!*supervisor->job.private_folder) {
        err = make_temporary_folder(supervisor, why);
    }
    return err ? err : start_plainly(supervisor, why);
}

static enum err open_child(struct supervisor *supervisor, struct note *why)
{
    supervisor->child_fd = pidfd_open(supervisor->child, 0);
    if (supervisor->child_fd < 0) {
        int error = errno;
        note_set(why, "cannot watch a process: %s", strerror(error));
        kill(supervisor->child, SIGKILL);
        waitpid(supervisor->child, NULL, 0);
        errno = error;
        return ERR_ENVIRONMENT;
    }
    return ERR_NONE;
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
    if (sandbox_job_has(&supervisor->job, SANDBOX_NAMESPACES)) {
        atomic_store(supervisor->is_stopped, stops);
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
    bool is_group = !sandbox_job_has(&supervisor->job, SANDBOX_NAMESPACES);
    if (!is_group || kill(-supervisor->child, signal) != 0) {
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

/* The file system does not limit a folder on a disk of the machine. */
static bool must_check_folder(const struct supervisor *supervisor)
{
    return supervisor->job.is_limited && *supervisor->job.private_folder &&
           !supervisor->is_overgrown;
}

/* Without a memory cgroup the kernel limits each process, not their sum. */
static bool must_check_memory(const struct supervisor *supervisor)
{
    return supervisor->job.is_limited &&
           !sandbox_job_has(&supervisor->job, SANDBOX_MEMORY_CGROUP) && !supervisor->is_starved;
}

/* Without a pids cgroup the kernel counts no refusals: what a look can show is that the limit is
 * reached. */
static bool must_count_processes(const struct supervisor *supervisor)
{
    return supervisor->job.is_limited && !sandbox_job_has(&supervisor->job, SANDBOX_PIDS_CGROUP) &&
           !supervisor->crowded_ms;
}

static void count_processes(struct supervisor *supervisor)
{
    if (must_count_processes(supervisor) &&
        process_tree_count_tasks(getpid()) >= supervisor->job.limits.processes) {
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

static void check_memory(struct supervisor *supervisor)
{
    if (must_check_memory(supervisor) &&
        process_storage_exceeds_memory(getpid(), supervisor->job.limits.memory_bytes,
                                       sandbox_job_has(&supervisor->job, SANDBOX_NAMESPACES))) {
        supervisor->is_starved = true;
        send_signal(supervisor, SIGKILL);
    }
}

static void check_folder(struct supervisor *supervisor)
{
    if (must_check_folder(supervisor) &&
        process_storage_exceeds_folder(supervisor->job.private_folder, getpid(),
                                       supervisor->job.limits.disk_bytes,
                                       supervisor->free_entries)) {
        supervisor->is_overgrown = true;
        send_signal(supervisor, SIGKILL);
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
        bool must_check = must_check_folder(supervisor) || must_check_memory(supervisor) ||
                          must_count_processes(supervisor);
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
            int64_t start_ns = clock_now_ns();
            check_folder(supervisor);
            check_memory(supervisor);
            count_processes(supervisor);
            int64_t end_ns = clock_now_ns();
            int64_t pause_ns = (end_ns - start_ns) * CHECK_SHARE;
            next_check_ns =
                end_ns +
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
            sandbox_watch_step(&supervisor->watch, sources[CALLS].revents, SANDBOX_CONTROL_FD);
        }
    }
    sandbox_watch_finish(&supervisor->watch, SANDBOX_CONTROL_FD);
}

static bool is_child_of(const char *process, pid_t parent)
{
    char path[64];
    char text[512];
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    (void)file_read_kernel(path, text, sizeof text);
    /* PID (NAME) STATE PARENT …, where NAME may contain any character. */
    const char *name_end = strrchr(text, ')');
    return name_end && strlen(name_end) > 4 && strtol(name_end + 4, NULL, 10) == parent;
}

static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    while (processes && (entry = readdir(processes))) {
        int64_t pid;
        if (!number_read(entry->d_name, "", 1, INT32_MAX, &pid, NULL) &&
            is_child_of(entry->d_name, getpid())) {
            kill((pid_t)pid, SIGKILL);
        }
    }
    if (processes) {
        closedir(processes);
    }
}

static bool has_children(void) { return waitpid(-1, NULL, WNOHANG) >= 0; }

/* The children of each process that dies become children of this one. */
static void kill_orphans(void)
{
    while (has_children()) {
        kill_children();
        waitpid(-1, NULL, 0);
    }
}

static int reap(const struct supervisor *supervisor)
{
    int status = 0;
    while (waitpid(supervisor->child, &status, 0) < 0 && errno == EINTR) {
    }
    if (supervisor->status >= 0) {
        /* A killed init reports nothing: then its status is taken for the program's. */
        int reported;
        if (read(supervisor->status, &reported, sizeof reported) == (ssize_t)sizeof reported) {
            status = reported;
        }
    } else {
        kill_orphans();
    }
    return status;
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
    if (!err) {
        err = open_child(supervisor, &why);
    }
    if (supervisor->watch_end >= 0) {
        close(supervisor->watch_end);
    }
    if (err) {
        sandbox_job_report_failure(SANDBOX_CONTROL_FD, missing, &why);
        clean_up(supervisor);
        return (int)err;
    }
    clean_up_after_signals();
    release_streams();
    if (supervisor->job.private_is_cwd) {
        supervisor->free_entries = process_storage_count_entries(supervisor->job.folder);
    }
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
    struct supervisor supervisor = {.status = -1, .watch_end = -1};
    if (!sandbox_job_read(argc, argv, &supervisor.job)) {
        _exit(ERR_INPUT);
    }
    fcntl(SANDBOX_CONTROL_FD, F_SETFD, FD_CLOEXEC);
    close_range(SANDBOX_CONTROL_FD + 1, ~0U, 0);
    _exit((int)supervise(&supervisor));
}
