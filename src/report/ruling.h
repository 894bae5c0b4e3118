/* ruling: a fact about a submission that a teaching assistant adds after the tournament began.
 *
 * It is an entry of the audit log, "note days_late = 2", with its team and a reason. The latest
 * about a key counts, and it counts more than the roster.
 */
#ifndef REPORT_RULING_H
#define REPORT_RULING_H

#include <stdbool.h>

#include "tournament/roster.h"

enum { RULING_BYTES = 48 };

enum ruling_key {
    RULING_DAYS_LATE,
    RULING_PLAGIARISM,
    RULING_WRONG_NAME,
    RULING_MISSING_REPORT,
    RULING_KEYS
};

/* The text in the audit log; `value` is 0 or 1, except for days_late. */
void ruling_write(enum ruling_key key, int value, char out[RULING_BYTES]);

/* Applies an entry of the audit log to the team. False: it is not a ruling, and nothing changes. */
bool ruling_apply(const char *entry, struct roster_team *team, enum ruling_key *key);

#endif
