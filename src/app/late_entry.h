/* late_entry: a team enters a tournament that has begun.
 *
 * Its section is taken from the roster's file and added to the roster in the database, with the
 * number of rounds that were paired by then. The rest of the file has no effect. When such a team
 * plays is decided by tournament/tournament.h.
 */
#ifndef APP_LATE_ENTRY_H
#define APP_LATE_ENTRY_H

#include "base/cpu.h"
#include "base/note.h"
#include "store/tournament_file.h"
#include "tournament/roster.h"

/* `roster` is the file that has the team; NULL: the one with which the tournament began. The file
 * is open for change; what it has loaded does not change. ERR_INPUT: the team is not in the
 * roster's file, or that has *problems. ERR_NEGATIVE: it takes part already, or no team can enter
 * now. */
MUST_USE enum err late_entry_add(const struct tournament_file *file, const char *roster,
                                 const char *id, const char *reason, enum cpu_level cpu,
                                 struct roster_problems *problems, struct note *why);

#endif
