/* sandbox_landlock: which files a program may read and write, by rule, even among those that it can
 * see.
 *
 * Inside namespaces this is a second wall; without them it is the only one.
 */
#ifndef SANDBOX_SANDBOX_LANDLOCK_H
#define SANDBOX_SANDBOX_LANDLOCK_H

#include <stddef.h>

#include "base/err.h"
#include "base/note.h"

/* Every path is a list of NULL-terminated strings; one that does not exist is ignored. */
struct sandbox_landlock_rules {
    const char *const *readable; /* and executable */
    const char *const *writable; /* and readable */
    const char *listed;          /* a folder with readable files: the names in it; NULL: none */
    int tcp_port;                /* the only one to connect to; 0: none; -1: any */
};

/* Of the kernel's interface; negative: there is no Landlock. */
int sandbox_landlock_version(void);

/* For this process and all it starts, for good. Needs no_new_privs. */
MUST_USE enum err sandbox_landlock_apply(const struct sandbox_landlock_rules *rules,
                                         struct note *why);

#endif
