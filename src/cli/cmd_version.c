#include <stdio.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/commit.h"
#include "cli/json_out.h"

static enum err run(const struct args *args, struct note *why)
{
    if (args_option(args, "json")) {
        return json_out_take(
            json_pack("{s:s, s:s}", "version", PLUM_VERSION, "commit", commit_name), why);
    }
    printf("plum " PLUM_VERSION " (commit %s)\n", commit_name);
    return ERR_NONE;
}

const struct command cmd_version = {
    .name = "version",
    .run = run,
    .summary = "print the version and the commit",
    .operands = "",
    .details =
        "The same as 'plum --version'. The commit is the one that the program was built from: "
        "'-dirty' means that files had been changed since, 'unknown' that it was built "
        "without git.",
    .options = {{"json", NULL, "an object {\"version\", \"commit\"}"}},
    .examples = {{"plum version", "print it"}, {"plum version --json", "the same for programs"}},
};
