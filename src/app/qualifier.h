/* qualifier: plays the qualification of a tournament, each team against random.
 *
 * For the runner it is a tournament of its own, whose roster has one more team: random. The games
 * go into the same database. What they mean is known to tournament/qualification.
 */
#ifndef APP_QUALIFIER_H
#define APP_QUALIFIER_H

#include "app/tournament_runner.h"
#include "base/err.h"
#include "base/note.h"
#include "tournament/tournament.h"

/* Plays what is due in `t` and reads it back. The runner's options are those for `t`;
 * ERR_INTERRUPTED: Ctrl-C; what was finished is kept. */
MUST_USE enum err qualifier_play(const struct tournament_runner_options *options,
                                 struct tournament *t, struct note *why);

#endif
