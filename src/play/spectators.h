/* spectators: running games, written to the database for those who watch.
 *
 * Those of the rounds: games of the qualification are not shown.
 *
 * Nothing is written in an event of a game: its plies are kept, and shown when the caller has time.
 * What workers report about running games may be lost, and may be wrong: every move is played by
 * the rules, and a game of which something is missing is not shown any further. Nothing of this
 * counts for results.
 */
#ifndef PLAY_SPECTATORS_H
#define PLAY_SPECTATORS_H

#include <stddef.h>

#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "judge/judge.h"
#include "play/worker_board.h"
#include "store/writer.h"

struct spectators {
    struct writer *writer; /* the caller's */
    const struct judge_rules *rules;
    struct worker_board *slots; /* games here; owned */
    int slot_count;
    struct remote_board *list; /* games of workers; owned */
    size_t count;
    size_t capacity;
};

MUST_USE enum err spectators_open(struct spectators *spectators, const struct judge_rules *rules,
                                  int slots, struct note *why);
void spectators_free(struct spectators *spectators); /* a zeroed one is fine */

/* An event of a game of that work, on a slot of this machine. */
void spectators_take(struct spectators *spectators, int slot, const struct tournament_work *work,
                     const struct game_event *event);
/* A game of that work begins again here: what was shown of it is removed. */
void spectators_begin_again(struct spectators *spectators, const struct tournament_work *work,
                            int index);
/* The game with that number is over here. */
void spectators_end_game(struct spectators *spectators, int game);
/* Writes what is new of the games here. */
void spectators_show(struct spectators *spectators);

/* Shows what was received about a game of a job that is handed out. */
void spectators_take_plies(struct spectators *spectators, const struct cluster_plies *plies);
/* The work is over, or begins again elsewhere: what was shown of it is removed. */
void spectators_end_work(struct spectators *spectators, const struct tournament_work *work);

#endif
