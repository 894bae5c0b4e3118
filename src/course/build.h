/* build: turns a student's C or C++ sources into an agent.
 *
 * The courses' programs were often written on Windows. They are compiled from
 * converted copies (source_tree.h), with the headers of clients/compat in place of Microsoft's,
 * by the gcc that is installed here, in a sandbox (compiler.h). Nothing is written but the agent.
 */
#ifndef COURSE_BUILD_H
#define COURSE_BUILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/note.h"
#include "course/compiler.h"

struct build_options {
    struct compiler_options compiler;
    const char *folder; /* the program's: the sources can include no file outside it. NULL: the
                           folder that all sources are in */
    uint64_t refused;   /* the checksum of sources that do not compile, or 0 */
};

struct build_result {
    char *messages;      /* the compiler's, with the names of the original files; NULL if it was not
                            asked. The caller frees */
    const char *dialect; /* how they were compiled, in words; NULL: as the courses do */
    uint64_t checksum;   /* of the sources and what they include; 0: they were not read */
};

/* The agent is complete or unchanged; *out is also set on failure.
 *
 * ERR_INTERRUPTED: by the compiler's `stop`. ERR_NEGATIVE: the sources do not compile, or are those
 * that are known not to.
 * ERR_INPUT: they are not sources, or the agent would overwrite one. ERR_ENVIRONMENT: no compiler,
 * no room, no sandbox. */
MUST_USE enum err build_agent(const char *const *sources, size_t count, const char *agent,
                              const struct build_options *options, struct build_result *out,
                              struct note *why);

/* An agent that root starts runs as another user, which cannot read files made under umask 077.
 * After this call root's files and folders are readable for all; for other users nothing changes.
 * Returns the umask to set again. */
mode_t build_loosen_umask(void);

#endif
