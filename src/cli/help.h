/* help: what plum prints about itself, all of it from the commands' rows: help texts, the manual
 * page, and a script that completes command lines. Everything goes to stdout.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "base/cpu.h"
#include "cli/cli.h"

/* What plum is, every command in one line, three examples. */
void help_overview(void);

/* Everything about one command. */
void help_command(const struct command *command);

/* The manual page, in roff. */
void help_man_page(void);

/* The completion script for bash. The processor level only serves to list the games. */
void help_bash_completion(enum cpu_level cpu);

/* What the overview and the manual page share. */
struct help_entry {
    const char *term;
    const char *meaning;
};
extern const struct help_entry help_exit_codes[];
extern const struct help_entry help_environment[];
extern const struct command help_plum; /* has a text only */

#endif
