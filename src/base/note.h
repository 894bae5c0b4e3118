/* note: one sentence for a person, that says what failed, where, and what to do.
 *
 * A note is a value on the caller's stack: nothing to free. A function that
 * fails sets it; one that succeeds leaves it alone. NULL means "not interested".
 */
#ifndef BASE_NOTE_H
#define BASE_NOTE_H

#include <stddef.h>

#include "base/err.h"

enum { NOTE_BYTES = 400 };

struct note {
    char text[NOTE_BYTES];
};

/* Longer sentences are cut at the buffer's end, and nothing is written after it. */
void note_set(struct note *note, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the note; its value is `err`. A macro, so that analyzers see that it is not ERR_NONE. */
#define note_fail(note, err, ...) (note_set((note), __VA_ARGS__), (err))

/* Adds an item to a list in a text: "a, b". What does not fit is cut. */
void note_list(char *list, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "PREFIX: " before what the note already says. */
void note_prefix(struct note *note, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
