/* sandbox_player: the last step of the helper: the process that becomes the player's program. */
#ifndef SANDBOX_SANDBOX_PLAYER_H
#define SANDBOX_SANDBOX_PLAYER_H

#include "sandbox/sandbox_folder.h"
#include "sandbox/sandbox_job.h"
#include "sandbox/sandbox_programs.h"

struct sandbox_player {
    const struct sandbox_job *job;
    const struct sandbox_programs *programs;
    const struct sandbox_folder *entries; /* what it sees of its folder */
    const char *private_folder;           /* as the program sees it */
    int control;
    int listener; /* -1: none; handed out with the report that all is ready */
    int watch;    /* a socket to the supervisor, for the listener of its filter; -1: not watched */
};

/* Takes on every limit, reports SANDBOX_READY and executes the command; when something fails,
 * reports SANDBOX_FAILED and ends. */
_Noreturn void sandbox_player_run(const struct sandbox_player *player);

#endif
