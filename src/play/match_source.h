/* match_source: a match of two players, with many games at once: a source of the pool
 * (play/pool.h).
 *
 * A pairing is a pair of games on one opening, with the places exchanged, or one game without that.
 * Games end in any order and are handed on in that of their numbers, so that a seed gives the same
 * match at any concurrency.
 */
#ifndef PLAY_MATCH_SOURCE_H
#define PLAY_MATCH_SOURCE_H

#include "play/match_log.h"
#include "play/tournament_workers.h"
#include "base/cpu.h"
#include "base/err.h"
#include "base/note.h"
#include "player/player_setup.h"
#include "tournament/match.h"
#include "tournament/match_score.h"

/* With workers the queue is MATCH_SOURCE_QUEUE.queue, and MATCH_SOURCE_QUEUE.worker their file, in
 * the current folder. */
#define MATCH_SOURCE_QUEUE "match"

struct match_source_options {
    struct match_options match;
    const struct player_spec *specs[2];
    enum cpu_level cpu_level;
    const struct sandbox *sandbox; /* NULL: no player is a program */
    const struct human_screen *screen;
    enum player_restart restart;
    int concurrency; /* games at once on this machine; 0: only workers play */
    struct match_log *log;
    struct tournament_workers_wish wish; /* other machines play */
    int64_t memory_bytes;                /* which a program may use there */
    void *owner;
    /* A ply of a game that is played now; or NULL. */
    void (*on_ply)(void *owner, int game, const struct game_event *event);
    /* The next game is over, and counted. An error ends the match. */
    enum err (*on_game)(void *owner, int game, const struct finished_game *finished,
                        struct note *why);
    void (*on_warning)(void *owner, const char *sentence); /* about workers */
    void (*on_remark)(void *owner, const char *sentence);  /* may repeat */
};

/* Plays until the end, Ctrl-C, or the decision of the test that `score` asks for. The score is that
 * of the games so far, also on failure; free it in any case. */
MUST_USE enum err match_source_play(const struct match_source_options *options,
                                    struct match_score *score, struct note *why);

#endif
