/* utf8: text, as opposed to arbitrary bytes. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* The length in bytes of the character that `text` begins with, if it is well-formed UTF-8; else 0,
 * and *out is untouched. The text ends with a NUL. */
size_t utf8_decode(const char *text, uint32_t *out);

/* The length in bytes of the character that `text` begins with, if it is well-formed UTF-8
 * and neither a control character nor one that turns the direction of text; else 0. The text ends
 * with a NUL. */
size_t utf8_printable(const char *text);

/* How many columns of a terminal such a character takes: 2 for Chinese, Japanese, Korean and most
 * pictures, 0 for marks combined with the one before, else 1. */
size_t utf8_columns(const char *character);

/* How many bytes of the text, up to the first that is not such a character, fit into `room` columns
 * (SIZE_MAX: any number). *used, unless NULL, becomes the number of columns. */
size_t utf8_fit(const char *text, size_t room, size_t *used);

/* How many of the `length` bytes at the front are such characters and tabs. A NUL follows
 * the bytes. */
size_t utf8_clean_prefix(const char *text, size_t length);

/* Copies as many whole characters as fit, with a NUL after them; each byte of anything else
 * becomes '?'. */
void utf8_clean(const char *text, char *out, size_t room);

#endif
