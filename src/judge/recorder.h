/* recorder: writes the record of a game from the events of its judge. */
#ifndef JUDGE_RECORDER_H
#define JUDGE_RECORDER_H

#include "judge/judge.h"
#include "judge/record.h"

/* What the record contains and the judge does not know. NULL: the tag is left out. */
struct recorder_labels {
    const char *event;
    const char *round;
    const char *date;
    const char *sandbox;
};

/* Adds a ply while the game runs. */
MUST_USE enum err recorder_add_ply(struct record *record, const struct judge *judge,
                                   const struct judge_ply *ply, struct note *why);

/* Adds the closing turn, if a fault ended the game in the middle of one, and the tags. The game
 * is over; `last_fault` is the judge's last one, or NULL. */
MUST_USE enum err recorder_finish(struct record *record, const struct judge *judge,
                                  const struct judge_fault *last_fault,
                                  const struct recorder_labels *labels, struct note *why);

#endif
