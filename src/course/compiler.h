/* compiler: runs gcc on the sources of others, in a sandbox.
 *
 * A compiler is a program that a source controls: it reads any file that the source names, and
 * needs as much time and memory as the source asks for. So it runs like a player. It sees the
 * system and a folder of sources, which it cannot change, and may write to one other folder. It
 * gets none of the variables of this process. What it does not know: which sources and options
 * there are; that is build.h.
 *
 * A failure of this machine must not be taken for one of the source. compiler_run tells them apart.
 */
#ifndef COURSE_COMPILER_H
#define COURSE_COMPILER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/folder.h"
#include "base/note.h"
#include "sandbox/run_program.h"
#include "sandbox/sandbox.h"

struct compiler {
    const char *name;
    const char *packages; /* the Debian packages that contain it */
};

/* More than any honest source needs. */
struct compiler_limits {
    int64_t cpu_ns;  /* processor time of one command */
    int64_t wall_ns; /* for all commands in one place together */
    int64_t memory_bytes;
    int64_t file_bytes;    /* of one file, and of all together */
    int64_t message_bytes; /* of one command */
};

struct compiler_limits compiler_limits_default(void);

struct compiler_options {
    const struct sandbox *sandbox; /* its limits are replaced */
    const char *path; /* folders in which compilers are looked for; NULL: those of the system. Not
                         PATH, in which there may be wrappers that need more than a sandbox has */
    const struct compiler_limits *limits; /* NULL: the default */
    const atomic_bool *stop;              /* true: the compiler is ended; NULL: never */
};

enum { COMPILER_PATH_BYTES = FOLDER_SCRATCH_BYTES + 64 }; /* of a file in a place */

/* Where compilers run. A zeroed struct is none. */
struct compiler_place {
    struct folder_scratch folder;
    /* Read-only for the compiler. A sandbox has a mount for each entry of a program's folder, so
     * that folder contains one other: the sources. */
    char input[COMPILER_PATH_BYTES];
    char sources[COMPILER_PATH_BYTES + 16];
    char output[COMPILER_PATH_BYTES]; /* a folder, for all that the compiler writes */
    struct sandbox sandbox;
    struct compiler_limits limits;
    const char *path;
    const atomic_bool *stop;
    int64_t end_ns;
    bool is_proven; /* our own source has been compiled there */
};

/* Remove it in any case. */
MUST_USE enum err compiler_place_make(struct compiler_place *place,
                                      const struct compiler_options *options, struct note *why);
void compiler_place_remove(struct compiler_place *place);

/* `words` are the arguments, up to NULL. ERR_ENVIRONMENT: there is no such compiler, or this
 * machine is short of memory, disk, processes or descriptors. ERR_INTERRUPTED: by `stop`. */
MUST_USE enum err compiler_run(struct compiler_place *place, const struct compiler *compiler,
                               const char *const *words, struct run_program_result *out,
                               struct note *why);

/* Whether it reached a limit; *out becomes which one, for a person. */
bool compiler_reached_limit(const struct compiler_place *place,
                            const struct run_program_result *result, struct note *out);

#endif
