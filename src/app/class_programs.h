/* class_programs: looks at the programs of a class, in the sandbox, before they get into a roster.
 *
 * Sources in Python are parsed. A program is started once if its source does not show which
 * protocol it uses or which number it has for its team.
 */
#ifndef APP_CLASS_PROGRAMS_H
#define APP_CLASS_PROGRAMS_H

#include <stdatomic.h>

#include "base/err.h"
#include "base/note.h"
#include "course/class_roster.h"
#include "sandbox/sandbox.h"

struct class_programs_setup {
    const char *roster;            /* the file: commands are seen from its folder */
    const struct sandbox *sandbox; /* of programs, with their limits */
    const atomic_bool *stop;       /* ends it, with ERR_INTERRUPTED; may be NULL */
};

/* Teams from `first` on. Before the ids are given, which may depend on it. ERR_ENVIRONMENT:
 * programs cannot be started. */
MUST_USE enum err class_programs_look(const struct class_programs_setup *setup,
                                      struct class_roster *class, size_t first, struct note *why);

#endif
