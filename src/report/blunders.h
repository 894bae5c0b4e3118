/* blunders: the moves of a game that cost most, as our engine evaluates them. */
#ifndef REPORT_BLUNDERS_H
#define REPORT_BLUNDERS_H

#include <stddef.h>

#include "engine/engine.h"
#include "judge/record.h"
#include "judge/replay.h"

enum { BLUNDERS_MAX = 3 };

struct blunder {
    int game;              /* its number, given by the caller */
    size_t ply;            /* plies played before */
    struct state position; /* before the move */
    char move[GAME_MOVE_BYTES];
    char better[GAME_MOVE_BYTES]; /* what the engine would have played */
    int before;                   /* score for the side that moved, in hundredths, before … */
    int after;                    /* … and after the move */
};

/* The worst so far; zeroed there are none. */
struct blunders {
    size_t count;
    struct blunder list[BLUNDERS_MAX]; /* the worst first */
};

/* Looks at every move that `side` chose, with `nodes` a position, and keeps the worst. What costs
 * less than a piece is no blunder. The same nodes find the same ones. */
void blunders_add(struct blunders *blunders, struct engine *engine, const struct record *record,
                  const struct replay *replay, enum side side, int game, uint64_t nodes);

#endif
