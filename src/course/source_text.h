/* source_text: a C or C++ source, whatever editor saved it, as UTF-8.
 *
 * Visual Studio writes UTF-16 or a byte order mark in front of UTF-8; in Taiwan it wrote
 * Big-5, where the second byte of a character may be a backslash, and so joins a comment to
 * the next line for every compiler that takes bytes for letters.
 */
#ifndef COURSE_SOURCE_TEXT_H
#define COURSE_SOURCE_TEXT_H

#include <stddef.h>

#include "base/note.h"

/* Knows UTF-8 and UTF-16 with or without a mark, then tries Big-5; anything else is taken for
 * Latin-1. *out becomes a text without mark and carriage returns, ended by a NUL; the caller
 * frees it. Bytes that are not a text: ERR_INPUT. */
MUST_USE enum err source_text_decode(const char *bytes, size_t size, char **out, struct note *why);

#endif
