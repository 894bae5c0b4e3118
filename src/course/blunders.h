/* blunders: the moves of a game that cost most, as our engine evaluates them. */
#ifndef COURSE_BLUNDERS_H
#define COURSE_BLUNDERS_H

#include "engine/engine.h"
#include "judge/record.h"
#include "judge/replay.h"
#include "report/feedback.h"

/* Looks at every move that `side` chose, with `nodes` a position, and keeps the worst. What costs
 * less than a piece is no blunder. The same nodes find the same ones. */
void blunders_add(struct blunders *blunders, struct engine *engine, const struct record *record,
                  const struct replay *replay, enum side side, int game, uint64_t nodes);

#endif
