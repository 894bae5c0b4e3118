/* sandbox_neighbours: the programs that play together and the files that Plum uses meanwhile: what
 * each program must not see in its folder.
 *
 * A folder is a program's own unless another program of the same match or tournament, or the
 * tournament itself, has files in it or below it. docs/sandbox.md has the rule.
 */
#ifndef SANDBOX_SANDBOX_NEIGHBOURS_H
#define SANDBOX_SANDBOX_NEIGHBOURS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/note.h"
#include "sandbox/sandbox_folder.h"

/* A file or folder that some program of a run must not see. */
struct sandbox_neighbour {
    char *path;    /* absolute */
    char *command; /* whose it is; NULL: Plum's */
    bool is_home;  /* Plum's: a folder that belongs to it, with all that is in it */
};

/* A zeroed struct is empty. */
struct sandbox_neighbours {
    struct sandbox_neighbour *list;
    size_t count;
    const char *const *common; /* names of files that all programs of a folder may use; NULL at the
                                  end; borrowed; may be NULL */
};

/* Adds the files that a command names. A command in quotes of which none is known counts as a user
 * of the whole folder. ERR_ENVIRONMENT: no memory. */
MUST_USE enum err sandbox_neighbours_add(struct sandbox_neighbours *neighbours, const char *command,
                                         const char *folder, struct note *why);

/* Adds a file or folder that Plum writes or reads; it need not exist. `is_home`: a folder in which
 * programs see only their own files, as in one that they share. */
MUST_USE enum err sandbox_neighbours_add_own(struct sandbox_neighbours *neighbours,
                                             const char *path, bool is_home, struct note *why);

void sandbox_neighbours_free(struct sandbox_neighbours *neighbours);

/* The rule for a program, which may be one of those that were added; NULL: it is alone.
 * ERR_ENVIRONMENT: too many names. */
MUST_USE enum err sandbox_neighbours_rule(const struct sandbox_neighbours *neighbours,
                                          const char *command, const char *folder,
                                          struct sandbox_folder_rule *out, struct note *why);

/* A sentence for those who look for a file: "other players use the folder …". */
void sandbox_neighbours_explain(const char *command, const char *folder, struct note *out);

#endif
