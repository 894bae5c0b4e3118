#include "base/clock.h"

int64_t clock_read_ns(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return now.tv_sec * CLOCK_NS_PER_S + now.tv_nsec;
}

int64_t clock_now_ns(void) { return clock_read_ns(CLOCK_MONOTONIC); }

int64_t clock_unix_ms(void) { return clock_read_ns(CLOCK_REALTIME) / CLOCK_NS_PER_MS; }

int64_t clock_of_stamp(const struct timespec *stamp, int64_t now_ns)
{
    int64_t stamp_ns = stamp->tv_sec * CLOCK_NS_PER_S + stamp->tv_nsec;
    int64_t since_ns = clock_now_ns() - now_ns;
    int64_t age_ns = clock_read_ns(CLOCK_REALTIME) - stamp_ns - since_ns;
    return age_ns > 0 ? now_ns - age_ns : now_ns;
}

struct timespec clock_realtime_after(int64_t ns)
{
    int64_t then_ns = clock_read_ns(CLOCK_REALTIME) + ns;
    return (struct timespec){.tv_sec = then_ns / CLOCK_NS_PER_S,
                             .tv_nsec = then_ns % CLOCK_NS_PER_S};
}

void clock_write(int64_t unix_ms, const char *format, char *out, size_t room)
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm parts;
    if (!gmtime_r(&seconds, &parts) || !strftime(out, room, format, &parts)) {
        *out = '\0';
    }
}

void clock_write_local(int64_t unix_ms, const char *format, char *out, size_t room)
{
    time_t seconds = (time_t)(unix_ms / 1000);
    struct tm parts;
    if (!localtime_r(&seconds, &parts) || !strftime(out, room, format, &parts)) {
        *out = '\0';
    }
}

void clock_write_today(char out[CLOCK_DATE_BYTES])
{
    clock_write(clock_unix_ms(), "%Y-%m-%d", out, CLOCK_DATE_BYTES);
}
