#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/json_out.h"

static enum err print_json(const struct game *game, const struct state *state, struct note *why)
{
    json_t *answer = json_out_position(game, state);
    if (json_object_set_new(answer, "moves", json_out_moves(game, state)) ||
        json_object_set_new(answer, "over", json_boolean(game_is_over(game, state)))) {
        json_decref(answer);
        answer = NULL;
    }
    return json_out_take(answer, why);
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    if (args_option(args, "json")) {
        return print_json(game, &state, why);
    }
    struct move moves[GAME_MAX_MOVES];
    char text[GAME_MOVE_BYTES];
    size_t count = game->moves(&state, moves);
    for (size_t i = 0; i < count; i++) {
        game_write_move(game, &moves[i], text);
        puts(text);
    }
    return ERR_NONE;
}

const struct command cmd_moves = {
    .name = "moves",
    .run = run,
    .summary = "list the legal moves",
    .operands = "GAME POSITION",
    .details = "One move a line, sorted by byte; 'pass' when the side to move has to sit out;\n"
               "nothing when the game is over.\n"
               "\n"
               "A move names squares, each by row and column: 23 in reversi and othello, 74-64\n"
               "in meichu, and in hop every square that the piece visits, 10-12-32. Of the hop\n"
               "paths that lead to the same position only the shortest is listed.",
    .options = {{"json", NULL, "{\"game\", \"position\", \"to_move\", \"moves\", \"over\"}"}},
    .examples = {{"plum moves hop start", "Black's first moves"},
                 {"plum moves othello start --json", "the same for programs"}},
};
