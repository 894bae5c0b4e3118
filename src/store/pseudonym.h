/* pseudonym: letters in place of the names of teams, for what a class may see.
 *
 * The letters of a tournament are always the same, and they are independent of names, ids, places
 * and the order of the roster. They follow from the text of the roster, which the class does not
 * have. A team that entered later gets the next letter; the letters of the others do not change.
 * The qualification is listed in the order of the letters. The order of the other games is not
 * changed: a person who knows the order of the roster can find teams by their opponents.
 */
#ifndef STORE_PSEUDONYM_H
#define STORE_PSEUDONYM_H

#include "base/note.h"
#include "tournament/roster.h"
#include "tournament/tournament.h"

enum { PSEUDONYM_BYTES = 16 };

/* By team, its number among the letters: 0 for A. `text` is the roster's. */
void pseudonym_order(const char *text, const struct roster *roster, int *out);

/* "Team A", … "Team Z", "Team AA". */
void pseudonym_write(int number, char out[PSEUDONYM_BYTES]);

/* Names and ids become pseudonyms, in the roster and so in everything that is written of its
 * tournament. Students, files, and the reasons of disqualifications are removed.
 * ERR_ENVIRONMENT: no memory. */
MUST_USE enum err pseudonym_apply(const char *text, struct roster *roster, struct tournament *t,
                                  struct note *why);

/* A game's record with these names of its players and this round; NULL: as it is. With another
 * round it has no seed: that depends on the number that the game had. The caller frees; NULL: no
 * memory. */
char *pseudonym_record(const char *record, const char *black, const char *white, const char *round);

#endif
