/* remote_boards: running games of workers, for spectators.
 *
 * What workers report about running games may be lost, and may be wrong: every move is played by
 * the rules, and a game of which something is missing is not shown any further. Nothing of this
 * counts for results.
 */
#ifndef PLAY_REMOTE_BOARDS_H
#define PLAY_REMOTE_BOARDS_H

#include <stddef.h>

#include "cluster/cluster_codec.h"
#include "game/game.h"
#include "store/writer.h"

/* A zeroed struct is empty. */
struct remote_boards {
    struct remote_board *list; /* owned */
    size_t count;
    size_t capacity;
};

void remote_boards_free(struct remote_boards *boards);

/* Shows what was received about a game of a job that is handed out. */
void remote_boards_take(struct remote_boards *boards, const struct judge_rules *rules,
                        const struct cluster_plies *plies, struct writer *writer);

/* The work is over, or begins again elsewhere: what was shown of it is removed. */
void remote_boards_end(struct remote_boards *boards, const struct tournament_work *work,
                       struct writer *writer);

#endif
