/* report_pages: how many pages a report has.
 *
 * A .docx and an .odt contain the number that their editor counted when it was saved (libzip). The
 * pages of a PDF are counted by poppler's pdfinfo, in a sandbox, as a compiler runs there: the file
 * is a stranger's, and reading PDF is a program of its own.
 */
#ifndef COURSE_REPORT_PAGES_H
#define COURSE_REPORT_PAGES_H

#include <stdatomic.h>

#include "base/note.h"
#include "sandbox/sandbox.h"

/* That pdfinfo is missing and what to do, for the user; NULL: it is there. */
const char *report_pages_lack(void);

/* The file `name` in `folder`. -1: the file cannot be read, or does not contain
 * the number; *why then says what failed, "" if the file itself is the reason. `stop` may be NULL.
 */
int report_pages_count(const char *folder, const char *name, const struct sandbox *sandbox,
                       const atomic_bool *stop, struct note *why);

#endif
