/* Long because the start, the streams, the orders and the end of a process share one state. */
#include "sandbox/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "base/clock.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_programs.h"
#include "sandbox/process_tree.h"
#include "sandbox/process_time.h"
#include "sandbox/output_log.h"

enum {
    READ_BYTES = 32 * 1024, /* from one stream in one turn of the loop */
    LAST_READS = 64,        /* of that size, from a program that is gone */
    NO_HELPER = -1,         /* yet */
    LAST_REPORTS = 256,     /* of a helper that is gone */
};

/* What the loop watches; each has a descriptor of its own. */
enum process_watch { INPUT, OUTPUT, ERRORS, CONTROL, END, WATCHES };

struct process_backlog {
    char *bytes; /* PROCESS_BACKLOG_BYTES; NULL: it was never needed */
    size_t start;
    size_t end;
};

struct process {
    struct process_events events;
    struct process_exit exit;
    struct sandbox_limits limits;
    uv_poll_t watches[WATCHES];
    int fds[WATCHES]; /* -1: closed */
    uv_timer_t grace;
    int open_handles;
    pid_t helper;
    bool is_terminal;
    bool is_sandboxed;
    bool has_namespaces;
    bool has_failed; /* reported by the helper; `exit` has the reason */
    bool is_being_killed;
    bool has_exited;
    bool is_freed;
    enum process_pace pace;
    struct process_backlog backlog;
    struct output_log log;
    struct output_prompts prompts; /* of a program on a terminal */
    int64_t output_bytes;
    bool has_cpu_group;
    char time_file[PATH_MAX];   /* of its cgroup; "": not found yet */
    struct process_usage usage; /* without a cgroup */
    struct process_wait wait;
    int cpu; /* the only one that it may use; -1: any */
    int listener;
    int private_fd;
    char private_folder[PATH_MAX]; /* "": not known yet */
    char program[PATH_MAX];        /* the file that runs; "": not known */
    struct note sharing;           /* why it does not see all of its folder; "": it does */
};

static enum err refuse(struct note *why, const char *what, int error)
{
    note_set(why, "%s: %s", what, strerror(error));
    return ERR_ENVIRONMENT;
}

static void close_fd(int *fd)
{
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
}

/* --- The end of a process, and of its memory. --- */

static void free_if_done(struct process *process)
{
    if (process->open_handles > 0 || !process->is_freed) {
        return;
    }
    close_fd(&process->listener);
    close_fd(&process->private_fd);
    output_log_free(&process->log);
    free(process->backlog.bytes);
    free(process);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct process *process = handle->data;
    process->open_handles--;
    free_if_done(process);
}

/* A descriptor may be closed only after its handle has left the loop's poll set. */
static void close_watch(struct process *process, enum process_watch watch)
{
    uv_handle_t *handle = (uv_handle_t *)&process->watches[watch];
    bool is_watched = handle->data != NULL;
    if (process->fds[watch] >= 0 && is_watched) {
        uv_close(handle, on_handle_closed);
    }
    close_fd(&process->fds[watch]);
}

static void close_handles(struct process *process)
{
    for (enum process_watch watch = INPUT; watch < WATCHES; watch++) {
        close_watch(process, watch);
    }
    if (!uv_is_closing((uv_handle_t *)&process->grace)) {
        uv_close((uv_handle_t *)&process->grace, on_handle_closed);
    }
}

/* --- How it ended, in words. --- */

static void __attribute__((format(printf, 4, 5)))
set_end(struct process *process, enum process_end how, int code, const char *format, ...)
{
    va_list arguments;
    process->exit = (struct process_exit){.how = how, .code = code};
    va_start(arguments, format);
    (void)vsnprintf(process->exit.sentence, sizeof process->exit.sentence, format, arguments);
    va_end(arguments);
}

/* What was wrong with its file or its interpreter, if that is known. */
static bool explain_code(const struct process *process, int code, const char *log, struct note *why)
{
    bool is_unable = code == 126 || code == 127;
    return code != 0 &&
           (sandbox_programs_is_foreign(process->program, why) ||
            (is_unable && process->is_sandboxed &&
             sandbox_programs_lacks_interpreter(process->program, why)) ||
            sandbox_programs_lacks_module(process->program, log, process->sharing.text, why));
}

