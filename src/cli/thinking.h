/* thinking: what the commands that use the engine have in common. */
#ifndef CLI_THINKING_H
#define CLI_THINKING_H

#include <jansson.h>

#include "base/err.h"
#include "base/note.h"
#include "cli/args.h"
#include "engine/engine.h"

/* Two rows of a command's option table. */
#define THINKING_OPTIONS                                      \
    {"threads", "N", "threads that think together (1)"},      \
    {                                                         \
        "hash", "MB", "memory for what was found before (64)" \
    }

/* An engine as --threads and --hash ask for. */
MUST_USE enum err thinking_start(const struct args *args, struct engine *engine, struct note *why);

/* Refuses a position in which there is nothing to think about. */
MUST_USE enum err thinking_needs_move(const struct game *game, const struct state *state,
                                      struct note *why);

/* "+1.15", or "wins in 9" and "loses in 8", counted in plies. */
enum { THINKING_SCORE_BYTES = 24 };
void thinking_write_score(int score, char out[THINKING_SCORE_BYTES]);

/* The moves' texts; NULL without memory. */
json_t *thinking_line_json(const struct game *game, const struct engine_line *line);

#endif
