/* margin: how much of a time limit to use.
 *
 * The limit is hard and an answer too late is a lost turn, so something is left for a
 * busy machine.
 */
#ifndef ENGINE_MARGIN_H
#define ENGINE_MARGIN_H

#include <stdint.h>

static inline int64_t margin_within(int64_t limit_ns)
{
    int64_t margin_ns = 60000000 + limit_ns / 50;
    return limit_ns > 2 * margin_ns ? limit_ns - margin_ns : limit_ns / 2;
}

#endif
