/* other_language: sources in languages that init neither builds nor starts, and how a person would.
 *
 * Such a program plays if the roster has its command: the judge starts any command.
 */
#ifndef COURSE_OTHER_LANGUAGE_H
#define COURSE_OTHER_LANGUAGE_H

#include <stddef.h>

struct other_language {
    const char *name;
    const char *ending; /* of its sources */
    const char *build;  /* a command with %f for the source, %s for it without its ending; or "" */
    const char *start;  /* likewise; never "" */
};

/* By the name of a file; NULL: it is not in one of these languages. */
const struct other_language *other_language_of(const char *name);

/* How likely a source of that name is the program: more is likelier. */
int other_language_likelihood(const char *name);

/* `command` for that source. */
void other_language_write(const char *command, const char *source, char *out, size_t room);

#endif
