/* class_setup: what `plum tournament init` does: a folder of submissions becomes a roster.
 *
 * Each submission is copied next to the roster and built; where its source does not show which
 * protocol or number it uses, the program is started once. Prints nothing. Meanwhile the current
 * folder is the roster's, so that a path is the same here as in the roster.
 */
#ifndef APP_CLASS_SETUP_H
#define APP_CLASS_SETUP_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

#include "app/class_copies.h"
#include "base/note.h"
#include "course/class_roster.h"
#include "course/download.h"
#include "sandbox/sandbox.h"

/* Zeroed before the first use. */
struct class_setup {
    const char *submissions; /* a folder, or the zip of all; NULL only for class_addition */
    const char *roster;      /* the file to write; it must not exist */
    enum sandbox_mode sandbox;
    struct sandbox_limits limits;                         /* of programs */
    void (*on_remark)(void *owner, const char *sentence); /* about the sandbox; may be NULL */
    void (*on_team)(void *owner, int done, int total);    /* before each is built; may be NULL */
    void *owner;
    struct class_list list;  /* of participants; taken over */
    const char *list_path;   /* where it was; NULL: nowhere */
    int64_t deadline_s;      /* 0: not given */
    const atomic_bool *stop; /* ends it, with ERR_INTERRUPTED */

    struct class_roster class; /* game, python and memory are the caller's; the rest is the result
                                */
    struct class_copies copies;
    struct download download; /* what is in it */
};

/* Free it also after an error; then there is no roster and no copy. */
MUST_USE enum err class_setup_run(struct class_setup *setup, struct note *why);

/* Its main part: makes teams of these hand-ins, in a class with room for them and a folder of
 * copies, and takes the list over. Their copies stay after an error. */
MUST_USE enum err class_setup_prepare(struct class_setup *setup,
                                      const struct submission_entry *entries, size_t count,
                                      struct note *why);
void class_setup_free(struct class_setup *setup);

#endif
