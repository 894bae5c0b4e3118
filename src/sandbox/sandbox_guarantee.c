#include "sandbox/sandbox_guarantee.h"

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

enum { LANDLOCK_SIGNALS = 6 };

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
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_LANDLOCK}},
    {.name = "file-attributes",
     .sentence = "cannot change the rights and times of files outside its temporary folders",
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_OTHER_USER, SANDBOX_SECCOMP}},
    {.name = "file-locks",
     .sentence = "cannot see the locks of others on files of the system",
     .upheld_by = {SANDBOX_SECCOMP}},
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
     .upheld_by = {SANDBOX_NAMESPACES, SANDBOX_SECCOMP}},
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

/* Landlock has learned with time: an older version alone does less. */
static bool is_too_old(const struct sandbox_guarantee *guarantee, unsigned set,
                       int landlock_version)
{
    return set == SANDBOX_LANDLOCK && landlock_version < guarantee->landlock_version;
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