/* If it wrote that it could not open a file, what is hidden in its folder may be the reason. */
static void describe_code(struct process *process, int code)
{
    enum { ROOM = PROCESS_STDERR_BYTES + 256 };
    char *copy = malloc(ROOM);
    const char *log = copy ? copy : "";
    struct note why;
    (void)process_stderr(process, copy, copy ? ROOM : 0);
    if (explain_code(process, code, log, &why)) {
        set_end(process, PROCESS_EXITED, code, "it could not be run: %.230s", why.text);
    } else if (code == 126 || code == 127) {
        size_t length = strcspn(log, "\n");
        set_end(process, PROCESS_EXITED, code, "it could not be run%s%.*s (exit code %d)",
                length > 0 ? ": " : "", length < 160 ? (int)length : 160, log, code);
    } else {
        bool misses_file = strstr(log, strerror(ENOENT)) || strstr(log, strerror(EACCES));
        const char *sharing = code && misses_file ? process->sharing.text : "";
        set_end(process, PROCESS_EXITED, code, "it ended by itself with exit code %d%s%.250s", code,
                *sharing ? "; " : "", sharing);
    }
    free(copy);
}

static void describe_signal(struct process *process, int signal)
{
    if (signal == SIGSYS) { /* only for other processors' calls: sandbox_seccomp.h */
        set_end(process, PROCESS_SIGNALLED, signal,
                "it was killed: it made a 32-bit system call, and a sandbox runs 64-bit "
                "programs only; compile it for 64 bits (signal %d)",
                signal);
    } else if (signal == SIGXFSZ) {
        set_end(process, PROCESS_SIGNALLED, signal,
                "it was killed: a file grew beyond %" PRId64 " MiB",
                process->limits.disk_bytes >> 20);
    } else {
        set_end(process, PROCESS_SIGNALLED, signal, "it was killed by signal %d (%s)", signal,
                strsignal(signal));
    }
}

/* What the helper reports about an end that plum caused is ignored. */
static void note_end(struct process *process, const struct sandbox_job_report *report)
{
    if (process->is_being_killed || process->has_failed) {
        return;
    }
    if (report->kind == SANDBOX_STARVED) {
        set_end(process, PROCESS_OUT_OF_MEMORY, SIGKILL,
                "it was killed: it used more than %" PRId64 " MiB of memory",
                process->limits.memory_bytes >> 20);
    } else if (report->kind == SANDBOX_OVERGROWN) {
        set_end(process, PROCESS_OUT_OF_DISK, SIGKILL,
                "it was stopped: it wrote more than %" PRId64 " MiB of files",
                process->limits.disk_bytes >> 20);
    } else if (WIFSIGNALED(report->value)) {
        describe_signal(process, WTERMSIG(report->value));
    } else {
        describe_code(process, WEXITSTATUS(report->value));
    }
}

/* True: it is being killed now, and the caller sets its end. */
static bool stop(struct process *process)
{
    if (process->is_being_killed || process->has_exited) {
        return false;
    }
    process->is_being_killed = true;
    shutdown(process->fds[CONTROL], SHUT_WR);
    /* Without a sandbox a program can stop its supervisor. */
    kill(process->helper, SIGCONT);
    return true;
}

/* --- What it writes. --- */

static void count_output(struct process *process, size_t count)
{
    process->output_bytes += (int64_t)count;
    if (process->output_bytes > process->limits.output_bytes && stop(process)) {
        set_end(process, PROCESS_FLOODED, SIGKILL,
                "it was stopped: it wrote more than %" PRId64 " MiB of output",
                process->limits.output_bytes >> 20);
    }
}

/* On a terminal prompts go to stderr: each is kept once. */
static void keep_errors(struct process *process, const char *bytes, size_t count)
{
    if (process->is_terminal) {
        output_prompts_add(&process->prompts, bytes, count, &process->log);
    } else {
        output_log_add(&process->log, bytes, count);
    }
}

