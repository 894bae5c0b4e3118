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

#endif
