/* program: the sources of a team become a program that can be started.
 *
 * The only place where that is done, for `plum tournament init` and for `run`. The log of sources
 * that cannot be built ends with their checksum: given that log, the same sources are not compiled
 * again.
 */
#ifndef COURSE_PROGRAM_H
#define COURSE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "course/compiler.h"
#include "course/submission.h"
#include "game/game.h"
#include "player/player_spec.h"

/* Paths are seen from the current folder. */
struct program_order {
    const char *const *sources; /* Python has one */
    size_t count;
    const char *alone;  /* the source that is built first, and all only if it fails; or NULL */
    const char *folder; /* that the sources may include files of; NULL: the one they are in */
    const char *agent;  /* what sources in C and C++ become; its folder exists */
    bool is_built;      /* that is there already */
    const char *log;    /* of an earlier call, or NULL */
    const struct submission *found; /* knows the protocol; NULL: the sources show it */
    const struct compiler_options *compiler;
};

/* A zeroed struct is empty. */
struct program {
    bool is_ready;
    char command[PLAYER_TEXT_BYTES];
    enum submission_protocol protocol; /* of one that is ready */
    char *log;                         /* of the compiler; NULL: nothing was to be built */
    const char *dialect;               /* see build.h */
    struct note absence;               /* why it is not ready */
};

/* ERR_ENVIRONMENT and ERR_INTERRUPTED only. Free it in any case. */
MUST_USE enum err program_prepare(const struct program_order *order, struct program *out,
                                  struct note *why);
void program_free(struct program *program);

/* How a roster names a player that speaks this protocol: "tcp:7:./plum-agent". `number` is that of
 * its team. */
void program_write_player(const struct game *game, enum submission_protocol protocol,
                          const char *number, const char *command, char *out, size_t room);

#endif
