/* view: what a sample says of a position, by game. */
#ifndef TRAIN_VIEW_H
#define TRAIN_VIEW_H

#include <stdbool.h>

#include "game/game.h"
#include "sample.h"

struct view {
    const char *game;
    double scale; /* the score at which the chance to win is 73 %; 0: discs count */
    /* Fills in facts and evaluation. */
    void (*describe)(bool has_corners, const struct state *state, struct sample *out);
    /* The square that the side to move sees at `square`. */
    int (*seen)(const struct state *state, int square);
};

/* NULL: nothing is known of this game. */
const struct view *view_find(const char *game);

/* All of a sample that depends on the position alone; the rest is 0. */
struct sample view_of(const struct view *view, const struct game *game, const struct state *state);

#endif
