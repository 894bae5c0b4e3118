/* cmd_about: help, completion, man, version. */
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "cli/args.h"
#include "cli/help.h"

static enum err run_help(const struct args *args, struct note *why)
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
        return note_fail(why, ERR_INPUT, "'%.60s' is one argument too many", args->values[1]);
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

static enum err run_completion(const struct args *args, struct note *why)
{
    if (strcmp(args->values[0], "bash") != 0) {
        return note_fail(why, ERR_INPUT, "there is a completion for bash only, not for '%.40s'",
                         args->values[0]);
    }
    help_bash_completion(args->cpu);
    return ERR_NONE;
}

static enum err run_man(const struct args *args, struct note *why)
{
    (void)args;
    (void)why;
    help_man_page();
    return ERR_NONE;
}

static enum err run_version(const struct args *args, struct note *why)
{
    (void)why;
    if (args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        json_begin_object(&json, NULL);
        json_string(&json, "version", PLUM_VERSION);
        json_string(&json, "commit", cli_commit);
        json_end(&json);
        putchar('\n');
        return ERR_NONE;
    }
    printf("plum " PLUM_VERSION " (commit %s)\n", cli_commit);
    return ERR_NONE;
}

const struct command cmd_help = {
    .name = "help",
    .run = run_help,
    .summary = "explain plum or one of its commands",
    .operands = "[COMMAND] [SUBCOMMAND]",
};

const struct command cmd_completion = {
    .name = "completion",
    .run = run_completion,
    .summary = "print a script that completes plum's command lines",
    .operands = "SHELL",
};

const struct command cmd_man = {
    .name = "man",
    .run = run_man,
    .summary = "print the manual page",
    .operands = "",
};

const struct command cmd_version = {
    .name = "version",
    .run = run_version,
    .summary = "print the version and the commit",
    .operands = "",
    .options = {{"json", NULL, "an object {\"version\", \"commit\"}"}},
};
