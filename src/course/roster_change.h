/* roster_change: lines of a roster that were changed after its tournament began.
 *
 * A tournament keeps the roster with which it was created; what is edited afterwards has no effect.
 * This finds the edits and names the command to use instead.
 */
#ifndef COURSE_ROSTER_CHANGE_H
#define COURSE_ROSTER_CHANGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "store/store.h"
#include "tournament/tournament.h"

/* The file with which the tournament began: its name, and its path. */
void roster_change_path(struct store *store, char name[NAME_MAX + 1], char path[PATH_MAX]);

/* One sentence for each line of the tournament's roster file that was changed, added or removed, in
 * the order of the file, whose name is put into `name`. Returns how many there are, of which at
 * most `room` are written; 0 also when the file cannot be read. `t` is the tournament of the store.
 */
size_t roster_change_find(struct store *store, const struct tournament *t, char name[NAME_MAX + 1],
                          struct note *out, size_t room);

/* Whether `roster` is the text of the tournament's roster: without an edit, except that it may lack
 * what `plum tournament enter` has written. */
bool roster_change_is_none(const struct store *store, const char *roster);

#endif
