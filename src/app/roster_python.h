/* roster_python: a roster's programs in Python that cannot be parsed, or that import modules which
 * the interpreter lacks. See python_source. */
#ifndef APP_ROSTER_PYTHON_H
#define APP_ROSTER_PYTHON_H

#include "base/note.h"
#include "tournament/roster.h"

struct roster_python_sink {
    void *owner;

    /* A sentence for each program that cannot be parsed, for each module of a team that is neither
     * installed nor a part of its hand-in, and for each source that is too much for the parser. */
    void (*on_finding)(void *owner, const char *sentence);

    /* Before each program: each starts an interpreter. NULL: not wanted. */
    void (*on_program)(void *owner, int done, int total);
};

/* Paths are meant from the folder of the roster, the file `path`. An interpreter that cannot be run
 * has no findings. */
MUST_USE enum err roster_python_check(const struct roster *roster, const char *path,
                                      const struct roster_python_sink *sink, struct note *why);

#endif
