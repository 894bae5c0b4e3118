/* box_job: what plum asks the helper to run, and how: a list of arguments.
 *
 * Arguments, because `ps` then shows what each helper is there for, and because the
 * environment of the helper can be exactly that of the program.
 */
#ifndef PLAYER_BOX_JOB_H
#define PLAYER_BOX_JOB_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/note.h"
#include "player/box.h"

enum { BOX_JOB_STREAMS = 3 };

/* A value that borrows its strings. */
struct box_job {
    const char *command;
    const char *folder;         /* absolute */
    const char *private_folder; /* absolute; "": a temporary one */
    bool private_is_cwd;
    bool is_limited;   /* false: without any box */
    int listen_port;   /* 0: none */
    int cpu;           /* -1: any */
    bool is_rehearsal; /* ends where the command would start */
    unsigned features;
    struct box_limits limits;
};

/* Starts the helper in a session of its own. `streams` become its standard streams, and
 * `control` its control socket. The caller reaps *pid. */
MUST_USE enum err box_job_spawn(const struct box_job *job, const char *helper_path,
                                char *const environment[], const int streams[BOX_JOB_STREAMS],
                                int control, pid_t *pid, struct note *why);

/* The helper's side: false when these arguments are no job. */
bool box_job_read(int argc, char **argv, struct box_job *out);

#endif
