/* engine_args: what the commands that use the engine have in common: options, scores and lines. */
#ifndef CLI_ENGINE_ARGS_H
#define CLI_ENGINE_ARGS_H

#include <stdio.h>

#include "base/note.h"
#include "cli/args.h"
#include "engine/engine.h"

enum { ENGINE_ARGS_MAX_TIME_MS = 24 * 3600 * 1000 };

/* Two rows of a command's option table. */
#define ENGINE_ARGS_OPTIONS                                  \
    {"threads", "N", "threads of one search (1)"},           \
    {                                                        \
        "hash", "MB", "size of the transposition table (64)" \
    }

/* One row, for commands with a level. */
#define ENGINE_ARGS_LEVEL                                         \
    {                                                             \
        "level", "1..10", "strength: plum levels lists them (10)" \
    }

/* An engine with the --threads and --hash that were given. */
MUST_USE enum err engine_args_start(const struct args *args, struct engine *engine,
                                    struct note *why);

/* The game and position of the first two operands, in which a side is to move. */
MUST_USE enum err engine_args_position(const struct args *args, const struct game **game,
                                       struct state *out, struct note *why);

/* "+1.15", or "wins in 9" and "loses in 8", counted in plies. */
enum { ENGINE_ARGS_SCORE_BYTES = 24 };
void engine_args_write_score(int score, char out[ENGINE_ARGS_SCORE_BYTES]);

/* " MOVE MOVE …", each with a space before it. */
void engine_args_print_moves(FILE *out, const struct game *game, const struct move *moves,
                             size_t count);

#endif
