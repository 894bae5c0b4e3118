#include "base/shell_word.h"

#include <string.h>

static size_t quoted_length(const char *text)
{
    size_t length = 2;
    for (; *text; text++) {
        length += *text == '\'' ? strlen("'\\''") : 1;
    }
    return length;
}

const char *shell_word(const char *text, char *out, size_t room)
{
    static const char signs_of_the_shell[] = " \t\n'\"$`\\&|;<>()*?[]{}#~!=%^";
    if (*text && *text != '-' && !strpbrk(text, signs_of_the_shell) && strlen(text) < room) {
        return memcpy(out, text, strlen(text) + 1);
    }
    if (quoted_length(text) >= room) {
        return memcpy(out, "''", sizeof "''");
    }
    char *at = out;
    *at++ = '\'';
    for (; *text; text++) {
        if (*text == '\'') {
            at = mempcpy(at, "'\\''", strlen("'\\''"));
        } else {
            *at++ = *text;
        }
    }
    memcpy(at, "'", sizeof "'");
    return out;
}
