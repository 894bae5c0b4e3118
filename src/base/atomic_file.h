/* atomic_file: a file that appears complete or not at all.
 *
 * What is written goes to a temporary file next to the target; only a commit gives it the
 * target's name. Devices and pipes are written to directly: they must not be replaced.
 */
#ifndef BASE_ATOMIC_FILE_H
#define BASE_ATOMIC_FILE_H

#include <limits.h>
#include <stdio.h>

#include "base/note.h"

/* A zeroed struct is closed. */
struct atomic_file {
    FILE *stream;
    const char *path;         /* as the caller wrote it, for sentences */
    char target[PATH_MAX];    /* where links lead to */
    char temporary[PATH_MAX]; /* "" when the target itself is written to */
};

/* `path` must outlive *file. Refusals are ERR_ENVIRONMENT and name it; *file is closed then. */
MUST_USE enum err atomic_file_open(struct atomic_file *file, const char *path, struct note *why);

/* The same for a file that only its owner may read. */
MUST_USE enum err atomic_file_open_private(struct atomic_file *file, const char *path,
                                           struct note *why);

/* Checks every write, gives the file its name and closes it. On failure no temporary file remains
 * and the old file, if there was one, is untouched. */
MUST_USE enum err atomic_file_commit(struct atomic_file *file, struct note *why);

/* Removes the temporary files in the folder of `path` whose writer was killed: older than a minute,
 * and locked by no process. */
void atomic_file_sweep(const char *path);

/* Gives up; does nothing when closed. */
void atomic_file_discard(struct atomic_file *file);

#endif
