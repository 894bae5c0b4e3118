/* ini: the lines of an INI file: sections in brackets, and keys with values.
 *
 * `key = value` or `key: value`; indentation means nothing; a line that begins with # or ; is a
 * comment, and so is what follows a space and a semicolon. It does not know which sections and keys
 * there are.
 */
#ifndef TOURNAMENT_INI_H
#define TOURNAMENT_INI_H

#include <stdbool.h>
#include <stddef.h>

enum { INI_LINE_BYTES = 4096 }; /* with the final NUL */

enum ini_kind {
    INI_SECTION, /* `key` is its name */
    INI_KEY,     /* `key` and `value`, without the spaces around them */
    INI_UNKNOWN, /* neither: `key` is the line */
    INI_UNCLOSED_SECTION,
    INI_TOO_LONG,
    INI_NOT_TEXT, /* wrong UTF-8, control characters, signs that change the direction of text */
};

/* Points into itself: do not copy. */
struct ini_line {
    enum ini_kind kind;
    int number; /* from 1 */
    const char *key;
    const char *value; /* "" without one */
    char text[INI_LINE_BYTES];
};

/* Zeroed but for the text, it begins with the first line. */
struct ini_reader {
    const char *text; /* what is left */
    size_t bytes;
    int number; /* of the last line */
};

/* The next line that is not empty and not a comment; false: there is none. */
bool ini_next(struct ini_reader *reader, struct ini_line *out);

#endif
