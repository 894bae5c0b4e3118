/* selfplay: games of one player against itself, appended to a file of records. A source of the
 * pool (play/pool.h).
 *
 * A file with games of the same match is continued after its last whole record. Games end in any
 * order and are appended in the order of their numbers. The file decides what is played: a worker's
 * result is acknowledged after its records were appended and synced, so one that was not written
 * stays on the server, or its games are handed out again.
 */
#ifndef PLAY_SELFPLAY_H
#define PLAY_SELFPLAY_H

#include "play/match_runner.h"
#include "play/tournament_workers.h"
#include "base/cpu.h"
#include "base/note.h"

enum {
    SELFPLAY_GAMES_PER_JOB = 50, /* unless others are asked for */
    SELFPLAY_MAX_GAMES_PER_JOB = ROSTER_MAX_GAMES_PER_PAIRING,
};

struct selfplay_options {
    const char *path;
    struct player_spec player; /* builtin or random */
    enum cpu_level cpu;

    struct match_options match; /* the caller sets game, games, seed and openings */
    int concurrency;            /* games at once here; 0: only workers play */

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
