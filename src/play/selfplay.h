/* selfplay: games of one player against itself, appended to a file of records.
 *
 * A file with games of the same match is continued after its last whole record.
 */
#ifndef PLAY_SELFPLAY_H
#define PLAY_SELFPLAY_H

#include "play/match_runner.h"
#include "play/tournament_workers.h"
#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"

enum {
    SELFPLAY_GAMES_PER_JOB = 50, /* unless others are asked for */
    SELFPLAY_MAX_GAMES_PER_JOB = ROSTER_MAX_GAMES_PER_PAIRING,
};

struct selfplay_options {
    const char *path;
    struct player_spec player; /* builtin or random */
    enum cpu_level cpu;

    /* Of these the caller sets game, games, seed, openings and concurrency, which is 0 if only
     * workers play. */
    struct match_options match;

    struct tournament_workers_wish wish; /* other machines play */
    int games_per_job;                   /* then: 1 … SELFPLAY_MAX_GAMES_PER_JOB */

    /* Called after games were written, or NULL: games in the file, games of this run. */
    void (*on_progress)(void *owner, int total, int played);
    /* About workers: sentences of the run itself, and those that may repeat. */
    void (*on_warning)(void *owner, const char *sentence);
    void (*on_remark)(void *owner, const char *sentence);
    void *owner;
};

/* Opens the file (play/selfplay_file.h) and plays until it contains match.games games; *played of
 * them are new, also on ERR_INTERRUPTED. */
MUST_USE enum err selfplay_run(struct selfplay_options *options, int *played, struct note *why);

#endif
