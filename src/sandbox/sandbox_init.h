/* sandbox_init: the first process inside a sandbox. It makes the namespaces habitable, starts the
 * program, and takes everything down with itself when the program has ended.
 */
#ifndef SANDBOX_SANDBOX_INIT_H
#define SANDBOX_SANDBOX_INIT_H

#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/note.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_job.h"

/* Sent to the init by its supervisor: stop all other processes of the sandbox, or let them
 * continue, as *is_stopped says when the signal is handled. Two signals could be handled in the
 * wrong order.
 */
enum { SANDBOX_INIT_OBEY = SIGUSR1 };

struct sandbox_init {
    const struct sandbox_job *job;
    const struct sandbox_cgroup *group;
    int control;
    int watch;                    /* see struct sandbox_player */
    const atomic_int *is_stopped; /* shared with the supervisor */
    int status[2];                /* a pipe: the program's wait status comes out of it, as an int */
};

/* Returns in the caller, the supervisor; the init runs until the program ends, the caller
 * dies, or it is killed from outside. Every process of the sandbox is dead once it is reaped. */
MUST_USE enum err sandbox_init_start(const struct sandbox_init *init, pid_t *pid, struct note *why);

#endif
