/* program_file: the file that a command runs, and why it may not run on this machine.
 *
 * Nothing is started here; files are only read.
 */
#ifndef SANDBOX_PROGRAM_FILE_H
#define SANDBOX_PROGRAM_FILE_H

#include <limits.h>
#include <stdbool.h>

#include "base/note.h"

/* The file that the first word of a command names: from `folder` if it has a slash, else from PATH.
 * False: there is none. */
bool program_file_find(const char *command, const char *folder, char out[PATH_MAX]);

/* True for a program that was made for another system or processor; *why then names it and
 * what to do: "agent.exe is a Windows program: hand in the source". */
bool program_file_is_foreign(const char *path, struct note *why);

/* True for a script whose first line names an interpreter that a sandbox does not show: one that is
 * neither in a folder of the system nor next to the script. *why then names what to write. */
bool program_file_lacks_interpreter(const char *path, struct note *why);

/* True when an interpreter ended because it does not find a Python module; `log` is what it wrote
 * to standard error. *why then names the module and the interpreter. `sharing`: why it does not see
 * all of its folder, or "". */
bool program_file_lacks_module(const char *path, const char *log, const char *sharing,
                               struct note *why);

#endif
