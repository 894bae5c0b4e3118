/* args: a command line, checked against the command's row.
 *
 * It knows the form of options and operands and reads numbers, texts and flags into the fields of a
 * command. What the values mean is the command's matter.
 */
#ifndef CLI_ARGS_H
#define CLI_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cpu.h"
#include "base/note.h"
#include "cli/cli.h"
#include "game/game.h"

/* The number of operands is right, every option is known, given no more often than
 * its row allows, and has its value. */
struct args {
    const struct command *command;
    enum cpu_level cpu;
    int count;
    char **values;                        /* the operands: what is left without the options */
    const char *options[CLI_MAX_OPTIONS]; /* as in the row; NULL: absent; a flag is "" */
    const char
        *repeats[CLI_MAX_REPEATS + 1]; /* of options such as "FILE...", in order; then NULL */
    int repeat_count;
    int repeat_options[CLI_MAX_REPEATS]; /* which option each of them is */
};

/* "FILE...": the option may be given several times. */
bool args_may_repeat(const struct option *option);

/* Whether the row's `required` names the option. */
bool args_is_required(const struct command *command, const char *name);

/* Whether --help or -h comes before any `--`. */
bool args_ask_for_help(int argc, char **argv);

/* Options may come anywhere before `--`; a dash and a letter mean the only option that
 * begins with it. `argv` is reordered and must outlive *out.
 * Refusals are ERR_INPUT. */
MUST_USE enum err args_read(const struct command *command, int argc, char **argv, struct args *out,
                            struct note *why);

/* The option's value, the first if there are several, NULL when it was not given. The name must be
 * in the row. */
const char *args_option(const struct args *args, const char *name);

/* The values of an option that may repeat, in order, with a NULL after them; returns how many. */
int args_list(const struct args *args, const char *name, const char *out[CLI_MAX_REPEATS + 1]);

/* Where the value of one option goes, and which values are valid. */
struct args_field {
    const char *name;
    enum args_type {
        ARGS_INT,     /* an int from `low` to `high` */
        ARGS_INT64,   /* likewise */
        ARGS_UINT64,  /* likewise; `low` is at least 0 */
        ARGS_SECONDS, /* an int64_t in nanoseconds; the bounds are nanoseconds */
        ARGS_TEXT,    /* a const char *, inside the command line */
        ARGS_FLAG,    /* a bool: whether it was given */
    } type;
    void *out; /* untouched when the option was not given */
    int64_t low;
    int64_t high;
};

/* Reads the fields in order up to one without a name. An option that the row's `required` names
 * must be given. */
MUST_USE enum err args_fields(const struct args *args, const struct args_field *fields,
                              struct note *why);

/* args_fields with the fields in place. */
#define ARGS_FIELDS(args, why, ...) \
    args_fields((args), (const struct args_field[]){__VA_ARGS__, {0}}, (why))

/* The game named by the first operand. */
MUST_USE enum err args_game(const struct args *args, const struct game **game, struct note *why);

/* That game and the position in the second operand, which must be there. */
MUST_USE enum err args_position(const struct args *args, const struct game **game,
                                struct state *out, struct note *why);

/* --- The short form in which a row names operands. --- */

enum { OPERANDS_MAX = 6 };

struct operand {
    const char *name; /* inside the text; not ended by a NUL */
    int length;
};

/* "GAME POSITION MOVE..." requires a game, a position and one or more moves. */
struct operands {
    int required;
    int count; /* with the optional ones */
    bool is_last_repeated;
    struct operand list[OPERANDS_MAX];
};

struct operands operands_read(const char *text);
bool operand_is(struct operand operand, const char *name);

/* The name, from a list that ends with NULL, that a mistyped word is nearest to; NULL if none is
 * near. */
const char *args_suggest(const char *typed, const char *const *names);

#endif
