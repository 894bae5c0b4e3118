/* record_turns: how many moves of each side the judge played, from the text of a record.
 *
 * A line of a ply looks like "2. w 34 {t=5.260 fault=late}". A turn without a time and without a
 * fault was not asked for: a forced pass. A fault at a ply means that the judge moved, except where
 * a late move counts. All else is skipped, so a damaged text gives numbers and no error.
 */
#ifndef JUDGE_RECORD_TURNS_H
#define JUDGE_RECORD_TURNS_H

#include "base/note.h"
#include "game/game.h"

/* Of one side. */
struct record_turns {
    int judged; /* of the following, those that the judge played or skipped */
    int turns;  /* without forced passes */
};

/* `out` is by side. */
void record_count_turns(const char *text, const struct game *game, struct record_turns out[2]);

/* "the judge played 30 of its 30 moves"; in a game that skips the turn of a side at fault "the
 * judge skipped 200 of its 200 turns". `whose`: "its". */
void record_describe_turns(const struct game *game, const struct record_turns *turns,
                           const char *whose, struct note *out);

#endif
