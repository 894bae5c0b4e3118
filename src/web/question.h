/* question: what somebody wants to know, as names with values.
 *
 * It comes from a URL's query or from a page's own worker; whoever made it keeps the texts.
 */
#ifndef WEB_QUESTION_H
#define WEB_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "game/game.h"

enum {
    QUESTION_MAX_FIELDS = 16,
    QUESTION_MAX_PLIES = 1100, /* as many as a record may have */
};

/* A zeroed struct asks nothing. */
struct question {
    size_t count;
    struct {
        const char *name;
        const char *value;
    } fields[QUESTION_MAX_FIELDS];
};

/* False when there are too many, or one of that name already. */
MUST_USE bool question_add(struct question *question, const char *name, const char *value);

/* NULL: it was not said. */
const char *question_get(const struct question *question, const char *name);

/* *out is untouched when the field is absent. */
MUST_USE enum err question_number(const struct question *question, const char *name, int64_t low,
                                  int64_t high, int64_t *out, struct note *why);

/* The fields `game` and `position` (absent: the start), with the moves in `moves` played. ERR_INPUT
 * and ERR_NEGATIVE as in game.h. */
MUST_USE enum err question_position(const struct question *question, enum cpu_level cpu,
                                    const struct game **game, struct state *out, struct note *why);

#endif
