/* game_order: hands games on in the order of their numbers, whatever order they end in.
 *
 * A game that ends before an earlier one waits here. It does not know who plays the games.
 */
#ifndef PLAY_GAME_ORDER_H
#define PLAY_GAME_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "cluster/cluster_codec.h"
#include "tournament/finished_game.h"
#include "tournament/tournament.h"

struct ordered_game {
    struct tournament_work work;
    char machine[CLUSTER_WORD_BYTES]; /* "": this one */
    struct finished_game game;
};

/* Zeroed but for `next`, it is empty. */
struct game_order {
    int next;                      /* the number of the game that is handed on next */
    struct ordered_game **waiting; /* by number modulo capacity; owned, as are the games */
    size_t capacity;
    size_t bytes; /* of the records that wait */
};

/* Takes a game with a number from `next` on. False: out of memory, and nothing is taken. */
MUST_USE bool game_order_put(struct game_order *order, const struct tournament_work *work,
                             const char *machine, struct finished_game *take_game);

/* The next game; the caller frees it. NULL: it has not ended yet. */
struct ordered_game *game_order_take(struct game_order *order);

void game_order_free(struct game_order *order);

#endif
