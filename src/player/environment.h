/* environment: which variables a player's program gets to see.
 *
 * In a box only those that say where programs are and how to talk: a teacher's environment
 * may hold passwords.
 */
#ifndef PLAYER_ENVIRONMENT_H
#define PLAYER_ENVIRONMENT_H

#include <stdbool.h>

/* `extra` is "NAME=VALUE"…, NULL at the end, or NULL; it wins over what is inherited.
 * The array and its strings are freed with environment_free; NULL when out of memory. */
char **environment_make(bool is_boxed, const char *const *extra);

void environment_free(char **environment);

#endif
