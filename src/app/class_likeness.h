/* class_likeness: finds teams of a roster whose sources are nearly the same: course/likeness.h.
 *
 * The sources of a team are all C, C++ and Python files in the folder of its program. Where several
 * teams share a folder, or the roster is in it, only the files that the roster names are compared.
 * It is a hint for the teaching assistant and is part of no report.
 */
#ifndef APP_CLASS_LIKENESS_H
#define APP_CLASS_LIKENESS_H

#include <stddef.h>

#include "base/err.h"
#include "base/note.h"
#include "course/likeness.h"
#include "tournament/roster.h"

/* `path` is the roster's. The programs of the pairs are teams. Files that cannot be read, or are
 * larger than a source, are left out. The caller frees *out. */
MUST_USE enum err class_likeness_find(const char *path, const struct roster *roster,
                                      struct likeness_pair **out, size_t *count, struct note *why);

#endif
