/* protocol_trial: which protocol a program speaks, found out by asking it for its first move. */
#ifndef APP_PROTOCOL_TRIAL_H
#define APP_PROTOCOL_TRIAL_H

#include <stdbool.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "course/submission.h"
#include "game/game.h"
#include "sandbox/sandbox.h"

struct protocol_trial {
    const struct game *game;
    enum cpu_level cpu;
    const struct sandbox *sandbox;
    const char *python;  /* what runs programs in Python; NULL: python3 */
    const char *command; /* seen from the current folder */
    const char *team;    /* the number that the program sends, or has in the names of its files */
};

/* Tries the protocol of the game's assignment first, then the other one. SUBMISSION_UNCLEAR: it
 * answered in neither. ERR_ENVIRONMENT: it could not be tried; ERR_INTERRUPTED. */
MUST_USE enum err protocol_trial_run(const struct protocol_trial *trial,
                                     enum submission_protocol *out, struct note *why);

#endif
