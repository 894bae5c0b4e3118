/* likeness_match: which lines of two programs are alike, to show them side by side.
 *
 * A passage is a sequence of at least LIKENESS_WINDOW equal tokens. Each token is in one passage at
 * most, the longest one that begins there.
 */
#ifndef COURSE_LIKENESS_MATCH_H
#define COURSE_LIKENESS_MATCH_H

#include "course/likeness.h"

enum { LIKENESS_MAX_FILES = 200 };

struct likeness_file {
    char *name;
    char *text; /* UTF-8 */
    bool is_python;
};

/* The sources of a program. A zeroed struct is empty. */
struct likeness_source {
    struct likeness_file files[LIKENESS_MAX_FILES];
    int count;
};

void likeness_source_free(struct likeness_source *source);

enum { LIKENESS_LINE_OWN = 0, LIKENESS_LINE_TEMPLATE = -1 };

/* A zeroed struct is empty. */
struct likeness_match {
    int *lines[2]; /* of each program, one file after the other: a passage from 1 on, or as above */
    int line_count[2];
    int passages;
};

/* After likeness_find with `likeness`, which knows the templates. */
MUST_USE enum err likeness_match_find(const struct likeness *likeness,
                                      const struct likeness_source *a,
                                      const struct likeness_source *b, struct likeness_match *out,
                                      struct note *why);
void likeness_match_free(struct likeness_match *match);

#endif
