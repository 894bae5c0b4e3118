/* qualifier: a team whose program was repaired plays its qualification again. */
#ifndef PLAY_QUALIFIER_H
#define PLAY_QUALIFIER_H

#include "base/cpu.h"
#include "base/note.h"
#include "store/tournament_file.h"
#include "tournament/tournament.h"

/* ERR_NEGATIVE: the last pairings are made, after which a team that qualifies would play no game.
 */
MUST_USE enum err qualifier_refuse_again(const struct tournament *t, struct note *why);

/* Sets the games of these teams aside, by id, so that they play them again; all of them or none.
 * What the roster's file says now about their hand-ins is taken over: play/repaired_entry.
 * `on_remark` gets a sentence for each file of a roster, and for each program that is still the
 * same. `file` is read again. ERR_NEGATIVE: a team has not played yet, or it would not be paired
 * any more. */
MUST_USE enum err qualifier_again(struct tournament_file *file, const char *const *ids, int count,
                                  const char *reason, enum cpu_level cpu,
                                  void (*on_remark)(const char *sentence), struct note *why);

#endif
