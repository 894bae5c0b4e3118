#include "cli/json_out.h"

#include <stdio.h>

enum err json_out_take(json_t *value, struct note *why)
{
    if (!value) {
        note_set(why, "there is not enough memory for the answer");
        return ERR_ENVIRONMENT;
    }
    /* A failed write shows in stdout's error flag, which main checks at the end. */
    json_dumpf(value, stdout, JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(value);
    return ERR_NONE;
}

json_t *json_out_append(json_t *list, json_t *item)
{
    if (json_array_append_new(list, item)) {
        json_decref(list);
        return NULL;
    }
    return list;
}

json_t *json_out_position(const struct game *game, const struct state *state)
{
    char position[GAME_POSITION_BYTES];
    game->write_position(state, position);
    return json_pack("{s:s, s:s, s:s}", "game", game->name, "position", position, "to_move",
                     side_name(game->to_move(state)));
}

json_t *json_out_moves(const struct game *game, const struct state *state)
{
    struct move moves[GAME_MAX_MOVES];
    char text[GAME_MOVE_BYTES];
    json_t *list = json_array();
    size_t count = game->moves(state, moves);
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        list = json_out_append(list, json_string(text));
    }
    return list;
}
