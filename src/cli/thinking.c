#include "cli/thinking.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/json_out.h"

enum err thinking_start(const struct args *args, struct engine *engine, struct note *why)
{
    int64_t threads = 1;
    int64_t hash_mb = ENGINE_DEFAULT_HASH_MB;
    enum err err = args_number(args, "threads", 1, ENGINE_MAX_THREADS, &threads, why);
    if (!err) {
        err = args_number(args, "hash", 1, ENGINE_MAX_HASH_MB, &hash_mb, why);
    }
    return err ? err : engine_init(engine, (int)hash_mb, (int)threads, why);
}

enum err thinking_needs_move(const struct game *game, const struct state *state, struct note *why)
{
    if (!game_is_over(game, state)) {
        return ERR_NONE;
    }
    note_set(why, "the game is over: nobody is to move");
    return ERR_NEGATIVE;
}

void thinking_write_score(int score, char out[THINKING_SCORE_BYTES])
{
    int size = abs(score);
    if (size > ENGINE_WIN_BOUND) {
        snprintf(out, THINKING_SCORE_BYTES, "%s in %d", score > 0 ? "wins" : "loses",
                 ENGINE_WIN - size);
    } else {
        snprintf(out, THINKING_SCORE_BYTES, "%c%d.%02d", score < 0 ? '-' : '+', size / 100,
                 size % 100);
    }
}

json_t *thinking_line_json(const struct game *game, const struct engine_line *line)
{
    char text[GAME_MOVE_BYTES];
    json_t *moves = json_array();
    for (int i = 0; i < line->count; i++) {
        game_write_move(game, &line->moves[i], text);
        moves = json_out_append(moves, json_string(text));
    }
    return moves;
}
