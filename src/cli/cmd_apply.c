#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"

/* Plays the move in `text`; any refusal is a negative answer. */
static enum err play(const struct game *game, struct state *state, const char *text,
                     struct note *why)
{
    struct move move;
    enum err err = game_read_move(game, text, &move, why);
    if (!err) {
        err = game->apply(state, &move, why);
    }
    return err ? ERR_NEGATIVE : ERR_NONE;
}

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = args_position(args, &game, &state, why);
    for (int i = 2; !err && i < args->count; i++) {
        err = play(game, &state, args->values[i], why);
        if (err) {
            note_prefix(why, "move %d, '%.40s'", i - 1, args->values[i]);
        }
    }
    if (!err) {
        char position[GAME_POSITION_BYTES];
        game->write_position(&state, position);
        puts(position);
    }
    return err;
}

const struct command cmd_apply = {
    .name = "apply",
    .run = run,
    .summary = "play moves and print the position after",
    .operands = "GAME POSITION MOVE...",
    .details = "Plays the moves in order, sides alternating; a forced 'pass' is a move like any\n"
               "other. Nothing is printed unless every move is legal: else the exit code is 1 and\n"
               "the reason names the move, the square and the rule.\n"
               "\n"
               "hop accepts every valid path, not only the listed one, and 'skip' for a turn that\n"
               "was lost by a fault.",
    .examples = {{"plum apply hop start 22-23 35-34", "a step by each side"},
                 {"plum apply othello start 23 22 21", "three moves"}},
};
