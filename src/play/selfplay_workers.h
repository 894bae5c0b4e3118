/* selfplay_workers: self-play on many machines.
 *
 * A job is a range of games: games 1 to 50, 51 to 100 and so on, whatever the file contains
 * already. Results come in any order and are appended in the order of the games. The file decides
 * what is played: a result is acknowledged after its records were appended and synced, so one that
 * was not written stays on the server, or its range is handed out again.
 */
#ifndef PLAY_SELFPLAY_WORKERS_H
#define PLAY_SELFPLAY_WORKERS_H

#include <stdio.h>

#include "play/selfplay.h"
#include "base/err.h"
#include "base/note.h"

/* Plays what is missing in the file, which was opened by selfplay_file_open: match.from is the
 * number of its games. *played are new, also if it fails or is interrupted. */
MUST_USE enum err selfplay_workers_play(const struct selfplay_options *options, FILE *file,
                                        int *played, struct note *why);

#endif
