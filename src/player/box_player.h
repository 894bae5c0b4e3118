/* box_player: the last step of the helper: the process that becomes the player's program. */
#ifndef PLAYER_BOX_PLAYER_H
#define PLAYER_BOX_PLAYER_H

#include "player/box_job.h"
#include "player/box_programs.h"

struct box_player {
    const struct box_job *job;
    const struct box_programs *programs;
    const char *private_folder; /* as the program sees it */
    int control;
    int listener; /* -1: none; handed out with the report that all is ready */
    int folder;   /* likewise */
};

/* Takes on every limit, reports BOX_READY and executes the command; when something fails,
 * reports BOX_FAILED and ends. */
_Noreturn void box_player_run(const struct box_player *player);

#endif
