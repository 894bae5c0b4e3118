/* source_parts: puts a file that we give away together from parts that exist once.
 *
 * A part is an embedded file. A line "@include PATH" in it is replaced by another part, and words
 * such as "@GAME@" by what they stand for. A part in Python that begins with a docstring is also a
 * module of its own; where it is included its docstring is left out.
 */
#ifndef COURSE_SOURCE_PARTS_H
#define COURSE_SOURCE_PARTS_H

#include <stddef.h>
#include <stdio.h>

#include "base/note.h"
#include "game/game.h"

enum { SOURCE_PARTS_MAX_WORDS = 28, SOURCE_PARTS_WORD_BYTES = 256 };

/* A word, and what replaces it. */
struct source_word {
    const char *name;
    char text[SOURCE_PARTS_WORD_BYTES];
};

struct source_parts {
    struct source_word words[SOURCE_PARTS_MAX_WORDS];
    size_t word_count;
};

/* Defines the word `name`: the pattern, with the words known so far replaced. `name` must live as
 * long as the parts. */
void source_parts_define(struct source_parts *parts, const char *name, const char *pattern);

/* Defines @GAME@, @KIT@ (the game's folder) and, for `team`, @TEAM@ and @STUDENT@ (with leading
 * zeros). ERR_INPUT: the team is not a number. */
MUST_USE enum err source_parts_define_game(struct source_parts *parts, const struct game *game,
                                           const char *team, struct note *why);

/* What the word stands for. It must be defined. */
const char *source_parts_word(const struct source_parts *parts, const char *name);

/* Writes `pattern` with all words replaced and all parts included. */
void source_parts_write(const struct source_parts *parts, const char *pattern, FILE *out);
void source_parts_write_text(const struct source_parts *parts, const char *pattern, char *text,
                             size_t room);

/* The PROTOCOL_… through which programs of the course play the game; 0: the game has no kit. */
unsigned source_parts_protocol(const struct game *game);

#endif
