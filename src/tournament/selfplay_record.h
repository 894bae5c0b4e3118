/* selfplay_record: whether a record is a certain game of a self-play run.
 *
 * The games of a run are determined by game, player, seed and random openings; `match` has them.
 * Whether the moves are legal is another question: judge/replay.h.
 */
#ifndef TOURNAMENT_SELFPLAY_RECORD_H
#define TOURNAMENT_SELFPLAY_RECORD_H

#include "judge/record.h"
#include "tournament/match.h"

/* What differs between the record and game number `index`, from 0, of both sides' `player`; NULL:
 * nothing does. */
const char *selfplay_record_difference(const struct record *record,
                                       const struct match_options *match, const char *player,
                                       int index);

#endif
