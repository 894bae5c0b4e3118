#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "base/err.h"
#include "base/folder.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_neighbours.h"
#include "sandbox/sandbox_programs.h"
#include "sandbox/sandbox_report.h"

enum { PROBE_LIMIT_MS = 20000 };

static const unsigned cgroups = SANDBOX_MEMORY_CGROUP | SANDBOX_PIDS_CGROUP;
static const unsigned required = SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC | SANDBOX_SECCOMP;
static const unsigned replaceable = SANDBOX_CPU_CGROUP | SANDBOX_FREEZER_CGROUP;

struct sandbox_limits sandbox_limits_default(void)
{
    return (struct sandbox_limits){
        .memory_bytes = INT64_C(2) << 30,
        .disk_bytes = INT64_C(64) << 20,
        .output_bytes = INT64_C(64) << 20,
        .processes = 256,
        .open_files = 1024,
        .stack_bytes = INT64_C(64) << 20,
        .pending_signals = 1024,
        .inotify_instances = 4,
    };
}

enum err sandbox_limits_read_memory(const char *text, const char *what, int64_t *out,
                                    struct note *why)
{
    return number_read_size(text, what, INT64_C(16) << 20, INT64_C(1024) << 30, out, why);
}

/* What to try: only root can become another user. */
static unsigned wanted_features(void)
{
    unsigned wanted = required | SANDBOX_LANDLOCK | SANDBOX_WATCH | cgroups | replaceable;
    return geteuid() == 0 ? wanted | SANDBOX_OTHER_USER : wanted;
}

/* Waits for the first report, which has the result. */
static bool await_verdict(int control, struct sandbox_report *out)
{
    struct pollfd source = {.fd = control, .events = POLLIN};
    bool is_over = false;
    while (!is_over && poll(&source, 1, PROBE_LIMIT_MS) != 0) {
        while (sandbox_report_receive(control, out, &is_over)) {
            if (out->folder >= 0) {
                close(out->folder);
            }
            if (out->kind != SANDBOX_READY && out->kind != SANDBOX_VIOLATION) {
                return true;
            }
        }
    }
    return false;
}

/* Runs a job without streams to its end. */
static enum err run_job(const struct sandbox *sandbox, const struct sandbox_job *job,
                        char *const environment[], struct sandbox_report *out, struct note *why)
{
    int control[2];
    pid_t pid = 0;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control) != 0) {
        note_set(why, "no socket for the sandbox: %s", strerror(errno));
        return ERR_ENVIRONMENT;
    }
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int streams[SANDBOX_JOB_STREAMS] = {nothing, nothing, nothing};
    enum err err = ERR_ENVIRONMENT;
    if (nothing < 0) {
        note_set(why, "cannot open /dev/null: %s", strerror(errno));
    } else {
        err = sandbox_job_spawn(job, sandbox->helper_path, environment, streams, control[1], &pid,
                                why);
        close(nothing);
    }
    close(control[1]);
    if (!err && !await_verdict(control[0], out)) {
        note_set(why, "the sandbox helper gave no answer");
        err = ERR_ENVIRONMENT;
    }
    close(control[0]);
    if (pid > 0) {
        waitpid(pid, NULL, 0);
    }
    return err;
}

/* Runs `true` in a sandbox with the given features. */
static enum err try(const struct sandbox *sandbox, unsigned features, struct sandbox_report *out,
                    struct note *why)
{
    static char *const no_environment[] = {(char *)"PATH=/usr/bin:/bin", NULL};
    struct sandbox_job job = {
        .command = "true",
        .folder = "/",
        .private_folder = "",
        .is_limited = true,
        .cpu = -1,
        .features = features,
        .limits = sandbox->limits,
    };
    return run_job(sandbox, &job, no_environment, out, why);
}

static void append(struct note *list, const char *reason)
{
    size_t length = strlen(list->text);
    if (*reason) {
        snprintf(list->text + length, sizeof list->text - length, "%s%.220s", length ? "; " : "",
                 reason);
    }
}

/* Each attempt that fails names what it could not have; the next one does without. What this
 * machine has run out of for the moment is not missing: less of a sandbox must not come from that.
 */
