/* class_programs: looks at the programs of a class, in the sandbox, before they get into a roster.
 *
 * Sources in Python are parsed. A program is started once if
 * its source does not show which protocol it uses or which number it has for its team.
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
    const char *copies_name;       /* the folder of all copies, as seen from there */
    const struct sandbox *sandbox; /* of programs, with their limits */
    const atomic_bool *stop;       /* ends it, with ERR_INTERRUPTED; may be NULL */
};

/* Parses the program of a team, if it is one in Python, as the interpreter of the tournament does:
 * one that it cannot parse is not ready. ERR_ENVIRONMENT. */
MUST_USE enum err class_programs_parse(const struct class_programs_setup *setup,
                                       const struct class_roster *class, struct class_team *team,
                                       struct note *why);

/* Starts those that need it, of the teams from `first` on. Before the ids are given, which may
 * depend on it. ERR_ENVIRONMENT: programs cannot be started. */
MUST_USE enum err class_programs_start(const struct class_programs_setup *setup,
                                       struct class_roster *class, size_t first, struct note *why);

#endif
