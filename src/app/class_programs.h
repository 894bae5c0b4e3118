/* class_programs: looks at the programs of a class, in the sandbox, before they get into a roster.
 *
 * Sources in Python are parsed. A program is started once if
 * its source does not show which protocol it uses or which number it has for its team. The
 * compilers' sandbox of the place is that of the programs; the current folder is the roster's.
 */
#ifndef APP_CLASS_PROGRAMS_H
#define APP_CLASS_PROGRAMS_H

#include "base/note.h"
#include "course/class_roster.h"

/* Parses the program of a team, if it is one in Python, as the interpreter of the tournament does:
 * one that it cannot parse is not ready. */
void class_programs_parse(const struct class_team_place *place, const struct class_roster *class,
                          struct class_team *team);

/* Starts those that need it, before the ids are given, which may depend on it. ERR_ENVIRONMENT:
 * programs cannot be started. */
MUST_USE enum err class_programs_start(const struct class_team_place *place,
                                       struct class_roster *class, struct note *why);

#endif
