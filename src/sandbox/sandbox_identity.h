/* sandbox_identity: who a sandboxed program is: a user without a name, without rights. */
#ifndef SANDBOX_SANDBOX_IDENTITY_H
#define SANDBOX_SANDBOX_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/note.h"

/* Always inside a sandbox; also outside when root starts it. Neither root nor nobody, which may own
 * files, and low enough for a container that maps 65536 users. */
enum { SANDBOX_USER = 65533 };

/* Makes SANDBOX_USER of a new user namespace mean that user and group outside it. `proc` is
 * a descriptor of a /proc. */
MUST_USE enum err sandbox_identity_map(int proc, uid_t outer_user, gid_t outer_group,
                                       struct note *why);

/* From root to SANDBOX_USER, for good; the standard streams become his. */
MUST_USE enum err sandbox_identity_leave_root(struct note *why);

/* The same, into a user namespace of its own: its processes are then counted by themselves. */
MUST_USE enum err sandbox_identity_leave_root_to_namespace(int proc, struct note *why);

/* Why the kernel refused a namespace, in words; `error` is an errno. */
const char *sandbox_identity_refusal(int error);

/* Gives up every capability and all ways to get one back. */
MUST_USE enum err sandbox_identity_drop_capabilities(struct note *why);

#endif
