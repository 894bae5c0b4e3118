/* sandbox_view: the files that a sandboxed program sees, and nothing else.
 *
 * The root is a small memory file system of its own, read-only but for three folders:
 * SANDBOX_VIEW_PRIVATE, /tmp and /dev/shm, which share one size limit. The system and the
 * interpreters that a program needs are mounted into it, read-only, under the paths they have
 * outside; so is a private folder, writable. The program's folder is made anew, with a mount for
 * each entry that it may see. /etc is made up.
 *
 * In a new mount namespace, in this order: collect, enter, mount_proc, pivot.
 */
#ifndef SANDBOX_SANDBOX_VIEW_H
#define SANDBOX_SANDBOX_VIEW_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/note.h"
#include "sandbox/sandbox_folder.h"
#include "sandbox/sandbox_programs.h"

#define SANDBOX_VIEW_PRIVATE "/private"

enum {
    SANDBOX_VIEW_MAX = SANDBOX_PROGRAMS_MAX + 32,
    SANDBOX_VIEW_INODES = 16384, /* files, folders and links that it may make */
};

/* One thing to be mounted: a tree of mounts that hangs nowhere yet. */
struct sandbox_view_item {
    int tree;
    const char *target;                   /* borrowed */
    const struct sandbox_folder *entries; /* of a folder: what is shown of it; NULL: everything */
};

/* Of borrowed strings. A zeroed struct is empty. */
struct sandbox_view {
    struct sandbox_view_item items[SANDBOX_VIEW_MAX];
    int count;
};

struct sandbox_view_spec {
    const char *folder;
    const struct sandbox_folder *entries; /* what is shown of it */
    const char *private_folder;           /* "": SANDBOX_VIEW_PRIVATE */
    const struct sandbox_programs *programs;
    int64_t disk_bytes;
    bool is_root; /* the user inside will be another: give him what is his */
    uid_t user;   /* who will own the writable folders then */
};

/* Opens all that will be seen. The descriptors go with the process. */
MUST_USE enum err sandbox_view_collect(struct sandbox_view *view,
                                       const struct sandbox_view_spec *spec, struct note *why);

/* Makes the root, with all of it in place, and steps into it. The old root is still in sight. */
MUST_USE enum err sandbox_view_enter(const struct sandbox_view *view,
                                     const struct sandbox_view_spec *spec, struct note *why);

MUST_USE enum err sandbox_view_mount_proc(struct note *why);

/* The old root goes out of sight, the new one becomes read-only. */
MUST_USE enum err sandbox_view_pivot(struct note *why);

#endif
