/* feedback_zip: the pages of the teams as Moodle takes them ("Upload multiple feedback files in a
 * zip"): one for each student, NAME_NUMBER_assignsubmission_file_feedback.html.
 *
 * Source: mod/assign/feedback/file/importziplib.php of Moodle, which splits a name at underscores.
 */
#ifndef COURSE_FEEDBACK_ZIP_H
#define COURSE_FEEDBACK_ZIP_H

#include <stddef.h>

#include "base/note.h"
#include "tournament/roster.h"

/* `folder` has the pages, ID.html. *count: the students whose number is known and who have a team;
 * without any there is no zip. */
MUST_USE enum err feedback_zip_write(const char *path, const char *folder,
                                     const struct roster *roster, size_t *count, struct note *why);

#endif
