/* compat_threads: threads and locks of Windows over pthread. */
#ifndef COMPAT_THREADS_H
#define COMPAT_THREADS_H

#include <pthread.h>

#define WAIT_OBJECT_0 0u
#define WAIT_TIMEOUT 258u
#define WAIT_FAILED 0xffffffffu

typedef DWORD(WINAPI *LPTHREAD_START_ROUTINE)(LPVOID);

struct compat_thread {
    pthread_t id;
    DWORD (*run)(void *);
    void *argument;
    int is_joined;
};

static inline void *compat_run_thread(void *self)
{
    struct compat_thread *thread = (struct compat_thread *)self;
    return (void *)(uintptr_t)thread->run(thread->argument);
}

static inline HANDLE CreateThread(void *security, SIZE_T stack, LPTHREAD_START_ROUTINE run,
                                  void *argument, DWORD flags, DWORD *id)
{
    struct compat_thread *thread = (struct compat_thread *)calloc(1, sizeof *thread);
    (void)security, (void)stack, (void)flags;
    if (!thread) {
        return NULL;
    }
    thread->run = run;
    thread->argument = argument;
    if (pthread_create(&thread->id, NULL, compat_run_thread, thread) != 0) {
        free(thread);
        return NULL;
    }
    if (id) {
        *id = (DWORD)thread->id;
    }
    return thread;
}

static inline uintptr_t _beginthreadex(void *security, unsigned stack, unsigned (*run)(void *),
                                       void *argument, unsigned flags, unsigned *id)
{
    return (uintptr_t)CreateThread(security, stack, run, argument, flags, id);
}

static inline DWORD WaitForSingleObject(HANDLE handle, DWORD ms)
{
    struct compat_thread *thread = (struct compat_thread *)handle;
    struct timespec until;
    if (thread->is_joined) {
        return WAIT_OBJECT_0;
    }
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += ms == INFINITE ? 1 << 30 : (time_t)(ms / 1000);
    until.tv_nsec += ms == INFINITE ? 0 : (long)(ms % 1000) * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    thread->is_joined = pthread_timedjoin_np(thread->id, NULL, &until) == 0;
    return thread->is_joined ? WAIT_OBJECT_0 : WAIT_TIMEOUT;
}

static inline BOOL TerminateThread(HANDLE handle, DWORD code)
{
    (void)code;
    return pthread_cancel(((struct compat_thread *)handle)->id) == 0;
}

static inline BOOL CloseHandle(HANDLE handle)
{
    struct compat_thread *thread = (struct compat_thread *)handle;
    if (thread && thread->is_joined) {
        free(thread);
    }
    return TRUE;
}

static inline DWORD GetCurrentThreadId(void) { return (DWORD)pthread_self(); }

typedef pthread_mutex_t CRITICAL_SECTION, *LPCRITICAL_SECTION;

static inline void InitializeCriticalSection(CRITICAL_SECTION *section)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(section, &kind);
    pthread_mutexattr_destroy(&kind);
}

static inline void EnterCriticalSection(CRITICAL_SECTION *section) { pthread_mutex_lock(section); }
static inline void LeaveCriticalSection(CRITICAL_SECTION *s) { pthread_mutex_unlock(s); }
static inline void DeleteCriticalSection(CRITICAL_SECTION *s) { pthread_mutex_destroy(s); }

#define InterlockedIncrement(value) __atomic_add_fetch((value), 1, __ATOMIC_SEQ_CST)
#define InterlockedDecrement(value) __atomic_sub_fetch((value), 1, __ATOMIC_SEQ_CST)
#define InterlockedExchange(value, next) __atomic_exchange_n((value), (next), __ATOMIC_SEQ_CST)

#endif