/* False when there is no more, for now or for good. */
static bool read_some(struct process *process, enum process_watch watch)
{
    char bytes[READ_BYTES];
    ssize_t count = read(process->fds[watch], bytes, sizeof bytes);
    if (count > 0) {
        count_output(process, (size_t)count);
        if (watch == ERRORS) {
            keep_errors(process, bytes, (size_t)count);
        } else if (process->events.on_output && process->exit.how != PROCESS_FLOODED) {
            process->events.on_output(process->events.owner, bytes, (size_t)count);
        }
        return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_watch(process, watch);
    }
    return false;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    struct process *process = poll->data;
    read_some(process, (enum process_watch)(poll - process->watches));
}

static void read_rest(struct process *process, enum process_watch watch)
{
    for (int i = 0; i < LAST_READS && process->fds[watch] >= 0; i++) {
        if (!read_some(process, watch)) {
            break;
        }
    }
}

/* --- What it is sent. --- */

static ssize_t write_some(struct process *process, const char *bytes, size_t count)
{
    ssize_t written;
    do {
        written = write(process->fds[INPUT], bytes, count);
    } while (written < 0 && errno == EINTR);
    return written < 0 && errno == EAGAIN ? 0 : written;
}

static bool keep(struct process *process, const char *bytes, size_t count)
{
    struct process_backlog *backlog = &process->backlog;
    size_t length = backlog->end - backlog->start;
    if (length + count > PROCESS_BACKLOG_BYTES) {
        return false;
    }
    if (!backlog->bytes && !(backlog->bytes = malloc(PROCESS_BACKLOG_BYTES))) {
        if (stop(process)) { /* nothing that its author could do about */
            set_end(process, PROCESS_NOT_STARTED, SIGKILL,
                    "no memory for what a program is sent: %s", strerror(ENOMEM));
            process->exit.is_ours = true;
        }
        return true;
    }
    if (backlog->end + count > PROCESS_BACKLOG_BYTES) {
        memmove(backlog->bytes, backlog->bytes + backlog->start, length);
        backlog->start = 0;
        backlog->end = length;
    }
    memcpy(backlog->bytes + backlog->end, bytes, count);
    backlog->end += count;
    return true;
}

static void on_writable(uv_poll_t *poll, int status, int events)
{
    (void)events;
    struct process *process = poll->data;
    struct process_backlog *backlog = &process->backlog;
    ssize_t written = status < 0 ? -1
                                 : write_some(process, backlog->bytes + backlog->start,
                                              backlog->end - backlog->start);
    if (written < 0) {
        close_watch(process, INPUT);
        return;
    }
    backlog->start += (size_t)written;
    if (backlog->start == backlog->end) {
        backlog->start = backlog->end = 0;
        uv_poll_stop(poll);
    }
}

bool process_write(struct process *process, const void *bytes, size_t count)
{
    const char *rest = bytes;
    ssize_t written = 0;
    if (process->fds[INPUT] < 0) {
        return false;
    }
    output_prompts_answer(&process->prompts, &process->log);
    bool was_waiting = process->backlog.end > process->backlog.start;
    if (!was_waiting) {
        written = write_some(process, rest, count);
        if (written < 0) {
            close_watch(process, INPUT);
            return false;
        }
    }
    if ((size_t)written == count) {
        return true;
    }
    if (!keep(process, rest + written, count - (size_t)written)) {
        return false;
    }
    return was_waiting || uv_poll_start(&process->watches[INPUT], UV_WRITABLE, on_writable) == 0;
}

/* --- What the helper reports. --- */

static void note_ready(struct process *process, const struct sandbox_job_report *report)
{
    process->private_fd = report->fds[0];
    process->listener = report->fd_count > 1 ? report->fds[1] : -1;
    if (!process->has_namespaces) { /* from now on the program can kill its supervisor */
        process->exit.is_ours = false;
    }
    if (!*process->private_folder) {
        snprintf(process->private_folder, sizeof process->private_folder, "/proc/self/fd/%d",
                 process->private_fd);
    }
    if (process->events.on_ready) {
        process->events.on_ready(process->events.owner);
    }
}

