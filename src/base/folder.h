/* folder: making folders, temporary ones, working in another one, and removing whole trees. */
#ifndef BASE_FOLDER_H
#define BASE_FOLDER_H

#include <sys/types.h>

#include "base/err.h"
#include "base/note.h"

enum { FOLDER_SCRATCH_BYTES = 256 };

/* A temporary folder. A zeroed struct is none. */
struct folder_scratch {
    char path[FOLDER_SCRATCH_BYTES]; /* absolute */
};

/* Does nothing if the folder exists. Refused: ERR_ENVIRONMENT, the note names the folder. */
MUST_USE enum err folder_make(const char *path, mode_t mode, struct note *why);

/* A new empty folder that only this user can enter, in TMPDIR, else in /tmp. */
MUST_USE enum err folder_scratch_make(struct folder_scratch *scratch, struct note *why);

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
