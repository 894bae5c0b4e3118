/* sandbox_cgroup: one memory limit, one process limit and one share of the processors for all that
 * a player starts, and a way to stop all of it.
 *
 * Works with cgroups of version 1 (a hierarchy for each controller) and version 2 (one for all),
 * wherever this user may make a group near its own.
 */
#ifndef SANDBOX_SANDBOX_CGROUP_H
#define SANDBOX_SANDBOX_CGROUP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/note.h"
#include "sandbox/sandbox.h"

enum { SANDBOX_CGROUP_FOLDERS = 5, SANDBOX_CGROUP_NAME_BYTES = 80 };

/* Where the kernel shows its cgroups; tests have their own. */
struct sandbox_cgroup_system {
    const char *membership; /* /proc/self/cgroup */
    const char *root;       /* /sys/fs/cgroup */
    const char *autogroup;  /* /proc/sys/kernel/sched_autogroup_enabled */
};

extern const struct sandbox_cgroup_system sandbox_cgroup_kernel;

/* A zeroed struct is not a group. */
struct sandbox_cgroup {
    /* Of memory, pids, cpu, freezer and cpuacct; "": not asked for. In version 2 they are the
     * same. */
    char folders[SANDBOX_CGROUP_FOLDERS][PATH_MAX];
};

/* Makes a group with these limits for those of `features` that are a cgroup. Its share of the
 * processors is that of every other group. On failure nothing is left behind, and *missing is the
 * one that cannot be had. */
MUST_USE enum err sandbox_cgroup_create(const struct sandbox_cgroup_system *system,
                                        unsigned features, const struct sandbox_limits *limits,
                                        struct sandbox_cgroup *out, enum sandbox_feature *missing,
                                        struct note *why);

/* The name of the calling process's group: plum-JUDGE-NAMESPACE-MAKER, where JUDGE and MAKER are
 * the process numbers of its parent and its own, and NAMESPACE is the one they come from. */
void sandbox_cgroup_name(char out[SANDBOX_CGROUP_NAME_BYTES]);

/* The calling process becomes a member. */
MUST_USE enum err sandbox_cgroup_join(const struct sandbox_cgroup *group, struct note *why);

/* Was one of its processes killed because the memory limit was reached? */
bool sandbox_cgroup_was_starved(const struct sandbox_cgroup *group);

/* How often one of its processes could not start another because of the limit; 0: not known. */
int64_t sandbox_cgroup_refused_processes(const struct sandbox_cgroup *group);

/* Stops its processes where they are, or lets them continue. They do not notice. False: this group
 * cannot be frozen. In version 1 a frozen process that is killed ends when it may continue. */
bool sandbox_cgroup_freeze(const struct sandbox_cgroup *group, bool is_frozen);

/* Gives it the smallest share of the processors, or again an equal one. False: it has no share. */
bool sandbox_cgroup_yield(const struct sandbox_cgroup *group, bool yields);

/* Does the kernel share the processors between sessions, where this process is now? Only outside of
 * cpu cgroups: see sched(7). */
bool sandbox_cgroup_has_autogroup(const struct sandbox_cgroup_system *system);

/* The file with the processor time of the group that `maker`, a child of the calling process, has
 * made. False: there is none yet, or none with SANDBOX_CPU_CGROUP. */
bool sandbox_cgroup_find_time(const struct sandbox_cgroup_system *system, pid_t maker,
                              char out[PATH_MAX]);

/* What its members have used, also those that have ended; -1: the file is gone. */
int64_t sandbox_cgroup_used_ns(const char *path);

/* When all members are gone. */
void sandbox_cgroup_remove(struct sandbox_cgroup *group);

/* Removes the empty groups of those who died before they could, in this process namespace. The
 * frozen ones may continue, which ends them. */
void sandbox_cgroup_sweep(const struct sandbox_cgroup_system *system);

#endif
