/* worker_board: a running game of a worker, for spectators of the tournament.
 *
 * Pure: it turns plies into messages of bounded size. The caller holds a lock, and decides how
 * often a message is sent. What is lost on the way is missing until the next game.
 */
#ifndef PLAY_WORKER_BOARD_H
#define PLAY_WORKER_BOARD_H

#include <stdbool.h>

#include "cluster/cluster_codec.h"
#include "judge/judge.h"

/* A zeroed struct is a board without a game. */
struct worker_board {
    bool is_running;
    struct cluster_key key;
    int index; /* of the game in its pairing */
    int black; /* the player, as the pairing lists them */
    char start[GAME_POSITION_BYTES];
    struct judge_ply *plies; /* JUDGE_MAX_PLIES of them; owned */
    int count;
    int sent;
    bool has_begun; /* a message about it was made */
};

void worker_board_free(struct worker_board *board);

/* A game begins. Without memory nothing is shown. */
void worker_board_begin(struct worker_board *board, const struct cluster_key *key, int index,
                        const struct judge *judge);
void worker_board_add(struct worker_board *board, const struct judge_ply *ply);
void worker_board_end(struct worker_board *board);

/* The next message; false: there is nothing new. */
bool worker_board_next(struct worker_board *board, const struct game *game,
                       struct cluster_plies *out);

#endif
