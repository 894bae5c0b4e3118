#include "cli/args.h"
#include "cli/cli.h"
#include "cli/help.h"

static enum err run(const struct args *args, struct note *why)
{
    if (args->count == 0) {
        help_overview();
        return ERR_NONE;
    }
    const struct command *command = cli_find(args->values[0]);
    if (!command) {
        return cli_refuse(args->values[0], why);
    }
    if (args->count > 1 && !command->subcommands) {
        note_set(why, "'%.60s' is one argument too many", args->values[1]);
        return ERR_INPUT;
    }
    if (args->count > 1) {
        const struct command *under = cli_find_under(command, args->values[1]);
        if (!under) {
            return cli_refuse_under(command, args->values[1], why);
        }
        command = under;
    }
    help_command(command);
    return ERR_NONE;
}

const struct command cmd_help = {
    .name = "help",
    .run = run,
    .summary = "explain plum or one of its commands",
    .operands = "[COMMAND] [SUBCOMMAND]",
    .details = "Without an argument it lists the commands, with one it says what 'plum COMMAND\n"
               "--help' says.",
    .examples = {{"plum help", "what there is"}, {"plum help show", "all about plum show"}},
};
