/* margin: how much of a time limit to use.
 *
 * A late answer is a lost turn, so something is left for the way of the answer and for a busy
 * machine. Judges allow a grace on top of their limits; this does not rely on it.
 */
#ifndef ENGINE_MARGIN_H
#define ENGINE_MARGIN_H

#include <stdint.h>

/* Of a game's limit for a move: 12 % of a short one, 60 ms and 2 % of one over 600 ms. */
static inline int64_t margin_within(int64_t limit_ns)
{
    const int64_t most_ns = 60000000;
    int64_t fixed_ns = limit_ns / 10 < most_ns ? limit_ns / 10 : most_ns;
    return limit_ns - fixed_ns - limit_ns / 50;
}

/* Of a thinking time that a user interface asks for: all but 5 ms, or 5 % of a short one. */
static inline int64_t margin_of_order(int64_t time_ns)
{
    const int64_t most_ns = 5000000;
    return time_ns - (time_ns / 20 < most_ns ? time_ns / 20 : most_ns);
}

/* From when on a best move that does not change any more is enough. */
static inline int64_t margin_early(int64_t time_ns) { return time_ns / 2; }

#endif
