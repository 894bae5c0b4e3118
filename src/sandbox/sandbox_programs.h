/* sandbox_programs: the programs that a command names: which files outside the system folders they
 * need, and why one may not run on this machine.
 *
 * An interpreter may be installed anywhere: in a home folder, by a version manager, in a
 * virtual environment. Each word of the command that names a program brings its installation
 * along: the folders bin, lib and their like, never everything next to them. What is in the agent's
 * folder was written by the agent's author and brings nothing: neither the first line of a script
 * nor a link.
 *
 * Nothing is started here; files are only read.
 */
#ifndef SANDBOX_SANDBOX_PROGRAMS_H
#define SANDBOX_SANDBOX_PROGRAMS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"

enum {
    SANDBOX_PROGRAMS_MAX = 64,
    SANDBOX_PROGRAMS_WORD_BYTES = 4096,
    SANDBOX_PROGRAMS_DEPTH = 4, /* of commands in words of commands: sh -c 'python3 agent.py' */
};

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

/* The absolute path that a word means, seen from `folder`. False: it is too long. */
bool sandbox_programs_path(const char *word, const char *folder, char out[PATH_MAX]);

/* In a folder of the system, which every sandbox shows? */
bool sandbox_programs_is_of_system(const char *path);

/* Where a name without a slash is found; false: nowhere. */
bool sandbox_programs_find_in_path(const char *path_variable, const char *name, char out[PATH_MAX]);

/* The file that the first word of a command names: from `folder` if it has a slash, else from PATH.
 * False: there is none. */
bool sandbox_programs_find_first(const char *command, const char *folder, char out[PATH_MAX]);

/* --- Why a program does not run --- */

/* True for a program that was made for another system or processor; *why then names it and
 * what to do: "agent.exe is a Windows program: hand in the source". */
bool sandbox_programs_is_foreign(const char *path, struct note *why);

/* True for a script whose first line names an interpreter that a sandbox does not show: one that is
 * neither in a folder of the system nor next to the script. *why then names what to write. */
bool sandbox_programs_lacks_interpreter(const char *path, struct note *why);

/* True when an interpreter ended because it does not find a Python module; `log` is what it wrote
 * to standard error. *why then names the module and the interpreter. `sharing`: why it does not see
 * all of its folder, or "". */
bool sandbox_programs_lacks_module(const char *path, const char *log, const char *sharing,
                                   struct note *why);

#endif
