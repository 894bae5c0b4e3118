/* kit: what a student starts from, for each game and language.
 *
 * The agents are files of the games (src/games/NAME/kit), their clients and the general README are
 * those of clients/; all are embedded in the program. They are templates: in a copy
 * the team's number, the game's name and the commands to run are filled in.
 */
#ifndef COURSE_KIT_H
#define COURSE_KIT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "course/source_parts.h"
#include "game/game.h"

enum { KIT_MAX_FILES = 8, KIT_NAME_BYTES = 32 };

struct kit_file {
    char name[KIT_NAME_BYTES];
    const char *text; /* the template */
};

struct kit {
    struct kit_file files[KIT_MAX_FILES];
    size_t file_count;
    struct source_parts parts;
};

/* `language` is c, cpp or python. `team` is a number; where programs are named
 * after the student, it is used as it is written, with leading zeros. ERR_INPUT: one of these is
 * wrong, or there is no kit for that game. */
MUST_USE enum err kit_make(struct kit *kit, const struct game *game, const char *language,
                           const char *team, struct note *why);

/* "@BUILD@", "@CHECK@" and "@MATCH@" are commands to run in the kit's folder. The word must be
 * one of the kit's. */
const char *kit_word(const struct kit *kit, const char *name);

/* Writes the files into a new or empty folder, or as a zip if `place` ends with .zip. ERR_INPUT:
 * there is something in it, or the zip exists. */
MUST_USE enum err kit_write(const struct kit *kit, const char *place, struct note *why);
bool kit_is_zip(const char *place);

/* The same as the bytes of a zip in which the files are in one folder. They are the caller's to
 * free. */
MUST_USE enum err kit_zip(const struct kit *kit, char **take_bytes, size_t *count,
                          struct note *why);

#endif
