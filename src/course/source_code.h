/* source_code: what of a source in C, C++ or Python is code: without comments, and if wanted
 * without text in quotes.
 *
 * Works on tokens and understands no grammar. What is left out becomes spaces, and every line keeps
 * its number. Comments are also Python's strings that are a statement of their own (docstrings) and
 * the parts of a C source that `#if 0` and `#if 1` leave out; other conditions are not evaluated.
 */
#ifndef COURSE_SOURCE_CODE_H
#define COURSE_SOURCE_CODE_H

#include <stdbool.h>

enum source_quotes {
    SOURCE_QUOTES_KEPT,
    SOURCE_QUOTES_EMPTY, /* the quotes stay, what is in them does not */
};

/* For the caller to free; NULL: no memory. */
char *source_code_of(const char *text, bool is_python, enum source_quotes quotes);

#endif
