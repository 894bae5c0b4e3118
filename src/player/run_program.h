/* run_program: runs another program to its end and keeps what it says.
 *
 * For tools such as compilers. Players are started by other means: they talk while they run.
 */
#ifndef PLAYER_RUN_PROGRAM_H
#define PLAYER_RUN_PROGRAM_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"

enum { RUN_PROGRAM_MAX_OUTPUT = 1 << 20 }; /* what comes after it is dropped */

/* A zeroed struct is empty. */
struct run_program_result {
    bool is_success; /* exit code 0 */
    char *output;    /* stdout and stderr, ended by a NUL */
};

/* argv[0] is looked up in PATH; argv ends with NULL; no shell is involved. A program that is
 * not there or cannot be run is ERR_ENVIRONMENT, one that Ctrl-C ended ERR_INTERRUPTED. */
MUST_USE enum err run_program(const char *const argv[], struct run_program_result *out,
                              struct note *why);

void run_program_result_free(struct run_program_result *result);

#endif
