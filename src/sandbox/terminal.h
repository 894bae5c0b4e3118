/* terminal: a pseudo-terminal for a program that buffers its output when it sees a pipe. */
#ifndef SANDBOX_TERMINAL_H
#define SANDBOX_TERMINAL_H

#include "base/err.h"
#include "base/note.h"

/* Bytes pass as they are, in both directions, without echo; input arrives line by line, and
 * TERMINAL_END ends it. `program_end` is what the program gets. */
enum { TERMINAL_END = 4 };

MUST_USE enum err terminal_open(int *our_end, int *program_end, struct note *why);

#endif
