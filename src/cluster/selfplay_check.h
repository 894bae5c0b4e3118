/* selfplay_check: whether a worker's record is a game of a self-play job.
 *
 * Stricter than a tournament's check: the file must be that of one machine. So no tag may be added
 * or missing, and no game may end by a fault or by resignation: the built-in players do neither,
 * unless their machine slept for an hour.
 */
#ifndef CLUSTER_SELFPLAY_CHECK_H
#define CLUSTER_SELFPLAY_CHECK_H

#include "base/note.h"
#include "cluster/cluster_codec.h"
#include "judge/replay.h"

/* A game of the job's range, the record that was read from its text, and the replay of it.
 * ERR_INPUT: it is not. */
MUST_USE enum err selfplay_check(const struct cluster_terms *terms, const struct cluster_job *job,
                                 const struct finished_game *played, const struct record *record,
                                 const struct replay *replay, struct note *why);

#endif
