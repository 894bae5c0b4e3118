/* class_copies: the folder next to a roster that has the copies of what was handed in.
 *
 * "class.ini" has "class.files". A hand-in has a folder of its own there, which no later one gets.
 */
#ifndef APP_CLASS_COPIES_H
#define APP_CLASS_COPIES_H

#include <limits.h>
#include <stddef.h>

#include "base/note.h"
#include "course/submission_folder.h"

struct class_copies {
    char path[PATH_MAX]; /* as we reach it */
    char name[PATH_MAX]; /* as seen from the roster */
};

/* It need not exist. ERR_INPUT: the name of the roster is too long. */
MUST_USE enum err class_copies_locate(struct class_copies *copies, const char *roster,
                                      struct note *why);

/* A name for the folder of a hand-in, which does not exist yet. The current folder is the roster's.
 */
void class_copies_name_folder(const struct class_copies *copies,
                              const struct submission_entry *entry, char *out, size_t room);

#endif
