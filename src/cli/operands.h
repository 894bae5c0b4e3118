/* operands: the shorthand in which a command's row names its operands.
 *
 * "GAME POSITION MOVE..." wants a game, a position and one or more moves.
 */
#ifndef CLI_OPERANDS_H
#define CLI_OPERANDS_H

#include <stdbool.h>

enum { OPERANDS_MAX = 6 };

struct operand {
    const char *name; /* inside the shorthand; not ended by a NUL */
    int length;
};

struct operands {
    int required;
    int count; /* all of them, the optional ones too */
    bool is_last_repeated;
    struct operand list[OPERANDS_MAX];
};

struct operands operands_read(const char *shorthand);

bool operand_is(struct operand operand, const char *name);

#endif
