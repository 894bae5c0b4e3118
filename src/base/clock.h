/* clock: what time it is. No other file reads the system clock, and none formats a date. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NS_PER_S INT64_C(1000000000)

enum { CLOCK_DATE_BYTES = sizeof "2026-01-31" };

/* What another clock of clock_gettime(2) shows, such as processor time; 0: there is none. */
int64_t clock_read_ns(clockid_t clock);

/* Monotonic nanoseconds since some fixed moment; setting the date does not change them. */
int64_t clock_now_ns(void);

/* Milliseconds since 1970; jumps when the date is set. */
int64_t clock_unix_ms(void);

/* When it was `stamp`, a time of a file, on the clock of clock_now_ns: not later than `now_ns`, and
 * meaningless if the date was set meanwhile. The kernel rounds such times down. */
int64_t clock_of_stamp(const struct timespec *stamp, int64_t now_ns);

/* For functions that wait until a moment, such as sem_timedwait. */
struct timespec clock_realtime_after(int64_t ns);

/* A moment in UTC, as strftime writes it; "" where that is impossible. */
__attribute__((format(strftime, 2, 0))) void clock_write(int64_t unix_ms, const char *format,
                                                         char *out, size_t room);

/* The same moment by the clock of this machine's zone. */
__attribute__((format(strftime, 2, 0))) void clock_write_local(int64_t unix_ms, const char *format,
                                                               char *out, size_t room);

/* Today in UTC: "2026-01-31". */
void clock_write_today(char out[CLOCK_DATE_BYTES]);

#endif
