/* help: what plum says about itself, drawn from the commands' rows. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stddef.h>

#include "cli/cli.h"

/* On stdout: what plum is, every command in one line, three examples. */
void help_overview(void);

/* On stdout: everything about one command. */
void help_command(const struct command *command);

/* What exit codes mean and which environment variables count, shared with the man page. */
struct help_entry {
    const char *term;
    const char *meaning;
};
extern const char help_about[];
extern const struct help_entry help_exit_codes[];
extern const struct help_entry help_environment[];
extern const struct example help_examples[];

#endif
