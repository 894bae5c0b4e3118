/* json_out: an answer for programs, and the words that every such answer shares. */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

#include <jansson.h>

#include "base/err.h"
#include "base/note.h"
#include "game/game.h"

/* Prints one line on stdout and gives `value` back to jansson. NULL stands for a value that
 * could not be built: ERR_ENVIRONMENT. */
MUST_USE enum err json_out_take(json_t *value, struct note *why);

/* Takes both; returns the list, or NULL when either is NULL or memory ran out. */
json_t *json_out_append(json_t *list, json_t *item);

/* {"game": …, "position": …, "to_move": …} */
json_t *json_out_position(const struct game *game, const struct state *state);

/* Every legal move's text, sorted. */
json_t *json_out_moves(const struct game *game, const struct state *state);

#endif
