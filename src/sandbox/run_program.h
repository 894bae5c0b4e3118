/* run_program: runs another program to its end in a sandbox and keeps its output.
 *
 * For tools such as compilers, which read what others have written. Players are started by
 * sandbox/process.h: they communicate while they run. This blocks, on an event loop of its own. The
 * program and all that it starts end with this process.
 */
#ifndef SANDBOX_RUN_PROGRAM_H
#define SANDBOX_RUN_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/note.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"

enum { RUN_PROGRAM_MAX_OUTPUT = 1 << 20 }; /* what comes after it is dropped */

struct run_program_spec {
    const char *command;            /* for the shell; its standard input is empty */
    const char *folder;             /* as in struct process_spec */
    const char *private_folder;     /* likewise */
    const char *const *environment; /* likewise */
    const struct sandbox *sandbox;  /* with the limits on memory, files and output */
    int64_t cpu_ns;                 /* processor time of all its processes; 0: no limit */
    int64_t wall_ns;                /* one that waits uses no processor time; 0: no limit */
    const atomic_bool *stop;        /* true: the program is ended; NULL: never */
};

/* A zeroed struct is empty. */
struct run_program_result {
    struct process_exit exit; /* never PROCESS_NOT_STARTED */
    bool is_out_of_time;      /* it was ended because it used the time of its limits */
    char *output;             /* stdout and stderr, ended by a NUL */
};

static inline bool run_program_succeeded(const struct run_program_result *result)
{
    return result->output && result->exit.how == PROCESS_EXITED && result->exit.code == 0;
}

/* ERR_ENVIRONMENT: it could not be started, or this machine ran out of something. ERR_INTERRUPTED:
 * `stop` ended it. A command that the shell cannot find has the exit code 127. */
MUST_USE enum err run_program(const struct run_program_spec *spec, struct run_program_result *out,
                              struct note *why);

void run_program_result_free(struct run_program_result *result);

#endif
