/* help_fill: the placeholders in help texts.
 *
 * Help texts name no game. These words are replaced by what the registered games say:
 *
 *     @game@          the first game that agents play over TCP
 *     @placing@       the first of these whose moves are one square
 *     @auction@       the first game with an auction
 *     @hard@          the first with a hard limit for a turn, and
 *     @hard-limit@    that limit in seconds
 *     @strict@        the first whose assignment accepts nothing after the deadline
 *     @games@         the names of all
 *     @time-limits@   seconds for a move: those of the first game, and of others where they differ
 *     @TOPIC@         what all games say about it (game/about.h)
 */
#ifndef CLI_HELP_FILL_H
#define CLI_HELP_FILL_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/cli.h"

enum { HELP_FILL_BYTES = 8192, HELP_FILL_COLUMNS = 80 };

/* The text of src/cli/help/NAME.txt, with '_' for a space in the name and "plum" for the overview:
 * the details in sentences, then the examples, two lines each after an empty one: "$ " and a whole
 * command line, and a phrase, lower case, no full stop. */
const char *help_text(const struct command *command);

/* The text up to the examples. A line that is indented or begins with a placeholder is a paragraph
 * by itself. Other paragraphs are broken into lines of at most `columns` columns; 0: they stay as
 * they are. What does not fit into `out` is cut. Returns `out`. */
const char *help_fill(const char *text, int columns, char out[HELP_FILL_BYTES]);

/* Example number `index` of a command, 0 first: its own, then those of the games, without
 * placeholders. False after the last. */
struct help_example {
    char line[HELP_FILL_BYTES];
    char does[HELP_FILL_BYTES];
};
bool help_example(const struct command *command, size_t index, struct help_example *out);

#endif
