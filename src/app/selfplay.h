/* selfplay: games of one player against itself, appended to a file of records.
 *
 * A file with games of the same match is continued after its last whole record.
 */
#ifndef APP_SELFPLAY_H
#define APP_SELFPLAY_H

#include "app/match_runner.h"
#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"

struct selfplay_options {
    const char *path;
    struct player_spec player; /* builtin or random */
    enum cpu_level cpu;

    /* Of these the caller sets game, games, seed, openings and concurrency. */
    struct match_options match;

    /* Called after each game, or NULL: games in the file, games of this run. */
    void (*on_progress)(void *owner, int total, int played);
    void *owner;
};

/* Opens `path` for appending; it is made if it does not exist. A record at the end of the file that
 * was cut off is removed. Then plays until the file contains match.games games; *played of them are
 * new, also on ERR_INTERRUPTED.
 *
 * ERR_INPUT: the file contains other games, and is not changed. ERR_ENVIRONMENT: another process is
 * writing it, or it cannot be written. */
MUST_USE enum err selfplay_run(struct selfplay_options *options, int *played, struct note *why);

#endif
