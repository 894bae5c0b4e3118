/* sandbox_landlock: which files a program may read and write, by rule, even among those that it can
 * see.
 *
 * Inside namespaces this is a second wall; without them it is the only one.
 */
#ifndef SANDBOX_SANDBOX_LANDLOCK_H
#define SANDBOX_SANDBOX_LANDLOCK_H

#include "base/note.h"
#include "sandbox/sandbox_player.h"

/* Of the kernel's interface; negative: there is no Landlock. */
int sandbox_landlock_version(void);

/* From which version on a right to write is needed to cut off a file. */
enum { SANDBOX_LANDLOCK_TRUNCATE = 3 };

/* For this process and all it starts, for good. Needs no_new_privs. */
MUST_USE enum err sandbox_landlock_apply(const struct sandbox_player *player, struct note *why);

#endif
