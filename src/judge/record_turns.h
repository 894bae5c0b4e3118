/* record_turns: how many moves of each side the judge played, from the text of a record.
 *
 * A line of a ply looks like "2. w 34 {t=5.260 fault=late}". A turn without a time and without a
 * fault was not asked for: a forced pass. A fault at a ply means that the judge moved, except where
 * a late move counts. All else is skipped, so a damaged text gives numbers and no error.
 */
#ifndef JUDGE_RECORD_TURNS_H
#define JUDGE_RECORD_TURNS_H

#include "game/game.h"

/* Of one side. */
struct record_turns {
    int judged; /* of the following, those in which the judge moved */
    int turns;  /* without forced passes */
};

/* `out` is by side. */
void record_count_turns(const char *text, const struct game *game, struct record_turns out[2]);

#endif
