/* typed_move: moves as people type them.
 *
 * A move is the squares it names, row then column: 10-12-32, 10 12 32, (1,0) (1,2) (3,2). Where
 * a piece has only one way from one square to another, the two are enough: 10 32.
 */
#ifndef APP_TYPED_MOVE_H
#define APP_TYPED_MOVE_H

#include <stddef.h>

#include "base/err.h"
#include "base/note.h"
#include "game/game.h"

/* The legal moves that may be meant: one, or several between which the text does not decide.
 * `out` has room for GAME_MAX_MOVES. ERR_INPUT: the text does not name squares; ERR_NEGATIVE: no
 * such move is legal. */
MUST_USE enum err typed_move_read(const struct game *game, const struct state *state,
                                  const char *text, struct move *out, size_t *count,
                                  struct note *why);

/* The legal moves that begin on the only square that the text names. */
MUST_USE enum err typed_move_from(const struct game *game, const struct state *state,
                                  const char *text, struct move *out, size_t *count,
                                  struct note *why);

#endif
