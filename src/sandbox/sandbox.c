#include "sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "base/folder.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_identity.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_programs.h"

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
static bool await_verdict(int control, struct sandbox_job_report *out)
{
    struct pollfd source = {.fd = control, .events = POLLIN};
    bool is_over = false;
    while (!is_over && poll(&source, 1, PROBE_LIMIT_MS) != 0) {
        while (sandbox_job_report_receive(control, out, &is_over)) {
            while (out->fd_count > 0) {
                close(out->fds[--out->fd_count]);
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
                        struct sandbox_job_report *out, struct note *why)
{
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    int streams[SANDBOX_JOB_STREAMS] = {nothing, nothing, nothing};
    int control;
    pid_t pid;
    if (nothing < 0) {
        return sandbox_job_report_errno(why, "cannot open /dev/null");
    }
    enum err err = sandbox_job_spawn(job, sandbox->helper_path, streams, &control, &pid, why);
    close(nothing);
    if (err) {
        return err;
    }
    if (!await_verdict(control, out)) {
        note_set(why, "the sandbox helper gave no answer");
        err = ERR_ENVIRONMENT;
    }
    close(control);
    waitpid(pid, NULL, 0);
    return err;
}

/* Runs `true` in a sandbox with the given features. */
static enum err try(const struct sandbox *sandbox, unsigned features,
                    struct sandbox_job_report *out, struct note *why)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", NULL};
    struct sandbox_job job = {
        .command = "true",
        .folder = "/",
        .private_folder = "",
        .is_limited = true,
        .cpu = -1,
        .features = features,
        .limits = sandbox->limits,
        .environment = environment,
    };
    return run_job(sandbox, &job, out, why);
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
        struct sandbox_job_report report;
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
        .rule = sandbox_folder_rule(sandbox->neighbours, command, folder),
        .features = sandbox->features,
        .limits = sandbox->limits,
    };
    struct sandbox_job_report report;
    enum err err = sandbox->mode == SANDBOX_OFF ? ERR_NONE : check_links(command, folder, why);
    if (err || !(sandbox->features & SANDBOX_OTHER_USER)) {
        return err;
    }
    err = run_job(sandbox, &job, &report, why);
    if (!err && report.kind == SANDBOX_FAILED) {
        *why = report.note;
        err = ERR_ENVIRONMENT;
    }
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

/* --- Guarantees --- */

#define CGROUP_ADVICE \
    "run plum as root, or in a cgroup of your own: systemd-run --user --scope plum ..."

const struct sandbox_offer sandbox_offers[] = {
    {SANDBOX_NAMESPACES, "namespaces", "its own files, processes and network",
     "run plum as root, or allow user namespaces (sysctl user.max_user_namespaces, "
     "kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns); start a "
     "container with --cap-add SYS_ADMIN --security-opt seccomp=unconfined"},
    {SANDBOX_FRESH_PROC, "proc", "a /proc with its own processes only",
     "start a container with --security-opt systempaths=unconfined"},
    {SANDBOX_OTHER_USER, "other-user", "each agent is a user of its own",
     "run plum as root, with the capabilities SETUID and SETGID"},
    {SANDBOX_SECCOMP, "seccomp", "system calls are filtered",
     "use a kernel with CONFIG_SECCOMP_FILTER"},
    {SANDBOX_LANDLOCK, "landlock", "files by rule",
     "use Linux 5.13 or later, and name landlock in the kernel's option lsm="},
    {SANDBOX_MEMORY_CGROUP, "memory-cgroup", "the kernel limits the memory of all processes",
     CGROUP_ADVICE},
    {SANDBOX_PIDS_CGROUP, "pids-cgroup", "the kernel limits the number of processes",
     CGROUP_ADVICE},
    {SANDBOX_CPU_CGROUP, "cpu-cgroup", "each agent has the same share of the processors",
     CGROUP_ADVICE},
    {SANDBOX_AUTOGROUP, "autogroup", "without a cpu cgroup, Linux shares the processors by session",
     "only without cpu-cgroup: sysctl kernel.sched_autogroup_enabled=1; it has no effect in a "
     "cpu cgroup, which is where systemd puts services and containers"},
    {SANDBOX_FREEZER_CGROUP, "freezer-cgroup", "an agent does not notice that it was frozen",
     CGROUP_ADVICE "; without it SIGSTOP freezes an agent"},
    {SANDBOX_WATCH, "recording", "what an agent tries in vain is recorded",
     "use Linux 5.19 or later"},
};

const size_t sandbox_offer_count = sizeof sandbox_offers / sizeof sandbox_offers[0];

enum { LANDLOCK_PORTS = 4, LANDLOCK_SIGNALS = 6 };

const struct sandbox_guarantee sandbox_guarantees[] = {
    {.name = "read-files",
     .sentence = "cannot read files outside the system and its own folder",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_LANDLOCK}},
    {.name = "read-root-files",
     .sentence = "started by root cannot read what only root can read, even in its own folder",
     .upheld_by = {SANDBOX_OTHER_USER}},
    {.name = "shared-folder",
     .sentence = "cannot read files of other programs in a folder that it shares with them",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_LANDLOCK}},
    {.name = "databases",
     .sentence = "cannot read the database of a tournament, even in its own folder",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_LANDLOCK, SANDBOX_OTHER_USER}},
    {.name = "compiler",
     .sentence = "cannot make the compiler of its source read files outside its folder",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_LANDLOCK}},
    {.name = "stat-files",
     .sentence = "cannot find out which files of others exist, their sizes and times",
     .upheld_by = {SANDBOX_NAMESPACES}},
    {.name = "write-files",
     .sentence = "cannot change files outside its temporary folders",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_SECCOMP | SANDBOX_LANDLOCK}},
    {.name = "file-attributes",
     .sentence = "cannot change the rights and times of files outside its temporary folders",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_OTHER_USER, SANDBOX_SECCOMP}},
    {.name = "file-locks",
     .sentence = "cannot see the locks of others on files of the system",
     .upheld_by = {SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC | SANDBOX_SECCOMP}},
    {.name = "list-processes",
     .sentence = "cannot see other processes",
     .upheld_by = {SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC}},
    {.name = "read-processes",
     .sentence = "cannot read the environment or memory of other processes",
     .upheld_by = {SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC, SANDBOX_LANDLOCK, SANDBOX_OTHER_USER}},
    {.name = "signal",
     .sentence = "cannot send signals to other processes",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_OTHER_USER, SANDBOX_LANDLOCK},
     .landlock_version = LANDLOCK_SIGNALS},
    {.name = "priorities",
     .sentence = "cannot change the limits and priorities of other processes",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_OTHER_USER, SANDBOX_SECCOMP}},
    {.name = "network",
     .sentence = "cannot reach the network, this machine or other agents, but for its game",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_SECCOMP | SANDBOX_LANDLOCK},
     .landlock_version = LANDLOCK_PORTS},
    {.name = "game-port",
     .sentence = "cannot reach a server of this machine at the port of its game",
     .upheld_by = {SANDBOX_NAMESPACES}},
    {.name = "impersonation",
     .sentence = "cannot connect to the judge as another agent, with its team number",
     .is_always_held = true},
    {.name = "system-calls",
     .sentence = "cannot use system calls that change the machine or trace processes",
     .upheld_by = {SANDBOX_SECCOMP}},
    {.name = "shared-memory",
     .sentence = "cannot use System V shared memory, queues and semaphores of others",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_SECCOMP}},
    {.name = "set-user-id", .sentence = "cannot get more rights from a set-user-id program"},
    {.name = "processor",
     .sentence = "cannot leave the processor that it was given",
     .upheld_by = {SANDBOX_SECCOMP}},
    {.name = "processor-share",
     .sentence = "cannot get a larger share of the processors by more processes",
     .upheld_by = {SANDBOX_CPU_CGROUP, SANDBOX_AUTOGROUP | SANDBOX_SECCOMP}},
    {.name = "recording",
     .sentence = "is recorded when it tries one of these things, with some exceptions",
     .upheld_by = {SANDBOX_WATCH}},
    {.name = "time-limit", .sentence = "cannot exceed its time limit without a fault"},
    {.name = "judge-delay", .sentence = "cannot delay the judge or another game"},
    {.name = "environment", .sentence = "cannot read your environment variables"},
    {.name = "memory", .sentence = "cannot use more memory than its limit"},
    {.name = "processes", .sentence = "cannot have more processes than its limit"},
    {.name = "open-files", .sentence = "cannot open more files than its limit"},
    {.name = "stack", .sentence = "cannot use more stack than its limit"},
    {.name = "pending-signals", .sentence = "cannot queue more signals than its limit"},
    {.name = "inotify",
     .sentence = "cannot use up the inotify instances of others",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_SECCOMP}},
    {.name = "disk", .sentence = "cannot store more than its limit"},
    {.name = "output", .sentence = "cannot write more output than its limit"},
    {.name = "core-dumps", .sentence = "cannot leave a core dump"},
    {.name = "pondering",
     .sentence = "cannot compute while it is frozen: until its next turn",
     .upheld_by = {SANDBOX_FREEZER_CGROUP, SANDBOX_SECCOMP}},
    {.name = "daemons", .sentence = "cannot leave a process behind"},
};

