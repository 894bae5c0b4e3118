/* python_imports: modules that a roster's programs in Python import and that the interpreter lacks.
 *
 * The sources are parsed, never run: the interpreter builds their syntax tree and looks for the
 * modules where its own are installed, not in the folders of the hand-ins. It runs in the roster's
 * sandbox, with limits of its own: a source decides how much time and memory its parser needs. Only
 * imports outside of functions, conditions and try blocks count: the others may never happen.
 */
#ifndef APP_PYTHON_IMPORTS_H
#define APP_PYTHON_IMPORTS_H

#include "base/err.h"
#include "base/note.h"
#include "tournament/roster.h"

struct python_imports_sink {
    void *owner;

    /* A sentence for each module of a team that is neither installed nor a part of its hand-in, and
     * for each source that is too much for the parser. */
    void (*on_missing)(void *owner, const char *sentence);

    /* Before each program: each starts an interpreter. NULL: not wanted. */
    void (*on_program)(void *owner, int done, int total);
};

/* Paths are meant from the folder of the roster, the file `path`. An interpreter that cannot be run
 * has no findings. */
MUST_USE enum err python_imports_check(const struct roster *roster, const char *path,
                                       const struct python_imports_sink *sink, struct note *why);

#endif
