/* process_setup: what a player's program is given at its start: environment variables, and a
 * pseudo-terminal if it needs one.
 */
#ifndef SANDBOX_PROCESS_SETUP_H
#define SANDBOX_PROCESS_SETUP_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"

/* A sandboxed program gets only the variables that locate programs and set the language: the
 * teacher's environment may contain passwords. `extra` is a list of "NAME=VALUE" that ends with
 * NULL, or NULL; it overrides inherited variables. Free the result with process_environment_free;
 * NULL: no memory. */
char **process_environment_make(bool is_sandboxed, const char *const *extra);
void process_environment_free(char **environment);

/* A pseudo-terminal, for a program that buffers its output when it writes to a pipe. Bytes pass
 * unchanged in both directions, without echo. Input arrives line by line; PROCESS_TERMINAL_END ends
 * it. `program_end` is for the program. */
enum { PROCESS_TERMINAL_END = 4 };
MUST_USE enum err process_terminal_open(int *our_end, int *program_end, struct note *why);

#endif
