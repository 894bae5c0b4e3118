/* environment: which variables a player's program gets to see.
 *
 * In a sandbox only those that say where programs are and how to talk: a teacher's environment
 * may hold passwords.
 */
#ifndef SANDBOX_ENVIRONMENT_H
#define SANDBOX_ENVIRONMENT_H

#include <stdbool.h>

/* `extra` is "NAME=VALUE"…, NULL at the end, or NULL; it wins over what is inherited.
 * The array and its strings are freed with environment_free; NULL when out of memory. */
char **environment_make(bool is_sandboxed, const char *const *extra);

void environment_free(char **environment);

#endif
