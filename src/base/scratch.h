/* scratch: a folder for files that nobody needs afterwards. */
#ifndef BASE_SCRATCH_H
#define BASE_SCRATCH_H

#include "base/err.h"
#include "base/note.h"

enum { SCRATCH_PATH_BYTES = 256 };

/* A zeroed struct is no folder. */
struct scratch {
    char path[SCRATCH_PATH_BYTES]; /* absolute */
};

/* A new empty folder that only this user can enter, where TMPDIR says, else in /tmp. */
MUST_USE enum err scratch_make(struct scratch *scratch, struct note *why);

/* Removes the folder with all that is in it; does nothing to no folder. */
void scratch_remove(struct scratch *scratch);

#endif
