/* team_ids: assigns an id to each submission.
 *
 * Every submission claims ids, the best evidence first (by team: the class list, the numbers in its
 * names, the one that its program uses; by student: the program's name, the inner archive's, the
 * outer's). An id that several claim
 * goes to the one with the most evidence for it, or to none of them if the evidence is equal; the
 * others fall back on their next claim, and in the end on an id that is free. Two never get the
 * same.
 */
#ifndef COURSE_TEAM_IDS_H
#define COURSE_TEAM_IDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "tournament/roster.h"

enum { TEAM_IDS_MAX_CLAIMS = 8 };

struct team_claims {
    char ids[TEAM_IDS_MAX_CLAIMS][ROSTER_ID_BYTES];
    size_t count;
    char exact[ROSTER_ID_BYTES]; /* the id in a name that is just as the course asked for, or "" */
};

struct team_id {
    char id[ROSTER_ID_BYTES];
    bool is_free; /* none of its claims could be met, or it has none */
    int rival;    /* the submission that got, or also claims, its first claim; -1: none */
};

/* Adds a claim, with letters that an id may not have replaced. "" adds none. */
void team_claims_add(struct team_claims *claims, const char *id);

/* `are_numbers`: a free id is a number, else the first claim with a number after it. `out` has room
 * for all. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err team_ids_assign(const struct team_claims *claims, size_t count, bool are_numbers,
                                  struct team_id *out, struct note *why);

#endif
