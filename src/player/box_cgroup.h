/* box_cgroup: one memory limit and one process limit for all that a player starts.
 *
 * Works with cgroups of version 1 (a hierarchy for memory, one for pids) and version 2
 * (one for both), wherever this user may make a group near its own.
 */
#ifndef PLAYER_BOX_CGROUP_H
#define PLAYER_BOX_CGROUP_H

#include <limits.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "player/box.h"

enum { BOX_CGROUP_FOLDERS = 2, BOX_CGROUP_NAME_BYTES = 80 };

/* Where the kernel shows its cgroups; tests have their own. */
struct box_cgroup_system {
    const char *membership; /* /proc/self/cgroup */
    const char *root;       /* /sys/fs/cgroup */
};

extern const struct box_cgroup_system box_cgroup_kernel;

/* A zeroed struct is no group. */
struct box_cgroup {
    char folders[BOX_CGROUP_FOLDERS]
                [PATH_MAX]; /* the memory group and, in version 1, the pids group */
};

/* Makes a group with these limits for one of `features`, BOX_MEMORY_CGROUP or BOX_PIDS_CGROUP,
 * or both. On failure nothing is left behind, and *missing is the one that cannot be had. */
MUST_USE enum err box_cgroup_create(const struct box_cgroup_system *system, unsigned features,
                                    const struct box_limits *limits, struct box_cgroup *out,
                                    enum box_feature *missing, struct note *why);

/* The name of the calling process's group: plum-JUDGE-NAMESPACE-MAKER, where JUDGE and MAKER are
 * the process numbers of its parent and its own, and NAMESPACE is the one they come from. */
void box_cgroup_name(char out[BOX_CGROUP_NAME_BYTES]);

/* The calling process becomes a member. */
MUST_USE enum err box_cgroup_join(const struct box_cgroup *group, struct note *why);

/* Was one of its processes killed because the memory limit was reached? */
bool box_cgroup_was_starved(const struct box_cgroup *group);

/* When all members are gone. */
void box_cgroup_remove(struct box_cgroup *group);

/* Removes the empty groups of those who died before they could, in this process namespace. */
void box_cgroup_sweep(const struct box_cgroup_system *system);

#endif
