/* game_viewer: a recorded game as text that a page can play back without knowing any rules.
 *
 * Lines of text. The first is the start: the letters of all squares, row after row ("-": as at the
 * start of every game), and after a space the phrase about counters or budgets. Every other is a
 * turn:
 *
 *     b 10-12-32 431 - 10.11.32X 8,7,200
 *     w - 5260 malformed -
 *
 * side, move ("-": none came), milliseconds ("-": not measured), fault ("-": none), the squares
 * that changed with what is on them now ("-": none did), and where the phrase changed, its numbers
 * ("7,8,200"), or all of it where more than those changed.
 */
#ifndef REPORT_GAME_VIEWER_H
#define REPORT_GAME_VIEWER_H

#include "base/cpu.h"
#include "base/note.h"

/* From a record's text. *out is the caller's to free. ERR_INPUT or ERR_NEGATIVE: it is not a
 * record, or not a correct one. */
MUST_USE enum err game_viewer_text(enum cpu_level cpu, const char *record, char **out,
                                   struct note *why);

#endif
