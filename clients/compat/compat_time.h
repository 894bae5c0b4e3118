/* compat_time: the clocks of Windows. */
#ifndef COMPAT_TIME_H
#define COMPAT_TIME_H

typedef union {
    struct {
        DWORD LowPart;
        LONG HighPart;
    };
    LONGLONG QuadPart;
} LARGE_INTEGER, *PLARGE_INTEGER;

typedef struct {
    WORD wYear, wMonth, wDayOfWeek, wDay, wHour, wMinute, wSecond, wMilliseconds;
} SYSTEMTIME, *LPSYSTEMTIME;

static inline int64_t compat_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline void Sleep(DWORD ms)
{
    struct timespec pause;
    pause.tv_sec = (time_t)(ms / 1000);
    pause.tv_nsec = (long)(ms % 1000) * 1000000;
    nanosleep(&pause, NULL);
}

static inline ULONGLONG GetTickCount64(void) { return (ULONGLONG)(compat_now_ns() / 1000000); }
static inline DWORD GetTickCount(void) { return (DWORD)GetTickCount64(); }
static inline DWORD timeGetTime(void) { return GetTickCount(); }
static inline UINT timeBeginPeriod(UINT ms) { return ms - ms; }
static inline UINT timeEndPeriod(UINT ms) { return ms - ms; }

static inline BOOL QueryPerformanceCounter(LARGE_INTEGER *out)
{
    out->QuadPart = compat_now_ns();
    return TRUE;
}

static inline BOOL QueryPerformanceFrequency(LARGE_INTEGER *out)
{
    out->QuadPart = 1000000000;
    return TRUE;
}

static inline void GetLocalTime(SYSTEMTIME *out)
{
    struct timespec now;
    struct tm date;
    clock_gettime(CLOCK_REALTIME, &now);
    localtime_r(&now.tv_sec, &date);
    out->wYear = (WORD)(date.tm_year + 1900);
    out->wMonth = (WORD)(date.tm_mon + 1);
    out->wDayOfWeek = (WORD)date.tm_wday;
    out->wDay = (WORD)date.tm_mday;
    out->wHour = (WORD)date.tm_hour;
    out->wMinute = (WORD)date.tm_min;
    out->wSecond = (WORD)date.tm_sec;
    out->wMilliseconds = (WORD)(now.tv_nsec / 1000000);
}

/* On Windows clock() is wall time in milliseconds, and agents write `clock() - begin < 4500`. */
static inline clock_t compat_clock(void)
{
    static int64_t begin_ns;
    if (!begin_ns) {
        begin_ns = compat_now_ns();
    }
    return (clock_t)((compat_now_ns() - begin_ns) / 1000000);
}
#ifdef __cplusplus
namespace std
{
using ::compat_clock;
}
#endif
#define clock compat_clock
#undef CLOCKS_PER_SEC
#define CLOCKS_PER_SEC ((clock_t)1000)

#endif
