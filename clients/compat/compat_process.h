/* compat_process: the machine, priorities and keys of Windows. */
#ifndef COMPAT_PROCESS_INFO_H
#define COMPAT_PROCESS_INFO_H

typedef struct {
    DWORD dwPageSize, dwNumberOfProcessors;
} SYSTEM_INFO, *LPSYSTEM_INFO;

typedef struct {
    DWORD dwLowDateTime, dwHighDateTime;
} FILETIME, *LPFILETIME;

#define NORMAL_PRIORITY_CLASS 0x20
#define IDLE_PRIORITY_CLASS 0x40
#define HIGH_PRIORITY_CLASS 0x80
#define REALTIME_PRIORITY_CLASS 0x100
#define ABOVE_NORMAL_PRIORITY_CLASS 0x8000
#define THREAD_PRIORITY_LOWEST (-2)
#define THREAD_PRIORITY_NORMAL 0
#define THREAD_PRIORITY_ABOVE_NORMAL 1
#define THREAD_PRIORITY_HIGHEST 2
#define THREAD_PRIORITY_TIME_CRITICAL 15
#define VK_RETURN 0x0d
#define VK_ESCAPE 0x1b
#define VK_SPACE 0x20
#define VK_LEFT 0x25
#define VK_UP 0x26
#define VK_RIGHT 0x27
#define VK_DOWN 0x28
#define MB_OK 0

static inline void GetSystemInfo(SYSTEM_INFO *out)
{
    out->dwPageSize = (DWORD)sysconf(_SC_PAGESIZE);
    out->dwNumberOfProcessors = (DWORD)sysconf(_SC_NPROCESSORS_ONLN);
}

/* In units of 100 ns since 1601. */
static inline void GetSystemTimeAsFileTime(FILETIME *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t ticks =
        ((uint64_t)now.tv_sec + 11644473600u) * 10000000u + (uint64_t)now.tv_nsec / 100u;
    out->dwLowDateTime = (DWORD)ticks;
    out->dwHighDateTime = (DWORD)(ticks >> 32);
}

#define GetCurrentProcess() ((HANDLE)(intptr_t)-1)
#define GetCurrentThread() ((HANDLE)(intptr_t)-2)
#define SetPriorityClass(process, priority) ((void)(process), (void)(priority), TRUE)
#define SetThreadPriority(thread, priority) ((void)(thread), (void)(priority), TRUE)
#define SetThreadAffinityMask(thread, mask) ((void)(thread), (DWORD_PTR)(mask))
#define SetProcessAffinityMask(process, mask) ((void)(process), (void)(mask), TRUE)
#define GetAsyncKeyState(key) ((void)(key), (SHORT)0)
#define GetKeyState(key) ((void)(key), (SHORT)0)
#define IsDebuggerPresent() FALSE
#define Beep(frequency, ms) ((void)(frequency), (void)(ms), TRUE)
#define MessageBox(window, text, title, kind) (fprintf(stderr, "%s\n", (text)), 1)
#define MessageBoxA MessageBox

#define InterlockedExchangeAdd(value, add) __atomic_fetch_add((value), (add), __ATOMIC_SEQ_CST)
#define InterlockedAdd(value, add) __atomic_add_fetch((value), (add), __ATOMIC_SEQ_CST)
#define InterlockedCompareExchange(value, next, old) \
    __sync_val_compare_and_swap((value), (old), (next))

/* All of them; threads only. */
static inline DWORD WaitForMultipleObjects(DWORD count, const HANDLE *handles, BOOL all, DWORD ms)
{
    DWORD i;
    (void)all;
    for (i = 0; i < count; i++) {
        DWORD result = WaitForSingleObject(handles[i], ms);
        if (result != WAIT_OBJECT_0) {
            return result;
        }
    }
    return WAIT_OBJECT_0;
}

#endif
