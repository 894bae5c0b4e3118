/* check_source: plays the trials of a check, one after the other: a source of the pool
 * (play/pool.h).
 *
 * It shares the time out among the trials, leaves out those that make no sense after what was seen,
 * and notes what happens in them (app/check_trial.h). What follows from that is another's.
 */
#ifndef APP_CHECK_SOURCE_H
#define APP_CHECK_SOURCE_H

#include "app/check.h"
#include "base/note.h"

/* Plays what was planned. Changes the plans: what a program bids becomes known on the way. */
MUST_USE enum err check_source_play(const struct check_options *options,
                                    struct check_plan plans[CHECK_MAX_TRIALS],
                                    struct check_facts *facts, struct note *why);

#endif
