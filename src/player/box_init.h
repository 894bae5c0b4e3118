/* box_init: the first process inside a box. It makes the namespaces habitable, starts the
 * program, and takes everything down with itself when the program has ended.
 */
#ifndef PLAYER_BOX_INIT_H
#define PLAYER_BOX_INIT_H

#include <sys/types.h>

#include "base/err.h"
#include "base/note.h"
#include "player/box_cgroup.h"
#include "player/box_job.h"

struct box_init {
    const struct box_job *job;
    const struct box_cgroup *group;
    int control;
    int status[2]; /* a pipe: the program's wait status comes out of it, as an int */
};

/* Returns in the caller, the supervisor; the init lives until the program ends, the caller
 * dies, or somebody outside kills it. Every process of the box is dead once it is reaped. */
MUST_USE enum err box_init_start(const struct box_init *init, pid_t *pid, struct note *why);

#endif
