/* python_source: what an interpreter says about a program in Python without running it.
 *
 * It builds the syntax tree of the program and of the modules in its folder that it imports, and
 * looks for the other modules where its own are installed. It runs in a sandbox that shows the
 * program's folder only, with limits of its own: a source decides how much time and memory its
 * parser needs. Only imports outside of functions, conditions and try blocks count: the others may
 * never happen.
 */
#ifndef APP_PYTHON_SOURCE_H
#define APP_PYTHON_SOURCE_H

#include "base/note.h"
#include "sandbox/sandbox.h"

enum { PYTHON_SOURCE_NAME_BYTES = 61, PYTHON_SOURCE_MAX_NAMES = 20 };

struct python_source {
    struct note error;   /* "ai.py, line 3: invalid syntax"; "": it can be parsed */
    struct note unknown; /* why that is not known; "": it is */
    char missing[PYTHON_SOURCE_MAX_NAMES][PYTHON_SOURCE_NAME_BYTES]; /* modules */
    int missing_count; /* those past the last are counted only */
};

/* `path` is seen from the current folder. An interpreter that cannot be run finds nothing. */
void python_source_examine(const char *path, const char *interpreter, const struct sandbox *sandbox,
                           struct python_source *out);

#endif
