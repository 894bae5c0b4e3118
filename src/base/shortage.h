/* shortage: which system errors say that this machine has run out of something.
 *
 * They are never the fault of a player's program, and say nothing about what the machine can do.
 */
#ifndef BASE_SHORTAGE_H
#define BASE_SHORTAGE_H

#include <errno.h>
#include <stdbool.h>

/* Of descriptors, memory, processes or buffers. Not for calls where EAGAIN means "not yet". */
static inline bool shortage_is(int error)
{
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EAGAIN ||
           error == ENOBUFS;
}

/* Of room on a disk; also what a program gets that has filled its own. */
static inline bool shortage_of_disk(int error) { return error == ENOSPC || error == EDQUOT; }

#endif
