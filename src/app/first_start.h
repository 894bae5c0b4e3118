/* first_start: what programs do when they are started for the first time: the number of a team that
 * they send over TCP, or that is in the names of the files that they open.
 *
 * Each program gets both at once: a judge on port 8888 and a folder of its own in which state_N.txt
 * exists for every N that a team may have. The first thing that it does decides; then it is ended.
 */
#ifndef APP_FIRST_START_H
#define APP_FIRST_START_H

#include <stdatomic.h>
#include <stddef.h>

#include "base/note.h"
#include "course/submission.h"
#include "game/game.h"
#include "sandbox/sandbox.h"

enum {
    FIRST_START_NUMBERS = 1000, /* -1 and all below this have their file, and more if given */
    FIRST_START_S = 10,         /* for it to do something, as a player has to start */
};

struct first_start {
    const char *command; /* seen from the current folder */
    const int *numbers;  /* more that it may have */
    size_t number_count;

    enum submission_protocol protocol; /* the result: UNCLEAR: it did neither */
    int number;                        /* where it did */
    struct note ending;                /* where it did not: what became of it */
};

struct first_start_setup {
    const struct game *game;
    const struct sandbox *sandbox;
    const char *python;      /* what runs programs in Python; NULL: python3 */
    int at_once;             /* how many are started at the same time */
    const atomic_bool *stop; /* ends it, with ERR_INTERRUPTED; NULL: never */
};

/* Blocks. ERR_ENVIRONMENT: this machine ran out of something. */
MUST_USE enum err first_start_run(const struct first_start_setup *setup, struct first_start *list,
                                  size_t count, struct note *why);

#endif