static enum err find_features(struct sandbox *sandbox, struct note *reasons, struct note *why)
{
    unsigned features = wanted_features();
    for (;;) {
        struct sandbox_report report;
        enum err err = try(sandbox, features, &report, why);
        if (err) {
            return err;
        }
        if (report.kind == SANDBOX_ENDED && report.value == 0) {
            /* Only now: the attempts may have made the group that plum is in a cpu group. */
            sandbox->features =
                features |
                (sandbox_cgroup_has_autogroup(&sandbox_cgroup_kernel) ? SANDBOX_AUTOGROUP : 0);
            return ERR_NONE;
        }
        unsigned missing = features & (unsigned)report.value;
        if (report.kind == SANDBOX_FAILED && err_is_shortage(report.error)) {
            note_set(why, "cannot find out what sandbox there is: %.200s", report.note.text);
            return ERR_ENVIRONMENT;
        }
        if (report.kind != SANDBOX_FAILED || !missing) {
            note_set(why, "the sandbox does not work: %.200s",
                     report.kind == SANDBOX_FAILED ? report.note.text
                                                   : "a program did not run in it");
            return ERR_ENVIRONMENT;
        }
        const char *setting = (missing & SANDBOX_NAMESPACES) && geteuid() != 0
                                  ? sandbox_identity_setting("/proc")
                                  : NULL;
        if (missing & ~replaceable) {
            append(reasons, setting ? setting : report.note.text);
        }
        features &= ~missing;
        if (!(features & SANDBOX_NAMESPACES)) {
            features &= ~(unsigned)SANDBOX_FRESH_PROC;
        }
        if (!(features & SANDBOX_SECCOMP)) {
            features &= ~(unsigned)SANDBOX_WATCH;
        }
    }
}

enum err sandbox_probe(enum sandbox_mode mode, const struct sandbox_limits *limits,
                       const char *helper_path, struct sandbox *out, struct note *missing)
{
    struct sandbox sandbox = {
        .mode = mode,
        .limits = *limits,
        .helper_path = helper_path,
    };
    struct note reasons = {""};
    if (mode != SANDBOX_OFF) {
        sandbox_cgroup_sweep(&sandbox_cgroup_kernel);
        folder_scratch_sweep("/tmp");
        enum err err = find_features(&sandbox, &reasons, missing);
        if (err) {
            return err;
        }
    }
    if (mode == SANDBOX_STRICT && (sandbox.features & required) != required) {
        note_set(missing, "a strict sandbox is not possible here: %.330s", reasons.text);
        return ERR_ENVIRONMENT;
    }
    if (missing) {
        *missing = reasons;
    }
    *out = sandbox;
    return ERR_NONE;
}

static enum err check_links(const char *command, const char *folder, struct note *why)
{
    struct sandbox_programs programs;
    enum err err = ERR_NONE;
    sandbox_programs_find(command, folder, getenv("PATH"), &programs);
    if (*programs.refusal.text) {
        *why = programs.refusal;
        err = ERR_INPUT;
    }
    sandbox_programs_free(&programs);
    return err;
}

enum err sandbox_rehearse(const struct sandbox *sandbox, const char *command, const char *folder,
                          struct note *why)
{
    struct sandbox_job job = {
        .command = command,
        .folder = folder,
        .private_folder = "",
        .is_limited = true,
        .is_rehearsal = true,
        .cpu = -1,
        .features = sandbox->features,
        .limits = sandbox->limits,
    };
    struct sandbox_report report;
    enum err err = sandbox->mode == SANDBOX_OFF ? ERR_NONE : check_links(command, folder, why);
    if (err || !(sandbox->features & SANDBOX_OTHER_USER)) {
        return err;
    }
    err = sandbox_neighbours_rule(sandbox->neighbours, command, folder, &job.rule, why);
    if (err) {
        return err;
    }
    char **environment = sandbox_job_environment(true, NULL);
    if (!environment) {
        note_set(why, "no memory");
        return ERR_ENVIRONMENT;
    }
    err = run_job(sandbox, &job, environment, &report, why);
    if (!err && report.kind == SANDBOX_FAILED) {
        *why = report.note;
        err = ERR_ENVIRONMENT;
    }
    sandbox_job_free_environment(environment);
    return err;
}

const char *sandbox_level(const struct sandbox *sandbox)
{
    if (sandbox->mode == SANDBOX_OFF) {
        return "off";
    }
    if ((sandbox->features & required) != required) {
        return "partial";
    }
    return (sandbox->features & cgroups) == cgroups ? "strict" : "strict without cgroups";
}
