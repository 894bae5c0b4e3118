/* box: what keeps a player's program away from everything but its game.
 *
 * A boxed program runs as an unprivileged user in namespaces of its own: it sees a
 * read-only system, its own folder read-only, small writable folders, its own processes
 * and a network on which only the judge's listener answers. Seccomp, limits, cgroups and
 * Landlock stand behind that. Everything it starts dies with it.
 *
 * A box is found once (`box_probe`) and then used for any number of processes, each of
 * which gets fresh namespaces: see player/process.h. docs/sandbox.md tells the whole story.
 */
#ifndef PLAYER_BOX_H
#define PLAYER_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"

enum sandbox_mode { SANDBOX_OFF, SANDBOX_AUTO, SANDBOX_STRICT };

struct box_limits {
    int64_t memory_bytes; /* of all its processes where there are cgroups, else of each */
    int64_t disk_bytes;   /* the largest file, and all that it may keep in a temporary folder */
    int64_t output_bytes; /* what it may write to its standard streams, in all */
    int processes;        /* threads count */
    int open_files;
};

struct box_limits box_limits_default(void);

/* Reads a memory limit such as 512M or 8G. ERR_INPUT: the note names `what`. */
MUST_USE enum err box_limits_read_memory(const char *text, const char *what, int64_t *out,
                                         struct note *why);

/* What a machine lets us do, as a set of bits. */
enum box_feature {
    BOX_NAMESPACES = 1 << 0,    /* user, mount, pid, network, ipc, uts: all of them */
    BOX_FRESH_PROC = 1 << 1,    /* a /proc of those namespaces */
    BOX_OTHER_USER = 1 << 2,    /* we are root and can become somebody without rights */
    BOX_SECCOMP = 1 << 3,       /* system call filter */
    BOX_LANDLOCK = 1 << 4,      /* files by rule */
    BOX_MEMORY_CGROUP = 1 << 5, /* one memory limit for all processes of a player */
    BOX_PIDS_CGROUP = 1 << 6,
};

/* A value: copy freely. */
struct box {
    enum sandbox_mode mode;
    struct box_limits limits;
    unsigned features;       /* of enum box_feature; none with SANDBOX_OFF */
    const char *helper_path; /* the program that answers to BOX_CHILD; must outlive the box */
};

/* The first argument with which our executable becomes the helper. */
#define BOX_CHILD "box-child"

/* What main() calls then. */
_Noreturn void box_child_main(int argc, char **argv);

/* Tries out what this machine can do, in a process of its own; takes milliseconds.
 * SANDBOX_STRICT: ERR_ENVIRONMENT when a namespace, /proc or seccomp is missing.
 * SANDBOX_AUTO: `missing` then says what is missing, "" if nothing is.
 * ERR_ENVIRONMENT with any mode: too few descriptors, processes or memory to find out.
 * `helper_path` NULL means this very executable. */
MUST_USE enum err box_probe(enum sandbox_mode mode, const struct box_limits *limits,
                            const char *helper_path, struct box *out, struct note *missing);

/* Can the user that a program runs as use the program and its folder? Only where root becomes
 * another user may it be otherwise: then ERR_ENVIRONMENT, and `why` says what to do. The program
 * itself is not started. `folder` is absolute. */
MUST_USE enum err box_rehearse(const struct box *box, const char *command, const char *folder,
                               struct note *why);

/* The level reached, as written into a game record: "strict", "strict without cgroups",
 * "partial" or "off". */
const char *box_level(const struct box *box);

#endif
