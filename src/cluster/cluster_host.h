/* cluster_host: what this machine is, for comparison with others. */
#ifndef CLUSTER_CLUSTER_HOST_H
#define CLUSTER_CLUSTER_HOST_H

#include "cluster/cluster_codec.h"

/* `version`: of this program. `python`: what the word means in commands; "": python3; NULL:
 * it is not asked. */
struct cluster_host cluster_host_make(const char *version, const char *python,
                                      unsigned sandbox_features);

/* ERR_NEGATIVE: a worker is not what a tournament needs. */
MUST_USE enum err cluster_host_compare(const struct cluster_host *needed, bool has_programs,
                                       const struct cluster_hello *hello, struct note *why);

/* How fast a worker is, in percent of `own`; 0: one of them is not measured. */
int cluster_host_percent(const struct cluster_speed *own, const struct cluster_speed *speed);

/* ERR_NEGATIVE: its processor is slower than `slowest_percent` of `own`; 0: any speed will do. */
MUST_USE enum err cluster_host_compare_speed(const struct cluster_speed *own, int slowest_percent,
                                             const struct cluster_hello *hello, struct note *why);

#endif
