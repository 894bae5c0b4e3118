#include "cli/operands.h"

#include <assert.h>
#include <string.h>

struct operands operands_read(const char *shorthand)
{
    struct operands operands = {0};
    for (const char *at = shorthand; *at;) {
        assert(operands.count < OPERANDS_MAX);
        size_t word_length = strcspn(at, " ");
        bool is_optional = *at == '[';
        const char *name = at + is_optional;
        size_t length = strcspn(name, " .]");
        operands.list[operands.count++] = (struct operand){name, (int)length};
        operands.required += !is_optional;
        operands.is_last_repeated = name[length] == '.';
        at += word_length + (at[word_length] == ' ');
    }
    return operands;
}

bool operand_is(struct operand operand, const char *name)
{
    return strlen(name) == (size_t)operand.length &&
           strncmp(operand.name, name, (size_t)operand.length) == 0;
}
