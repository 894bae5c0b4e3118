/* watch_rules: which files, addresses and processes belong to others than the program.
 *
 * These rules protect nothing: the kernel refuses what they name, and more. They separate an
 * attempt at harm from what ordinary programs and their libraries try at their start. So they are
 * narrow: a file counts only if it exists on this machine and the sandbox hides it, a write only
 * outside the folders where caches and logs are usual. Whether a hidden file exists is not looked
 * up here: that takes time, and the program must not see how much.
 */
#ifndef SANDBOX_WATCH_RULES_H
#define SANDBOX_WATCH_RULES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "sandbox/sandbox_folder.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_programs.h"

struct watch_rules {
    const struct sandbox_job *job;
    bool knows_programs; /* they are looked for when the first file is in doubt */
    struct sandbox_programs programs;
    bool knows_folder; /* it is listed when the first file in it is in doubt */
    struct sandbox_folder folder;
};

void watch_rules_free(struct watch_rules *rules);

enum watch_verdict { WATCH_HARMLESS, WATCH_HARM, WATCH_HARM_IF_IT_EXISTS };

/* To read `path`, which is absolute, without "." and "..". `caller` is the process as this one sees
 * it. */
enum watch_verdict watch_rules_hide(struct watch_rules *rules, pid_t caller, const char *path);

/* To write it; what may exist is its folder, which is in `folder` then. */
enum watch_verdict watch_rules_protect(struct watch_rules *rules, pid_t caller, const char *path,
                                       char folder[PATH_MAX]);

/* Whether no ordinary program makes this attempt: a secret, a source or database of others, or a
 * file of the system that is there. A program may look for its data in the folders above its own,
 * or want to write a log there. */
bool watch_rules_is_hostile_reading(const char *path);
bool watch_rules_is_hostile_writing(const char *path);

/* Is it a file of /proc with the memory, environment or descriptors of a process of others? */
bool watch_rules_is_inside_process(const struct watch_rules *rules, pid_t caller, const char *path);

/* Of such a file: no list of processes contains it. */
bool watch_rules_is_memory(const char *path);

bool watch_rules_is_outside(const struct watch_rules *rules, const struct sockaddr_storage *address,
                            socklen_t bytes);

/* `target` as in kill(2), in the numbers of the caller. */
bool watch_rules_is_others(const struct watch_rules *rules, pid_t caller, int64_t target);

#endif
