#include "cli/engine_args.h"

#include <stdlib.h>

#include "base/number.h"

enum err engine_args_start(const struct args *args, struct engine *engine, struct note *why)
{
    int threads = 1;
    int hash_mb = ENGINE_DEFAULT_HASH_MB;
    enum err err = ARGS_FIELDS(args, why, {"threads", ARGS_INT, &threads, 1, ENGINE_MAX_THREADS},
                               {"hash", ARGS_INT, &hash_mb, 1, ENGINE_MAX_HASH_MB});
    return err ? err : engine_init(engine, hash_mb, threads, why);
}

enum err engine_args_position(const struct args *args, const struct game **game, struct state *out,
                              struct note *why)
{
    enum err err = args_position(args, game, out, why);
    if (!err && game_is_over(*game, out)) {
        err = note_fail(why, ERR_NEGATIVE, "the game is over: there is no side to move");
    }
    return err;
}

void engine_args_write_score(int score, char out[ENGINE_ARGS_SCORE_BYTES])
{
    int size = abs(score);
    if (size > ENGINE_WIN_BOUND) {
        snprintf(out, ENGINE_ARGS_SCORE_BYTES, "%s in %d", score > 0 ? "wins" : "loses",
                 ENGINE_WIN - size);
    } else {
        number_write_hundredths(score, out);
    }
}

void engine_args_print_moves(FILE *out, const struct game *game, const struct move *moves,
                             size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[GAME_MOVE_BYTES];
        game_write_move(game, &moves[i], text);
        fprintf(out, " %s", text);
    }
}
