/* run_program: runs another program to its end and keeps its output.
 *
 * For tools such as compilers. Players are started by other means: they communicate while they
 * run. The program has a process group of its own, which ends with this process.
 */
#ifndef SANDBOX_RUN_PROGRAM_H
#define SANDBOX_RUN_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"

enum { RUN_PROGRAM_MAX_OUTPUT = 1 << 20 }; /* what comes after it is dropped */

/* For each process of the program; 0: no limit but those of this process. */
struct run_program_limits {
    unsigned cpu_s;
    unsigned wall_s; /* for all of it: one that waits uses no processor time */
    uint64_t memory_bytes;
    uint64_t file_bytes;     /* of one file that it writes */
    const char *temporary;   /* its TMPDIR; NULL: that of this process */
    const atomic_bool *stop; /* true: the program is ended; NULL: never */
};

/* A zeroed struct is empty. */
struct run_program_result {
    bool is_success;     /* exit code 0 */
    bool is_out_of_time; /* it used the time of its limits */
    int signal;          /* that ended it and was not sent by plum, or 0 */
    char *output;        /* stdout and stderr, ended by a NUL */
};

/* argv[0] is looked up in PATH; argv ends with NULL; no shell is involved. A program that is
 * not there or cannot be run is ERR_ENVIRONMENT, one that `stop` ended ERR_INTERRUPTED. */
MUST_USE enum err run_program(const char *const argv[], struct run_program_result *out,
                              struct note *why);

MUST_USE enum err run_program_limited(const char *const argv[],
                                      const struct run_program_limits *limits,
                                      struct run_program_result *out, struct note *why);

void run_program_result_free(struct run_program_result *result);

#endif
