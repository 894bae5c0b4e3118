/* sandbox_folder: what a program sees of its folder.
 *
 * If the folder is its own: everything but the files of Plum. If it shares the folder with other
 * programs: the files that its command names, and those whose names begin like one of these. It is
 * a list of what is there at the start: what is added later does not appear.
 *
 * It reads names and the heads of files. It does not know the other programs: see
 * sandbox_neighbours.
 */
#ifndef SANDBOX_SANDBOX_FOLDER_H
#define SANDBOX_SANDBOX_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/note.h"

enum {
    SANDBOX_FOLDER_NAMES = 64,     /* that a rule hides */
    SANDBOX_FOLDER_COMMON = 4,     /* that a rule shows */
    SANDBOX_FOLDER_STEMS = 8,      /* of one command */
    SANDBOX_FOLDER_ENTRIES = 4096, /* that a program can see */
};

/* A value. A zeroed struct is the rule for a folder of its own. */
struct sandbox_folder_rule {
    bool is_shared;
    int hidden_count;
    int common_count;
    char hidden[SANDBOX_FOLDER_NAMES][NAME_MAX + 1];  /* files of Plum and of other programs */
    char common[SANDBOX_FOLDER_COMMON][NAME_MAX + 1]; /* shown to all that share the folder */
};

/* A zeroed struct is empty. */
struct sandbox_folder {
    char **entries; /* seen from the folder: names, and paths of files in folders that are hidden */
    size_t count;
};

/* What the rule shows of the absolute path `folder` to a program that is started by `command`.
 * Sockets, pipes and devices are never shown. ERR_ENVIRONMENT: too many, or a shortage. */
MUST_USE enum err sandbox_folder_list(const char *folder, const char *command,
                                      const struct sandbox_folder_rule *rule,
                                      struct sandbox_folder *out, struct note *why);
void sandbox_folder_free(struct sandbox_folder *list);

/* The names of the files that a command names, without their endings: "0816001" of 0816001.py. */
struct sandbox_folder_stems {
    char names[SANDBOX_FOLDER_STEMS][NAME_MAX + 1];
    int count; /* 0: the command names no file in the folder */
};
void sandbox_folder_stems(const char *command, const char *folder,
                          struct sandbox_folder_stems *out);

/* The length of the longest stem that the name begins with: "0816001_net.bin" and "0816001" begin
 * with 0816001, "08160012.py" does not. 0: it begins with none. */
size_t sandbox_folder_stem_length(const char *name, const struct sandbox_folder_stems *stems);

/* For sentences: "own or agent". */
void sandbox_folder_write_stems(const struct sandbox_folder_stems *stems, char *out, size_t room);

/* The part of `path` after `folder`; NULL if it is not in or below it. */
const char *sandbox_folder_inside(const char *path, const char *folder);

#endif