static void note_failure(struct process *process, const struct sandbox_job_report *report)
{
    process->has_failed = true;
    if (stop(process)) {
        set_end(process, PROCESS_NOT_STARTED, SIGKILL, "it could not be started: %s",
                report->note.text);
        process->exit.is_ours = err_is_shortage(report->error) || err_is_full_disk(report->error);
    }
}

static void take_report(struct process *process, const struct sandbox_job_report *report)
{
    switch (report->kind) {
    case SANDBOX_READY:
        note_ready(process, report);
        break;
    case SANDBOX_FAILED:
        note_failure(process, report);
        break;
    case SANDBOX_ENDED:
    case SANDBOX_STARVED:
    case SANDBOX_OVERGROWN:
        read_rest(process, ERRORS); /* its last words may be the reason */
        note_end(process, report);
        break;
    case SANDBOX_VIOLATION:
        if (process->events.on_violation) {
            process->events.on_violation(process->events.owner, &report->violation);
        }
        break;
    }
}

static void take_reports(struct process *process, int most)
{
    struct sandbox_job_report report;
    bool is_over = false;
    for (int i = 0; i < most && process->fds[CONTROL] >= 0 &&
                    sandbox_job_report_receive(process->fds[CONTROL], &report, &is_over);
         i++) {
        take_report(process, &report);
    }
    if (is_over) {
        uv_poll_stop(&process->watches[CONTROL]);
    }
}

static void on_report(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    take_reports(poll->data, 1);
}

/* The helper ends last of all: the program and all that it started are gone. */
static void on_end(uv_poll_t *poll, int status, int events)
{
    (void)status;
    (void)events;
    struct process *process = poll->data;
    while (waitpid(process->helper, NULL, 0) < 0 && errno == EINTR) {
    }
    take_reports(process, LAST_REPORTS);
    read_rest(process, OUTPUT);
    read_rest(process, ERRORS);
    process->has_exited = true;
    close_handles(process);
    if (process->events.on_exit) {
        process->events.on_exit(process->events.owner, &process->exit);
    }
}

/* --- Start. --- */

static const uv_poll_cb callbacks[WATCHES] = {
    [OUTPUT] = on_readable,
    [ERRORS] = on_readable,
    [CONTROL] = on_report,
    [END] = on_end,
};

static enum err watch(uv_loop_t *loop, struct process *process, enum process_watch watch,
                      struct note *why)
{
    uv_poll_t *poll = &process->watches[watch];
    int error = uv_poll_init(loop, poll, process->fds[watch]);
    if (!error) {
        poll->data = process;
        process->open_handles++;
        error = callbacks[watch] ? uv_poll_start(poll, UV_READABLE, callbacks[watch]) : 0;
    }
    return error ? refuse(why, "cannot watch a program", -error) : ERR_NONE;
}

static enum err open_pipe(int *ours, int *theirs, bool is_for_reading, struct note *why)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return refuse(why, "no pipe", errno);
    }
    *ours = ends[is_for_reading ? 0 : 1];
    *theirs = ends[is_for_reading ? 1 : 0];
    return ERR_NONE;
}

/* A terminal for each direction: with a common one the program's input would keep its output open,
 * and its end would not be seen. */
static enum err open_streams(struct process *process, int theirs[SANDBOX_JOB_STREAMS],
                             struct note *why)
{
    int *ours = process->fds;
    bool is_terminal = process->is_terminal;
    enum err err = is_terminal
                       ? sandbox_job_open_terminal(&ours[OUTPUT], &theirs[STDOUT_FILENO], why)
                       : open_pipe(&ours[OUTPUT], &theirs[STDOUT_FILENO], true, why);
    if (!err) {
        err = is_terminal ? sandbox_job_open_terminal(&ours[INPUT], &theirs[STDIN_FILENO], why)
                          : open_pipe(&ours[INPUT], &theirs[STDIN_FILENO], false, why);
    }
    return err ? err : open_pipe(&ours[ERRORS], &theirs[STDERR_FILENO], true, why);
}

