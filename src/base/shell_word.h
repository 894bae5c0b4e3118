/* shell_word: a file's name, or any text, as one word of a command that a person can copy. */
#ifndef BASE_SHELL_WORD_H
#define BASE_SHELL_WORD_H

#include <stddef.h>

/* As it is where that is safe, else in quotes; "" in quotes if it does not fit. Returns `out`,
 * which has room for at least three bytes. */
const char *shell_word(const char *text, char *out, size_t room);

#endif
