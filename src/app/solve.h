/* solve: the exact value of a position within a time limit. */
#ifndef APP_SOLVE_H
#define APP_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "engine/engine.h"

struct solve_options {
    bool all;         /* every optimal move, not only one */
    int64_t limit_ns; /* 0: none */

    /* Called about ten times a second from another thread, or NULL. */
    void (*on_progress)(void *owner, int64_t elapsed_ns);
    void *owner;
};

/* ERR_NEGATIVE: not solved within the limit, or the position is too far from its end. The game must
 * not be over. */
MUST_USE enum err solve_position(struct engine *engine, const struct game *game,
                                 const struct state *state, const struct solve_options *options,
                                 struct engine_solution *out, struct note *why);

#endif
