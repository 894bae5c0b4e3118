/* source_token: the form of a source in C, C++ or Python, as a list of tokens.
 *
 * All names are alike, and so are all numbers and all strings; comments and spaces are left out.
 */
#ifndef COURSE_SOURCE_TOKEN_H
#define COURSE_SOURCE_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

/* Takes the next token from *text: where it begins, and a number for its kind. False: the text has
 * ended. */
bool source_token_next(const char **text, bool is_python, const char **begin, uint64_t *out);

#endif
