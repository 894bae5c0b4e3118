/* roster_remarks: what is printed about a roster on standard error. */
#ifndef CLI_ROSTER_REMARKS_H
#define CLI_ROSTER_REMARKS_H

#include "store/store.h"
#include "tournament/roster.h"

/* Several problems, one in a line; one alone is the command's error message. */
void roster_remarks_problems(const char *path, const struct roster_problems *problems);

/* Which lines of a tournament's roster were edited after it began, and so have no effect. */
void roster_remarks_print(struct store *store);

#endif
