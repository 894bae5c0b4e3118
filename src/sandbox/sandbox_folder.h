/* sandbox_folder: what a program sees of its folder.
 *
 * A folder is shared if the command of another program of the same match or tournament names a
 * file in it or below it, or if the tournament itself has files there. Of a shared folder a program
 * sees the files that its own command names and the clients of the courses; of a folder of its own
 * everything but the files of Plum. It is a list of what is there at the start: what is added later
 * does not appear.
 */
#ifndef SANDBOX_SANDBOX_FOLDER_H
#define SANDBOX_SANDBOX_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"

enum {
    SANDBOX_FOLDER_HIDDEN = 4,     /* files of Plum that a rule hides by their paths */
    SANDBOX_FOLDER_ENTRIES = 4096, /* that a program can see */
};

/* A zeroed struct is empty. */
struct sandbox_folder {
    char **entries; /* seen from the folder: names, and paths of files in folders that are hidden */
    size_t count;
};

/* --- Before the first program starts --- */

/* The files that the programs of a match or tournament and Plum use. A zeroed struct is empty. */
struct sandbox_neighbours {
    struct sandbox_folder paths;                  /* absolute */
    char hidden[SANDBOX_FOLDER_HIDDEN][PATH_MAX]; /* as in a rule */
};

/* Adds the files that a command names. A command in quotes of which none is known counts as a user
 * of the whole folder. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err sandbox_folder_add_program(struct sandbox_neighbours *neighbours,
                                             const char *command, const char *folder,
                                             struct note *why);

/* Adds a folder of Plum, which is shared, and with it those above. It need not exist. */
MUST_USE enum err sandbox_folder_add_own(struct sandbox_neighbours *neighbours, const char *path,
                                         struct note *why);

/* No program sees this file or folder, at most SANDBOX_FOLDER_HIDDEN; it need not exist. */
void sandbox_folder_hide(struct sandbox_neighbours *neighbours, const char *path);

void sandbox_folder_free_neighbours(struct sandbox_neighbours *neighbours);

/* --- For each program --- */

/* A value. A zeroed struct is the rule for a folder of its own. */
struct sandbox_folder_rule {
    bool is_shared;
    char hidden[SANDBOX_FOLDER_HIDDEN][PATH_MAX]; /* absolute; "": none */
};

/* The rule for a program, which may be one of those that were added. NULL: it is alone. */
struct sandbox_folder_rule sandbox_folder_rule(const struct sandbox_neighbours *neighbours,
                                               const char *command, const char *folder);

/* What the rule shows of the absolute path `folder` to a program that is started by `command`.
 * Sockets, pipes and devices are never shown. ERR_ENVIRONMENT: too many, or a shortage. */
MUST_USE enum err sandbox_folder_list(const char *folder, const char *command,
                                      const struct sandbox_folder_rule *rule,
                                      struct sandbox_folder *out, struct note *why);
void sandbox_folder_free(struct sandbox_folder *list);

/* The part of `path` after `folder`; NULL if it is not in or below it. */
const char *sandbox_folder_inside(const char *path, const char *folder);

#endif
