#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_change.h"

static enum err run(const struct args *args, struct note *why)
{
    int game = 0;
    enum err err = tournament_change_game(args, store_annul, &game, why);
    if (!err) {
        printf("game %d counts for nobody now\n", game + 1);
    }
    return err;
}

const struct command cmd_tournament_annul = {
    .name = "tournament annul",
    .run = run,
    .summary = "strike a game's result out",
    .operands = "FILE NUMBER",
    .required = "reason",
    .details = "The game counts for neither team and is not played again; its record stays. Who\n"
               "did it, when and why is kept. Pairings that were already made stand.",
    .options = {{"reason", "TEXT", "why; it must be given"}},
    .examples = {{"plum tournament annul class.db 12 --reason 'the power failed'",
                  "game 12 does not count"}},
};
