/* sandbox_identity: who a sandboxed program is: a user without a name, without rights. */
#ifndef SANDBOX_SANDBOX_IDENTITY_H
#define SANDBOX_SANDBOX_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/note.h"

/* SANDBOX_USER: always inside a sandbox. Outside, when root starts it, one from SANDBOX_FIRST_USER
 * to SANDBOX_USER. Neither root nor nobody, which may own files; low enough for a container that
 * maps 65536 users; not assigned by Debian and systemd. */
enum { SANDBOX_FIRST_USER = 65520, SANDBOX_USER = 65533 };

/* For root: a user that no other sandbox on this machine has, until this process ends. SANDBOX_USER
 * if there is none left. The kernel counts inotify instances, pipes and processes by user: what one
 * sandbox takes must not be missing in another. */
uid_t sandbox_identity_claim(void);

/* Makes SANDBOX_USER of a new user namespace mean that user and group outside it. `proc` is a
 * descriptor of a /proc. */
MUST_USE enum err sandbox_identity_map(int proc, uid_t outer_user, gid_t outer_group,
                                       struct note *why);

/* For root: the folder becomes that user's. */
MUST_USE enum err sandbox_identity_give_folder(const char *folder, uid_t user, struct note *why);

/* From root to that user, for good; the standard streams become his. */
MUST_USE enum err sandbox_identity_leave_root(uid_t user, struct note *why);

/* The same, into a user namespace of its own: its processes are then counted by themselves. */
MUST_USE enum err sandbox_identity_leave_root_to_namespace(int proc, uid_t user, struct note *why);

/* Limits what this user namespace may take of the quotas of its user outside. Where /proc/sys is
 * read-only they stay as they are. */
void sandbox_identity_limit_quotas(int proc, int inotify_instances);

/* Why the kernel refused a namespace, in words; `error` is an errno. */
const char *sandbox_identity_refusal(int error);

/* Which setting of this machine forbids an ordinary user to make namespaces, and the command that
 * helps; NULL: none that is known. `proc` is /proc. */
const char *sandbox_identity_setting(const char *proc);

/* Gives up every capability and all ways to get one back. */
MUST_USE enum err sandbox_identity_drop_capabilities(struct note *why);

#endif