static enum err make_absolute(const char *path, char out[PATH_MAX], struct note *why)
{
    char here[PATH_MAX] = "";
    if (*path != '/' && !getcwd(here, sizeof here)) {
        return refuse(why, "no current folder", errno);
    }
    int length = *path == '/'             ? snprintf(out, PATH_MAX, "%s", path)
                 : strcmp(path, ".") == 0 ? snprintf(out, PATH_MAX, "%s", here)
                                          : snprintf(out, PATH_MAX, "%s/%s", here, path);
    return length < PATH_MAX ? ERR_NONE : refuse(why, "the name of a folder", ENAMETOOLONG);
}

/* The helper is the only child that could have its number until we reap it. */
static enum err spawn(struct process *process, const struct process_spec *spec,
                      const int streams[SANDBOX_JOB_STREAMS], struct note *why)
{
    char folder[PATH_MAX];
    enum err err = make_absolute(spec->folder ? spec->folder : ".", folder, why);
    if (!err && spec->private_folder) {
        err = make_absolute(spec->private_folder, process->private_folder, why);
    }
    if (err) {
        return err;
    }
    if (!sandbox_programs_find_first(spec->command, folder, process->program)) {
        process->program[0] = '\0';
    }
    struct sandbox_job job = {
        .command = spec->command,
        .folder = folder,
        .private_folder = process->private_folder,
        .private_is_cwd = spec->private_is_cwd,
        .is_limited = process->is_sandboxed,
        .listen_port = spec->listen_port,
        .cpu = spec->cpu,
        .features = spec->sandbox->features,
        .limits = spec->sandbox->limits,
        .environment = spec->environment,
    };
    if (process->is_sandboxed) {
        job.rule = sandbox_folder_rule(spec->sandbox->neighbours, spec->command, folder);
    }
    if (job.rule.is_shared) {
        note_set(&process->sharing,
                 "it shares the folder %.120s and sees only the files there that its command "
                 "names; put it into a folder of its own",
                 folder);
    }
    err = sandbox_job_spawn(&job, spec->sandbox->helper_path, streams, &process->fds[CONTROL],
                            &process->helper, why);
    if (!err && (process->fds[END] = pidfd_open(process->helper, 0)) < 0) {
        err = refuse(why, "cannot watch a program", errno);
    }
    return err;
}

