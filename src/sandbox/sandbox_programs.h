/* sandbox_programs: the files outside the system folders that a command needs to run.
 *
 * An interpreter may be installed anywhere: in a home folder, by a version manager, in a
 * virtual environment. Each word of the command that names a program, and each program
 * named by a script's first line, brings its installation along: the folders bin, lib and
 * their like, never everything next to them.
 */
#ifndef SANDBOX_SANDBOX_PROGRAMS_H
#define SANDBOX_SANDBOX_PROGRAMS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { SANDBOX_PROGRAMS_MAX = 64, SANDBOX_PROGRAMS_WORD_BYTES = 4096 };

/* A file without which the command cannot run. */
struct sandbox_program {
    char *path;
    bool is_from_path_variable; /* if this one cannot be run, the shell tries later folders */
};

/* A zeroed struct is empty. */
struct sandbox_programs {
    char *paths[SANDBOX_PROGRAMS_MAX + 1]; /* absolute, no two alike, NULL at the end */
    size_t count;
    struct sandbox_program needed[SANDBOX_PROGRAMS_MAX]; /* wherever they are */
    size_t needed_count;
    int error; /* 0, or the shortage (an errno) that kept some from being found */
};

/* Programs are looked for in PATH and from `folder` on. */
void sandbox_programs_find(const char *command, const char *folder, const char *path_variable,
                           struct sandbox_programs *out);

/* For the calling user: NULL if all that the command needs can be read or run, else the path of the
 * first that cannot. Files that do not exist are left to the shell. */
const char *sandbox_programs_forbidden(const struct sandbox_programs *programs,
                                       const char *path_variable);

void sandbox_programs_free(struct sandbox_programs *programs);

/* The next word as the shell would see it, its quotes removed; what the shell would expand
 * stays as it is. Returns where the rest begins, NULL at the end. */
const char *sandbox_programs_next_word(const char *text, char out[SANDBOX_PROGRAMS_WORD_BYTES]);

/* Where a name without a slash is found; false: nowhere. */
bool sandbox_programs_find_in_path(const char *path_variable, const char *name, char out[PATH_MAX]);

#endif
