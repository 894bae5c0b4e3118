/* folder: making folders, temporary ones, working in another one, and removing whole trees. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/note.h"

enum { FOLDER_SCRATCH_BYTES = 256 };

/* A temporary folder. A zeroed struct is none. */
struct folder_scratch {
    char path[FOLDER_SCRATCH_BYTES]; /* absolute */
    int lock;                        /* an open folder, locked while its maker lives */
};

/* Does nothing if the folder exists. Refused: ERR_ENVIRONMENT, the note names the folder. */
MUST_USE enum err folder_make(const char *path, mode_t mode, struct note *why);

/* A new empty folder that only this user can enter, in TMPDIR, else in /tmp. Sweeps first. */
MUST_USE enum err folder_scratch_make(struct folder_scratch *scratch, struct note *why);

/* The same in `parent`, with the number of that process in its name. Does not sweep. */
MUST_USE enum err folder_scratch_make_in(struct folder_scratch *scratch, const char *parent,
                                         pid_t process, struct note *why);

/* Whether a temporary folder has such a name: "plum-123-Ab3xYz". */
bool folder_is_scratch(const char *name);

/* Removes the temporary folders in `parent` whose makers were killed. Root also removes those of
 * other users. */
void folder_scratch_sweep(const char *parent);

/* Removes the folder with its contents; does nothing to a zeroed struct. */
void folder_scratch_remove(struct folder_scratch *scratch);

/* Makes it the current folder. *back leads to the one before: pass it to folder_return in any
 * case. */
MUST_USE enum err folder_enter(const char *path, int *back, struct note *why);

/* The same for the folder of a file. */
MUST_USE enum err folder_enter_of(const char *file, int *back, struct note *why);

/* Returns `err`; without one ERR_ENVIRONMENT, if it cannot go back. */
MUST_USE enum err folder_return(int back, enum err err, struct note *why);

/* Removes a folder with its contents. Follows no link, needs no long path, and also removes folders
 * that their owner has closed. What cannot be removed stays. */
void folder_remove(const char *path);

#endif
