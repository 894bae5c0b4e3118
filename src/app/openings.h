/* openings: positions from a file, one a line, for a match to start from. */
#ifndef APP_OPENINGS_H
#define APP_OPENINGS_H

#include <stddef.h>

#include "base/note.h"
#include "game/game.h"

enum { OPENINGS_MAX = 1000000 };

struct openings {
    struct state *states;
    size_t count;
};

/* Empty lines and lines that begin with '#' and a space are ignored. A bad line is ERR_INPUT
 * and named by its number; so are a finished game and a file without a position. */
MUST_USE enum err openings_read(const struct game *game, const char *path, struct openings *out,
                                struct note *why);
void openings_free(struct openings *openings);

#endif