const size_t sandbox_guarantee_count = sizeof sandbox_guarantees / sizeof sandbox_guarantees[0];

/* Landlock has learned with time: an older version does less. */
static bool is_too_old(const struct sandbox_guarantee *guarantee, unsigned set,
                       int landlock_version)
{
    return (set & SANDBOX_LANDLOCK) && landlock_version < guarantee->landlock_version;
}

bool sandbox_guarantee_is_held(const struct sandbox_guarantee *guarantee,
                               const struct sandbox *sandbox, int landlock_version)
{
    if (sandbox->mode == SANDBOX_OFF) {
        return guarantee->is_always_held;
    }
    if (!guarantee->upheld_by[0]) {
        return true;
    }
    for (int i = 0; i < SANDBOX_ALTERNATIVES && guarantee->upheld_by[i]; i++) {
        unsigned set = guarantee->upheld_by[i];
        if ((sandbox->features & set) == set && !is_too_old(guarantee, set, landlock_version)) {
            return true;
        }
    }
    return false;
}

void sandbox_guarantee_levels(const struct sandbox *here, struct sandbox out[SANDBOX_LEVELS])
{
    const unsigned namespaces = SANDBOX_NAMESPACES | SANDBOX_FRESH_PROC;
    for (int i = 0; i < SANDBOX_LEVELS; i++) {
        out[i] = *here;
    }
    out[0].features |= namespaces | SANDBOX_SECCOMP | SANDBOX_MEMORY_CGROUP | SANDBOX_PIDS_CGROUP;
    out[1].features = out[0].features & ~(unsigned)SANDBOX_CGROUPS;
    out[2].features &= ~namespaces;
    out[3] = (struct sandbox){
        .mode = SANDBOX_OFF, .limits = here->limits, .helper_path = here->helper_path};
}
