/* ugi_session: this program's engine as a UGI program, from the first line of input to the last.
 *
 * The calling thread reads commands and another thread searches, so `stop` and `isready` are
 * answered during a search.
 */
#ifndef APP_UGI_SESSION_H
#define APP_UGI_SESSION_H

#include <stdint.h>
#include <stdio.h>

#include "base/note.h"
#include "engine/engine.h"
#include "game/game.h"

struct ugi_settings {
    int64_t level; /* until an option changes it */
    int64_t nodes; /* the limit of every search, also if `go` has a larger one; 0: none */
};

/* Returns after `quit`. At the end of `in` a search that has a limit is finished first. Owns and
 * frees `engine`, which an option may have replaced by one of another size. ERR_ENVIRONMENT: no
 * memory. */
MUST_USE enum err ugi_session_run(FILE *in, FILE *out, const struct game *game,
                                  struct engine engine, struct ugi_settings settings,
                                  struct note *why);

#endif
