/* time_limit: time management, how much of a time limit to use.
 *
 * A late answer is a lost turn, so a margin is left for the transport of the answer and for a busy
 * machine. Judges allow a grace period after their limits; this does not rely on it.
 */
#ifndef ENGINE_TIME_LIMIT_H
#define ENGINE_TIME_LIMIT_H

#include <stdint.h>

/* Of a game's limit for a move: 12 % of a short one, 60 ms and 2 % of one over 600 ms. */
static inline int64_t time_limit_within(int64_t limit_ns)
{
    const int64_t most_ns = 60000000;
    int64_t fixed_ns = limit_ns / 10 < most_ns ? limit_ns / 10 : most_ns;
    return limit_ns - fixed_ns - limit_ns / 50;
}

/* For an agent under a judge of other people: less than the half of a limit that 'plum check' asks
 * for, since a machine that plays other games as well is slower. */
static inline int64_t time_limit_of_agent(int64_t limit_ns) { return limit_ns / 20 * 9; }

/* Of a thinking time that a user interface asks for: all but 5 ms, or 5 % of a short one. */
static inline int64_t time_limit_of_movetime(int64_t time_ns)
{
    const int64_t most_ns = 5000000;
    return time_ns - (time_ns / 20 < most_ns ? time_ns / 20 : most_ns);
}

/* After this time a best move that does not change any more is enough. */
static inline int64_t time_limit_early(int64_t time_ns) { return time_ns / 2; }

#endif
