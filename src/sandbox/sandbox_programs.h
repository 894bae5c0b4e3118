/* sandbox_programs: the files outside the system folders that a command needs to run.
 *
 * An interpreter may be installed anywhere: in a home folder, by a version manager, in a
 * virtual environment. Each word of the command that names a program brings its installation
 * along: the folders bin, lib and their like, never everything next to them. So does the first line
 * of a script, if the script is outside the agent's folder: it belongs to the organiser, as the
 * command does. What is in the agent's folder was written by the agent's author and brings nothing:
 * neither the first line of a script nor a link.
 */
#ifndef SANDBOX_SANDBOX_PROGRAMS_H
#define SANDBOX_SANDBOX_PROGRAMS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"

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
    int error;           /* 0, or the shortage (an errno) that kept some from being found */
    struct note refusal; /* why the command must not run: a link out of the folder; "": it may */
};

/* Programs are looked for in PATH and from `folder` on, the agent's; it is absolute. */
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

/* Calls `take` with the absolute path of every regular file outside the system's folders that a
 * word of the command names, seen from `folder`, also inside quotes and after NAME=. Only the last
 * part of a path may be a link. */
void sandbox_programs_each_file(const char *command, const char *folder, void *owner,
                                void (*take)(void *owner, const char *path));

/* In a folder of the system, which every sandbox shows? */
bool sandbox_programs_is_of_system(const char *path);

/* Where a name without a slash is found; false: nowhere. */
bool sandbox_programs_find_in_path(const char *path_variable, const char *name, char out[PATH_MAX]);

#endif
