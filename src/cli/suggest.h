/* suggest: the word that somebody probably meant. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

/* The name nearest to `typed` by mistyped, missing and surplus letters; NULL when none is
 * near. `names` ends with NULL. */
const char *suggest(const char *typed, const char *const *names);

#endif
