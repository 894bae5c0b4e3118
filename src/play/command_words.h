/* command_words: the words of a player's command, and whether the files that they name exist.
 *
 * A command is a line for the shell, so this sees only what is plain: the first word, and words
 * that look like files. Paths are meant from the current folder.
 */
#ifndef PLAY_COMMAND_WORDS_H
#define PLAY_COMMAND_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/note.h"
#include "player/player_spec.h"

enum { COMMAND_WORDS_MAX = 64 };

/* Points into itself: do not copy. */
struct command_words {
    char room[PLAYER_TEXT_BYTES];
    const char *list[COMMAND_WORDS_MAX];
    size_t count;
};

/* The space-separated words of a text. */
void command_words_split(const char *text, struct command_words *out);

/* The words of a command; none if it has signs of the shell. */
void command_words_read(const char *command, struct command_words *out);

/* Whether the name ends in ".py". */
bool command_words_is_python(const char *word);

/* Whether a word looks like a file: it has a slash, or is a source in Python. */
bool command_words_is_file(const char *word);

/* Whether a name without a slash is found in PATH. */
bool command_words_is_in_path(const char *program);

/* True: the word of a command with this number names a file or program that does not exist; *why
 * is "there is no file none.py". */
bool command_words_is_missing(const struct command_words *words, size_t number, struct note *why);

#endif
