/* class_likeness: finds teams of a roster whose sources are nearly the same: course/likeness.h.
 *
 * The sources of a team are all C, C++ and Python files in the folder of its program. Where several
 * teams share a folder, or the roster is in it, only the files that the roster names are compared.
 * It is a hint for the teaching assistant and is part of no report.
 */
#ifndef APP_CLASS_LIKENESS_H
#define APP_CLASS_LIKENESS_H

#include "base/note.h"
#include "course/likeness.h"
#include "tournament/roster.h"

/* The programs are the teams of the roster. A zeroed struct is empty. */
struct class_likeness {
    struct likeness likeness;
    struct likeness_result result;
};

void class_likeness_free(struct class_likeness *class);

/* `path` is the roster's. Files that cannot be read, or are larger than a source, are left out.
 * Free *out in any case. */
MUST_USE enum err class_likeness_find(const char *path, const struct roster *roster,
                                      struct class_likeness *out, struct note *why);

/* "4 of 6 teams have the same source: 1, 2, 3, 4". */
enum { CLASS_LIKENESS_BYTES = 64 + ROSTER_MAX_TEAMS * (ROSTER_ID_BYTES + 2) };
void class_likeness_describe(const struct class_likeness *class, const struct roster *roster,
                             const struct likeness_group *group, char out[CLASS_LIKENESS_BYTES]);

/* "team 1 and team 2: 93 % of the smaller one (412 of 438 fragments)". */
void class_likeness_describe_pair(const struct roster *roster, const struct likeness_pair *pair,
                                  struct note *out);

/* Writes them side by side into a page that only its owner may read. */
MUST_USE enum err class_likeness_write(const struct class_likeness *class, const char *path,
                                       const struct roster *roster, const char *file,
                                       struct note *why);

#endif
