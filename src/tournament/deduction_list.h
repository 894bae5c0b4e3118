/* deduction_list: what the marks lose, as a roster has it: "late-move 5, day-late 10" in percent.
 */
#ifndef TOURNAMENT_DEDUCTION_LIST_H
#define TOURNAMENT_DEDUCTION_LIST_H

#include "base/note.h"
#include "game/game.h"

enum { DEDUCTION_LIST_BYTES = 256 };

/* "late-move", "runtime-error", "wrong-name", "missing-report", "long-report", "day-late",
 * "plagiarism": also the options of `plum tournament grade`. */
const char *deduction_name(enum deduction deduction);

/* Words with their percent from 0 to 100, which may have decimals, and commas between them; "none".
 * What is not listed costs nothing. ERR_INPUT: it is something else. */
MUST_USE enum err deduction_list_read(const char *text, double out[DEDUCTIONS], struct note *why);

/* What costs something, so that it can be read again. */
void deduction_list_write(const double percent[DEDUCTIONS], char out[DEDUCTION_LIST_BYTES]);

/* What the assignment of a game says. Plagiarism costs everything in any course. */
void deduction_list_of(const struct game *game, double out[DEDUCTIONS]);

#endif
