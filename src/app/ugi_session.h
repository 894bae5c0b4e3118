/* ugi_session: our engine as a UGI program, from the first line on stdin to the last.
 *
 * The calling thread listens, another one thinks, so that `stop` and `isready` are always
 * heard.
 */
#ifndef APP_UGI_SESSION_H
#define APP_UGI_SESSION_H

#include <stdint.h>

#include "base/err.h"
#include "base/note.h"
#include "engine/engine.h"
#include "game/game.h"

struct ugi_settings {
    int64_t level; /* until an option says otherwise */
    int64_t nodes; /* the most for any search, whatever `go` says; 0: no such limit */
};

/* Returns after `quit`, or at the end of stdin when a search that has an end has ended. Takes
 * over `engine`, which may have been replaced by another one of a different size, and frees
 * it. Refused: ERR_ENVIRONMENT. */
MUST_USE enum err ugi_session_take(const struct game *game, struct engine engine,
                                   struct ugi_settings settings, struct note *why);

#endif