static void block_sigpipe(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static struct process *make(uv_loop_t *loop, const struct process_spec *spec,
                            const struct process_events *events)
{
    struct process *process = calloc(1, sizeof *process);
    if (!process) {
        return NULL;
    }
    process->events = *events;
    process->limits = spec->sandbox->limits;
    process->is_terminal = spec->wants_terminal;
    process->is_sandboxed = spec->sandbox->mode != SANDBOX_OFF;
    process->has_namespaces = spec->sandbox->features & SANDBOX_NAMESPACES;
    process->has_cpu_group = spec->sandbox->features & SANDBOX_CPU_CGROUP;
    set_end(process, PROCESS_NOT_STARTED, 0, "its supervisor died");
    process->exit.is_ours = true;
    for (enum process_watch watch = INPUT; watch < WATCHES; watch++) {
        process->fds[watch] = -1;
    }
    process->listener = -1;
    process->private_fd = -1;
    process->cpu = spec->cpu;
    process_wait_begin(&process->wait, NO_HELPER, 0, clock_now_ns());
    uv_timer_init(loop, &process->grace);
    process->grace.data = process;
    process->open_handles = 1;
    return process;
}

enum err process_start(uv_loop_t *loop, const struct process_spec *spec,
                       const struct process_events *events, struct process **out, struct note *why)
{
    int streams[SANDBOX_JOB_STREAMS] = {-1, -1, -1};
    struct process *process = make(loop, spec, events);
    if (!process) {
        return refuse(why, "no process", ENOMEM);
    }
    block_sigpipe();
    enum err err = open_streams(process, streams, why);
    if (!err) {
        err = spawn(process, spec, streams, why);
    }
    for (enum process_watch w = INPUT; w < WATCHES && !err; w++) {
        err = watch(loop, process, w, why);
    }
    for (int i = 0; i < SANDBOX_JOB_STREAMS; i++) {
        close_fd(&streams[i]);
    }
    if (err) {
        if (process->helper > 0) {
            shutdown(process->fds[CONTROL], SHUT_WR);
            waitpid(process->helper, NULL, 0);
        }
        process->is_freed = true;
        close_handles(process);
        return err;
    }
    *out = process;
    return ERR_NONE;
}

int process_take_listener(struct process *process)
{
    int listener = process->listener;
    process->listener = -1;
    return listener;
}

const char *process_private_folder(const struct process *process)
{
    return *process->private_folder ? process->private_folder : NULL;
}

static void send_order(struct process *process, enum sandbox_order order)
{
    const char byte = (char)order;
    (void)send(process->fds[CONTROL], &byte, sizeof byte, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void process_set_pace(struct process *process, enum process_pace pace)
{
    static const enum sandbox_order orders[] = {[PROCESS_RUNS] = SANDBOX_CONTINUE,
                                                [PROCESS_YIELDS] = SANDBOX_YIELD,
                                                [PROCESS_FROZEN] = SANDBOX_FREEZE};
    if (process->pace != pace && !process->has_exited && !process->is_being_killed) {
        process->pace = pace;
        send_order(process, orders[pace]);
    }
}

void process_kill(struct process *process)
{
    if (stop(process)) {
        set_end(process, PROCESS_KILLED, SIGKILL, "it was stopped");
    }
}

static void on_grace_over(uv_timer_t *timer) { process_kill(timer->data); }

void process_quit(struct process *process, int grace_ms)
{
    static const char end = SANDBOX_JOB_TERMINAL_END;
    if (process->has_exited || process->is_being_killed) {
        return;
    }
    if (process->is_terminal) {
        (void)process_write(process, &end, sizeof end);
    } else {
        close_watch(process, INPUT);
    }
    process->pace = PROCESS_RUNS;
    send_order(process, SANDBOX_TERMINATE);
    uv_update_time(process->grace.loop); /* the grace begins now, not when the loop last looked */
    uv_timer_start(&process->grace, on_grace_over, (uint64_t)grace_ms, 0);
}

/* The helper makes the group. */
static int64_t group_used_ns(struct process *process)
{
    if (!*process->time_file &&
        !sandbox_cgroup_find_time(&sandbox_cgroup_kernel, process->helper, process->time_file)) {
        process->time_file[0] = '\0';
        return -1;
    }
    return sandbox_cgroup_used_ns(process->time_file);
}

int64_t process_used_ns(struct process *process)
{
    if (process->has_exited) {
        return -1;
    }
    return process->has_cpu_group
               ? group_used_ns(process)
               : process_usage_look(&process->usage, process->helper, clock_now_ns());
}

/* Until there is a group, or a child, only the helper has run. */
static int64_t used_so_far_ns(struct process *process)
{
    int64_t used_ns = process_used_ns(process);
    return used_ns > 0 ? used_ns : 0;
}

void process_begin_wait(struct process *process)
{
    process_wait_begin(&process->wait, process->helper, used_so_far_ns(process), clock_now_ns());
}

int64_t process_waited_ns(struct process *process)
{
    if (process->has_exited) {
        return 0;
    }
    process_wait_look(&process->wait, process->helper, process->cpu, clock_now_ns());
    return process_wait_ns(&process->wait, used_so_far_ns(process));
}

bool process_has_socket(const struct process *process, uint64_t inode)
{
    return !process->has_exited && process_tree_holds_socket(process->helper, inode);
}

int64_t process_output_bytes(const struct process *process) { return process->output_bytes; }

bool process_has_closed_output(const struct process *process) { return process->fds[OUTPUT] < 0; }

size_t process_stderr(struct process *process, char *out, size_t room)
{
    output_prompts_flush(&process->prompts, &process->log);
    return output_log_copy(&process->log, out, room);
}

size_t process_stderr_so_far(const struct process *process, char *out, size_t room)
{
    return output_log_copy(&process->log, out, room);
}

void process_free(struct process *process)
{
    if (!process || process->is_freed) {
        return;
    }
    process->is_freed = true;
    process->events = (struct process_events){0};
    process_kill(process);
    free_if_done(process);
}
