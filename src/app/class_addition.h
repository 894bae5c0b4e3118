/* class_addition: what `plum tournament init --add` does: one hand-in more for a class, or in place
 * of an earlier one.
 *
 * It is copied into a new folder and built, then the roster is replaced as a whole. Until then
 * nothing has changed: the earlier copy stays, also afterwards, and a database is not touched.
 * Lines of the roster that are not about this hand-in stay as they are.
 */
#ifndef APP_CLASS_ADDITION_H
#define APP_CLASS_ADDITION_H

#include "app/class_setup.h"
#include "base/cpu.h"
#include "base/note.h"
#include "tournament/roster.h"

struct class_addition {
    const char *hand_in; /* its name in the setup's submissions; without these a path */
    const char *team;    /* whose it is; NULL: by the list and its names */
    enum cpu_level cpu;

    /* The result. */
    bool is_replacement;
    bool keeps_days_late; /* it is not known when it came: those of the earlier one stay */
    char earlier[ROSTER_PATH_BYTES]; /* the folder of the earlier copy as seen from the roster; "":
                                        not known */
};

/* `setup` names an existing roster; its `class` becomes that one team. Free the setup as after
 * class_setup_run. ERR_INPUT: there is no such hand-in, or the roster has *problems.
 * ERR_NEGATIVE: it is not clear whose it is. */
MUST_USE enum err class_addition_run(struct class_setup *setup, struct class_addition *addition,
                                     struct roster_problems *problems, struct note *why);

/* What to do with the tournament of that roster, if one has begun, as a sentence for a person; else
 * how to go on. `roster` is the file, `id` the team. */
void class_addition_advise(const char *roster, const char *id, enum cpu_level cpu,
                           struct note *out);

#endif
