#include <limits.h>
#include <stdio.h>

#include "base/shell_word.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_change.h"

static enum err run(const struct args *args, struct note *why)
{
    int game = 0;
    enum err err = tournament_change_game(args, store_replay, &game, why);
    if (!err) {
        char word[PATH_MAX];
        printf("game %d will be played again by: plum tournament resume %s\n", game + 1,
               shell_word(args->values[0], word, sizeof word));
    }
    return err;
}

const struct command cmd_tournament_replay = {
    .name = "tournament replay",
    .run = run,
    .summary = "have a game played again",
    .operands = "FILE NUMBER",
    .required = "reason",
    .details = "Sets the result aside: the next 'plum tournament resume' plays the game again,\n"
               "with the same seed. An annulled game can be played again, too. The old result and\n"
               "its record stay in the database; who did it, when and why is kept. Pairings that\n"
               "were already made stand.",
    .options = {{"reason", "TEXT", "why; it must be given"}},
    .examples = {{"plum tournament replay class.db 12 --reason 'the machine was busy'",
                  "game 12 once more"}},
};
