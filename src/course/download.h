/* download: the submissions of a class as a platform gives them: a folder, or the zip of all.
 *
 * A zip is unpacked into a temporary folder with the care of intake.h, before each hand-in in it is
 * looked at like one from a folder. The limits of one hand-in hold later, when it is copied.
 */
#ifndef COURSE_DOWNLOAD_H
#define COURSE_DOWNLOAD_H

#include <limits.h>

#include "base/folder.h"
#include "base/note.h"
#include "course/submission_folder.h"

/* A zeroed struct is closed. */
struct download {
    char folder[PATH_MAX]; /* where the submissions are */
    struct folder_scratch scratch;
    struct submission_folder list;
};

/* Reads the list of what is in it. `path` is a folder or a zip; a folder that is all that a zip
 * contains is looked into. `on_remark` gets a sentence for what is left out of a zip; it may be
 * NULL. ERR_INPUT: it is neither, or has no submission. ERR_NEGATIVE: it is damaged or too large.
 * Close it also after an error. */
MUST_USE enum err download_open(struct download *download, const char *path, void *owner,
                                void (*on_remark)(void *owner, const char *sentence),
                                struct note *why);
void download_close(struct download *download);

#endif
