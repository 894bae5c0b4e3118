/* result_check: whether the result of a worker can be true.
 *
 * Every record is replayed by the rules. Names, seeds, limits and machine must be those of the job,
 * and what the result says about a game must be what its record says. A worker is trusted with what
 * the rules cannot show: that these moves were played by these programs within their time.
 */
#ifndef CLUSTER_RESULT_CHECK_H
#define CLUSTER_RESULT_CHECK_H

#include "base/cpu.h"
#include "base/note.h"
#include "cluster/cluster_codec.h"

/* ERR_INPUT: it is refused. */
MUST_USE enum err result_check(enum cpu_level cpu, const struct cluster_terms *terms,
                               const struct cluster_job *job, const struct cluster_result *result,
                               struct note *why);

/* Two results of one job that were checked. ERR_NEGATIVE: a game has other moves or another end. */
MUST_USE enum err result_compare(const struct cluster_result *one,
                                 const struct cluster_result *other, struct note *why);

#endif
