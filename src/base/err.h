/* err: the failures of the world, not of the program.
 *
 * The values are the exit codes of the command line, so that the outermost layer returns what the
 * innermost one found. The sentence for a person is in a `struct note`.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum err {
    ERR_NONE = 0,
    ERR_NEGATIVE = 1,      /* a clear "no": illegal move, failed check or replay */
    ERR_INPUT = 2,         /* usage or malformed input */
    ERR_ENVIRONMENT = 3,   /* disk, memory, a missing permission */
    ERR_INTERRUPTED = 130, /* the person pressed Ctrl-C */
};

#define MUST_USE __attribute__((warn_unused_result))

/* Which values of errno mean that the machine has run out of something. They are never the fault of
 * a player's program, and do not show what the machine can do. */

/* Out of descriptors, memory, processes or buffers. Not for calls where EAGAIN means "not yet". */
bool err_is_shortage(int error);

/* The disk is full; also for a program that has filled its own. */
bool err_is_full_disk(int error);

#endif
