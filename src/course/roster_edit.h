/* roster_edit: replaces keys of one section of a roster and keeps every other line as it is.
 *
 * For what a person has edited by hand: comments, order, empty lines and keys that are not replaced
 * stay.
 */
#ifndef COURSE_ROSTER_EDIT_H
#define COURSE_ROSTER_EDIT_H

#include <stdbool.h>
#include <stdio.h>

struct roster_edit {
    const char *kind; /* "team" */
    const char *id;
    const char *const *replaced; /* keys that leave the section; then NULL */
    const char *comments;        /* whole lines for its beginning, or "" */
    const char *lines;           /* whole lines in place of the keys */
    const char *name_of_old;     /* comments at its beginning get this before them; NULL: nothing */
};

/* The whole text with the section changed, or, if it has none such, with one added after the last
 * of its kind. The caller frees. NULL: no memory. */
char *roster_edit_apply(const char *text, const struct roster_edit *edit);

/* Writes the lines of the section that have these keys, up to NULL. With `others` its header, after
 * an empty line, and those that do not. Without comments. */
void roster_edit_write(FILE *out, const char *text, const char *kind, const char *id,
                       const char *const *keys, bool others);

#endif
