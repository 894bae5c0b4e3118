#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"

static enum err run(const struct args *args, struct note *why)
{
    const struct game *game = NULL;
    struct state state;
    enum err err = args_position(args, &game, &state, why);
    if (err) {
        return err;
    }
    struct result result = game->result(&state);
    fputs(outcome_name(result.outcome), stdout);
    if (result.outcome != OUTCOME_ONGOING) {
        printf(" %d %d", result.score[SIDE_BLACK], result.score[SIDE_WHITE]);
    }
    putchar('\n');
    return ERR_NONE;
}

const struct command cmd_result = {
    .name = "result",
    .run = run,
    .summary = "tell whether the game is over, and who won",
    .operands = "GAME POSITION",
    .details = "Prints 'ongoing', or 'black', 'white' or 'draw' and both scores, Black's first.\n"
               "In hop a score is the number of own pieces on the own target region, in reversi\n"
               "and othello own pieces minus the other's, in meichu 1 for the winner and 0.",
    .examples = {{"plum result hop start", "ongoing"},
                 {"plum result hop \"......X./......../......../......../......../......../"
                  "......../.O...... w 9 8\"",
                  "both sides brought one piece home: a draw"}},
};
