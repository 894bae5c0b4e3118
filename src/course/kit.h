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
    const char *text; /* a template; with a size these bytes as they are */
    size_t size;
};

struct kit {
    struct kit_file files[KIT_MAX_FILES];
    size_t file_count;
    struct source_parts parts;
    char zip_folder[SOURCE_PARTS_WORD_BYTES]; /* in a zip before the names, or "" */
};

/* `language` is c, cpp or python. `team` is a number; where programs are named
 * after the student, it is used as it is written, with leading zeros. ERR_INPUT: one of these is
 * wrong, or there is no kit for that game. */
MUST_USE enum err kit_make(struct kit *kit, const struct game *game, const char *language,
                           const char *team, struct note *why);

/* "@BUILD@", "@CHECK@" and "@MATCH@" are commands to run in the kit's folder. The word must be
 * one of the kit's. */
const char *kit_word(const struct kit *kit, const char *name);

/* Adds a file to a zeroed kit or to one that was made. The name is cut where the ending has no
 * room; `text` and `size` are those of struct kit_file, and must live as long as the kit. */
void kit_add(struct kit *kit, const char *name, const char *ending, const char *text, size_t size);

/* One of the files as a new one; all as a new zip. ERR_INPUT: it exists; the sentence says what
 * else to choose, a "name". */
MUST_USE enum err kit_write_file(const struct kit *kit, size_t index, const char *path,
                                 struct note *why);
MUST_USE enum err kit_write_zip(const struct kit *kit, const char *path, const char *other,
                                struct note *why);

/* Writes the files into a new or empty folder, or as a zip if `place` ends with .zip. ERR_INPUT:
 * there is something in it, or the zip exists. */
MUST_USE enum err kit_write(const struct kit *kit, const char *place, struct note *why);
bool kit_is_zip(const char *place);

/* The same as the bytes of a zip. They are the caller's to free. */
MUST_USE enum err kit_zip(const struct kit *kit, char **take_bytes, size_t *count,
                          struct note *why);

#endif
