/* sandbox_job: what plum asks the helper to run, and how: a struct, an environment and, if the
 * program needs one, a terminal.
 *
 * The struct is the first message on their control socket, as it is in memory: both are made of the
 * same sources. Its strings are arguments, because `ps` then shows what each helper is there for.
 * The environment of the helper is exactly that of the program.
 */
#ifndef SANDBOX_SANDBOX_JOB_H
#define SANDBOX_SANDBOX_JOB_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/note.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_folder.h"
#include "sandbox/violation.h"

enum { SANDBOX_JOB_STREAMS = 3 };

enum { SANDBOX_CONTROL_FD = 3 }; /* where the helper finds the control socket */

/* A value that borrows its strings. */
struct sandbox_job {
    const char *command;
    const char *folder;              /* absolute */
    struct sandbox_folder_rule rule; /* what is shown of it */
    const char *private_folder;      /* absolute; "": a temporary one */
    bool private_is_cwd;
    bool is_limited;   /* false: without any sandbox */
    int listen_port;   /* 0: none */
    int cpu;           /* -1: any */
    bool is_rehearsal; /* ends where the command would start */
    unsigned features;
    struct sandbox_limits limits;
    const char *const *environment; /* "NAME=VALUE" more or instead, NULL at the end; may be NULL */
    uid_t user;                     /* the helper chooses it, see sandbox_identity.h */
};

static inline bool sandbox_job_has(const struct sandbox_job *job, enum sandbox_feature feature)
{
    return (job->features & feature) != 0;
}

/* Starts the helper in a session of its own. `streams` become its standard streams; *control is our
 * end of its control socket. The caller closes that and reaps *pid. `helper_path` NULL:
 * plum-helper, if it is installed with this program, else this very program. */
MUST_USE enum err sandbox_job_spawn(const struct sandbox_job *job, const char *helper_path,
                                    const int streams[SANDBOX_JOB_STREAMS], int *control,
                                    pid_t *pid, struct note *why);

/* The helper's side: false when these arguments are not a job. If a program of other sources wrote
 * them, this one becomes that program, as when a new version was installed while plum runs. */
bool sandbox_job_read(int argc, char **argv, struct sandbox_job *out);

/* A pseudo-terminal, for a program that buffers its output when it writes to a pipe. Bytes pass
 * unchanged in both directions, without echo. Input arrives line by line; SANDBOX_JOB_TERMINAL_END
 * ends it. `program_end` is for the program. */
enum { SANDBOX_JOB_TERMINAL_END = 4 };
MUST_USE enum err sandbox_job_open_terminal(int *our_end, int *program_end, struct note *why);

/* --- What plum orders then, and what the helper reports over their control socket --- */

enum sandbox_order {
    SANDBOX_TERMINATE = 'T', /* ask the program to end: SIGTERM to all of it, which continues */
    SANDBOX_FREEZE = 'F',    /* stop all of it where it is */
    SANDBOX_YIELD = 'Y',     /* give it the smallest share of the processors, if it has a share */
    SANDBOX_CONTINUE = 'C',  /* end what the two above began */
};

enum { SANDBOX_JOB_REPORT_FDS = 2 };

enum sandbox_job_report_kind {
    SANDBOX_FAILED =
        1,           /* value: the sandbox_feature that could not be had, 0 if it is none of them */
    SANDBOX_READY,   /* the program is about to run; fds: its private folder, and its listener if it
                        has one */
    SANDBOX_ENDED,   /* value: the wait status of the program */
    SANDBOX_STARVED, /* value as SANDBOX_ENDED; it reached its memory limit */
    SANDBOX_OVERGROWN, /* value as SANDBOX_ENDED; it was killed: its folder outgrew its disk limit
                        */
    SANDBOX_VIOLATION, /* what it tried, in `violation`: the first time, or more times at its end */
};

struct sandbox_job_report {
    enum sandbox_job_report_kind kind;
    int value;
    int error; /* SANDBOX_FAILED: the errno, 0 if there is none */
    struct note note;
    struct violation violation;
    int fd_count; /* in `fds` */
    int fds[SANDBOX_JOB_REPORT_FDS];
};

/* The descriptors stay with the sender. A receiver that is gone is not an error. */
void sandbox_job_report_send(int control, const struct sandbox_job_report *report);

/* Sends SANDBOX_FAILED: `feature` (0: none) cannot be used, with the errno and the reason. */
void sandbox_job_report_failure(int control, unsigned feature, const struct note *why);

/* Sets the note to "WHAT: " and the text of errno; returns ERR_ENVIRONMENT. */
enum err sandbox_job_report_errno(struct note *why, const char *what);

/* Does not wait. False when there is none, or none any more; *is_over is true in the second case.
 * The descriptors belong to the caller; a report whose descriptors we had no room for becomes
 * SANDBOX_FAILED with the error EMFILE. */
bool sandbox_job_report_receive(int control, struct sandbox_job_report *out, bool *is_over);

#endif
