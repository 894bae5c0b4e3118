/* compiler: one run of gcc or g++, and whether this machine or the source makes it fail.
 *
 * What a compiler prints can come from the source (`#pragma GCC error "No space left on device"`),
 * so its text is never believed: where it names a shortage, a source of our own is compiled in the
 * same places. If that fails as well, the machine is short of something.
 */
#ifndef COURSE_COMPILER_H
#define COURSE_COMPILER_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "sandbox/run_program.h"

struct compiler {
    const char *name;
    const char *packages; /* of Debian, that it comes with */
};

/* A build under way. */
struct compiler_place {
    const char *scratch; /* a folder */
    bool is_proven;      /* our own source has been compiled there */
};

/* `words` is the command, which ends with NULL; `output` the file that it writes. It runs within
 * limits that no source of a person reaches. ERR_ENVIRONMENT: there is no such compiler, or this
 * machine is short of memory, disk, processes or descriptors. */
MUST_USE enum err compiler_run(const struct compiler *compiler, const char *const *words,
                               struct compiler_place *place, const char *output,
                               struct run_program_result *out, struct note *why);

#endif
