#include <string.h>

#include "cli/args.h"
#include "cli/cli.h"
#include "cli/completion.h"

static enum err run(const struct args *args, struct note *why)
{
    static const struct {
        const char *name;
        void (*print)(enum cpu_level cpu);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++) {
        if (strcmp(args->values[0], shells[i].name) == 0) {
            shells[i].print(args->cpu);
            return ERR_NONE;
        }
    }
    note_set(why, "the shells are bash, zsh and fish, not '%.40s'", args->values[0]);
    return ERR_INPUT;
}

const struct command cmd_completion = {
    .name = "completion",
    .run = run,
    .summary = "print a script that completes plum's command lines",
    .operands = "SHELL",
    .details = "SHELL is bash, zsh or fish. The script completes commands, options and the names\n"
               "of games.",
    .examples = {{"plum completion bash > plum.bash", "then: source plum.bash"},
                 {"plum completion zsh > _plum", "into a folder of zsh's $fpath"},
                 {"plum completion fish > plum.fish", "into ~/.config/fish/completions"}},
};
