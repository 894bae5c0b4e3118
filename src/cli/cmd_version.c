#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"

static enum err run(const struct args *args, struct note *why)
{
    (void)args;
    (void)why;
    puts("plum " PLUM_VERSION);
    return ERR_NONE;
}

const struct command cmd_version = {
    .name = "version",
    .run = run,
    .summary = "print the version",
    .operands = "",
    .details = "The same as 'plum --version'.",
    .examples = {{"plum version", "print it"}},
};
