#include "base/clock.h"

#include <time.h>

int64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
}

int64_t clock_date_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec) / CLOCK_NS_PER_MS;
}
