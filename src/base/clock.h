/* clock: the one place that asks the system what time it is. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

#define CLOCK_NS_PER_MS INT64_C(1000000)
#define CLOCK_NS_PER_S INT64_C(1000000000)

/* Nanoseconds since some fixed moment; never goes back, whatever happens to the date. */
int64_t clock_now_ns(void);

/* Milliseconds since 1970; jumps when somebody sets the date. */
int64_t clock_date_ms(void);

#endif
