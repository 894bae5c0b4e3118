/* sandbox: isolates a player's program from everything but its game.
 *
 * A sandboxed program runs as an unprivileged user in its own namespaces. It sees a read-only
 * system, its own folder read-only, small writable folders, its own processes, and a network on
 * which only the judge's listener answers. Seccomp, limits, cgroups and Landlock add to that. All
 * processes that it starts end with it.
 *
 * A sandbox is found once (`sandbox_probe`) and used for any number of processes, each in new
 * namespaces: see sandbox/process.h. docs/sandbox.md describes all of it.
 */
#ifndef SANDBOX_SANDBOX_H
#define SANDBOX_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/note.h"

enum sandbox_mode { SANDBOX_OFF, SANDBOX_AUTO, SANDBOX_STRICT };

struct sandbox_limits {
    int64_t memory_bytes; /* of each process and, measured several times a second where there are no
                             cgroups, of all together */
    int64_t disk_bytes;   /* the largest file, and all that it may keep in a temporary folder */
    int64_t output_bytes; /* what it may write to its standard streams, in all */
    int processes;        /* threads count */
    int open_files;
    int64_t stack_bytes; /* of each process; a lower limit of this user stays */
    int pending_signals;
    int inotify_instances; /* in a user namespace */
};

struct sandbox_limits sandbox_limits_default(void);

/* Reads a memory limit such as 512M or 8G. ERR_INPUT: the note names `what`. */
MUST_USE enum err sandbox_limits_read_memory(const char *text, const char *what, int64_t *out,
                                             struct note *why);

/* What a machine lets us do, as a set of bits. */
enum sandbox_feature {
    SANDBOX_NAMESPACES = 1 << 0, /* user, mount, pid, network, ipc, uts: all of them */
    SANDBOX_FRESH_PROC = 1 << 1, /* a /proc of those namespaces */
    SANDBOX_OTHER_USER = 1 << 2, /* this process is root and can become a user without privileges */
    SANDBOX_SECCOMP = 1 << 3,    /* system call filter */
    SANDBOX_LANDLOCK = 1 << 4,   /* files by rule */
    SANDBOX_MEMORY_CGROUP = 1 << 5, /* one memory limit for all processes of a player */
    SANDBOX_PIDS_CGROUP = 1 << 6,
    SANDBOX_WATCH = 1 << 7,          /* what a program tries in vain is recorded */
    SANDBOX_CPU_CGROUP = 1 << 8,     /* one share of the processors for each player */
    SANDBOX_FREEZER_CGROUP = 1 << 9, /* without it, SIGSTOP stops a player's processes */
    SANDBOX_AUTOGROUP = 1 << 10, /* without SANDBOX_CPU_CGROUP: one share for each session, and a
                                    player has one (sandbox_player.c) */
    SANDBOX_CGROUPS =
        SANDBOX_MEMORY_CGROUP | SANDBOX_PIDS_CGROUP | SANDBOX_CPU_CGROUP | SANDBOX_FREEZER_CGROUP,
};

struct sandbox_neighbours;

/* A value: copy freely. */
struct sandbox {
    enum sandbox_mode mode;
    unsigned features; /* of enum sandbox_feature; none with SANDBOX_OFF */
    struct sandbox_limits limits;
    const char *helper_path; /* the program that answers to SANDBOX_CHILD; must outlive the sandbox.
                                NULL: see sandbox_job_spawn */
    const struct sandbox_neighbours *neighbours; /* borrowed; NULL: every program has its folder */
};

/* The first argument with which our executable becomes the helper. plum-helper (cli/helper) is the
 * same code in a small program, which starts faster. */
#define SANDBOX_CHILD "sandbox-child"

/* What main() calls then. */
_Noreturn void sandbox_child_main(int argc, char **argv);

/* Tries out what this machine can do, in a process of its own; takes milliseconds.
 * SANDBOX_STRICT: ERR_ENVIRONMENT when a namespace, /proc or seccomp is missing.
 * SANDBOX_AUTO: `missing` then names what is missing, "" if nothing is.
 * ERR_ENVIRONMENT with any mode: too few descriptors, processes or memory to find out.
 * `helper_path`: as in a struct sandbox. */
MUST_USE enum err sandbox_probe(enum sandbox_mode mode, const struct sandbox_limits *limits,
                                const char *helper_path, struct sandbox *out, struct note *missing);

/* May the program run, and can the user that it runs as use the program and its folder? ERR_INPUT:
 * the program is a link out of its folder. ERR_ENVIRONMENT: root becomes another user, who cannot
 * read the program. `why` names what to do. The program itself is not started. `folder` is
 * absolute. */
MUST_USE enum err sandbox_rehearse(const struct sandbox *sandbox, const char *command,
                                   const char *folder, struct note *why);

/* The level reached, as written into a game record: "strict", "strict without cgroups",
 * "partial" or "off". */
const char *sandbox_level(const struct sandbox *sandbox);

/* --- Guarantees ---
 *
 * Two tables: the features that a machine may offer, and the guarantees that they make possible.
 * plum sandbox prints them, docs/sandbox.md contains them, and tests/attacks.c has an attack for
 * each guarantee. A test compares the three. */

struct sandbox_offer {
    enum sandbox_feature feature;
    const char *name;
    const char *purpose; /* a phrase */
    const char *how;     /* how to get it where it is missing */
};

extern const struct sandbox_offer sandbox_offers[];
extern const size_t sandbox_offer_count;

enum { SANDBOX_ALTERNATIVES = 3 };

struct sandbox_guarantee {
    const char *name;     /* of the attack as well */
    const char *sentence; /* continues "an agent …" */
    /* Sets of features, up to a 0. One complete set is enough. None at all: every sandbox but "off"
     * has it. */
    unsigned upheld_by[SANDBOX_ALTERNATIVES];
    int landlock_version; /* from which SANDBOX_LANDLOCK does its part */
    bool is_always_held;  /* also with SANDBOX_OFF */
};

extern const struct sandbox_guarantee sandbox_guarantees[];
extern const size_t sandbox_guarantee_count;

/* Does a sandbox with that mode and those features uphold it? `landlock_version` is that of the
 * kernel, sandbox_landlock_version(). */
bool sandbox_guarantee_is_held(const struct sandbox_guarantee *guarantee,
                               const struct sandbox *sandbox, int landlock_version);

enum { SANDBOX_LEVELS = 4 };

/* The levels from "strict" to "off", each as a sandbox with as many of the features of `here` as it
 * may have; one that `here` does not reach gets the features that its name requires. */
void sandbox_guarantee_levels(const struct sandbox *here, struct sandbox out[SANDBOX_LEVELS]);

#endif
