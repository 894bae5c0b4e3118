/* args: a command line, checked against the command's row. */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "cli/cli.h"
#include "game/game.h"

/* The number of operands is right, every option is known, given no more often than
 * its row allows, and has its value. */
struct args {
    const struct command *command;
    enum cpu_level cpu;
    int count;
    char **values;                            /* the operands: what is left without the options */
    const char *options[CLI_MAX_OPTIONS];     /* as in the row; NULL: absent; a flag is "" */
    const char *repeats[CLI_MAX_REPEATS + 1]; /* of the row's "FILE...", in order; then NULL */
    int repeat_count;
};

/* "FILE...": the option may be given several times. */
bool args_may_repeat(const struct option *option);

/* Whether --help or -h stands before any `--`. */
bool args_ask_for_help(int argc, char **argv);

/* Options may stand anywhere before `--`; a dash and a letter stand for the only option that
 * begins with it. `argv` is reordered and must outlive *out.
 * Refusals are ERR_INPUT. */
MUST_USE enum err args_read(const struct command *command, int argc, char **argv, struct args *out,
                            struct note *why);

/* The option's value, the first if there are several, NULL when it was not given. The name must be
 * in the row. */
const char *args_option(const struct args *args, const char *name);

/* *out is untouched when the option was not given. */
MUST_USE enum err args_number(const struct args *args, const char *name, int64_t low, int64_t high,
                              int64_t *out, struct note *why);

/* The game named by the first operand. */
MUST_USE enum err args_game(const struct args *args, const struct game **game, struct note *why);

/* That game and the position in the second operand. */
MUST_USE enum err args_position(const struct args *args, const struct game **game,
                                struct state *out, struct note *why);

#endif
