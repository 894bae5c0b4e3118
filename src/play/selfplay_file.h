/* selfplay_file: the file of records that self-play continues. */
#ifndef PLAY_SELFPLAY_FILE_H
#define PLAY_SELFPLAY_FILE_H

#include <stdio.h>

#include "play/selfplay.h"
#include "base/note.h"

/* Opens the file of the options for appending and locks it; it is made if it does not exist. Counts
 * its games, which must be those of this run. A record at its end that was cut off is removed.
 *
 * ERR_INPUT: it contains other games, and is not changed. ERR_ENVIRONMENT: another process is
 * writing it, or it cannot be written. */
MUST_USE enum err selfplay_file_open(const struct selfplay_options *options, FILE **out, int *games,
                                     struct note *why);

#endif
