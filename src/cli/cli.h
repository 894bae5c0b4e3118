/* cli: what a command of plum is.
 *
 * A command is a constant row at the end of a file cmd_*.c; main.c lists the rows. The
 * parser, --help, the completion and the manual page all read the row, so that they
 * cannot disagree.
 *
 * A command prints its answer on stdout and returns. If it fails it describes the error
 * in `why`, in one sentence; main.c prints that and turns the error into the exit
 * code. Nothing below this layer prints or exits.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/note.h"

enum {
    CLI_MAX_OPTIONS = 28,
    CLI_MAX_REPEATS = 16,
    CLI_MAX_COMMANDS = 12,
    CLI_MAX_SUBCOMMANDS = 24
};

struct option {
    const char *name; /* without the dashes; NULL ends a table */
    /* NULL: a flag; "on|off": one of these words; else a placeholder: "FILE"; in brackets, as
     * in "[HOST:PORT]", it may be left out; as in "FILE...", it may be given several times, each
     * with one value, all such options together up to CLI_MAX_REPEATS times. */
    const char *value;
    const char *help; /* a phrase, lower case, no full stop */
};

struct args;

/* Its details and examples are in help/NAME.txt, see help_fill.h. */
struct command {
    const char *name;
    enum err (*run)(const struct args *args, struct note *why);
    const char *summary; /* a phrase, lower case, no full stop */

    /* "GAME POSITION MOVE...": [X] may be left out, X... takes one or more, [X...] any
     * number. The words COMMAND, FILE, GAME, POSITION and SHELL are completed by the shell. */
    const char *operands;

    /* NULL, or the names of the options that must be given, separated by spaces. args_fields
     * refuses a command line without them. */
    const char *required;

    struct option options[CLI_MAX_OPTIONS];

    /* NULL, or the subcommands, up to a NULL; their names begin with its name and a
     * space: "tournament run". */
    const struct command *const *subcommands;
};

struct command_group {
    const char *title;
    const struct command *commands[CLI_MAX_COMMANDS]; /* up to the first NULL */
};

/* Up to the group whose title is NULL. Defined in main.c. */
extern const struct command_group cli_groups[];

/* NULL if there is none of that name. */
const struct command *cli_find(const char *name);

/* The command `word` under that one; NULL if there is none. */
const struct command *cli_find_under(const struct command *command, const char *word);

/* The last word of its name. */
const char *cli_last_word(const struct command *command);

/* The commit that the program was built from: twelve digits of its hash, then "-dirty" if files had
 * been changed since; or "unknown". The build writes its source (tools/commit.sh). */
extern const char cli_commit[];

/* ERR_INPUT: there is no such command; the sentence names the nearest one. */
MUST_USE enum err cli_refuse(const char *name, struct note *why);
MUST_USE enum err cli_refuse_under(const struct command *command, const char *word,
                                   struct note *why);

#endif
