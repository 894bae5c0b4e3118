/* compat_system: dates, random numbers, memory and the environment as Microsoft's C library has
 * them. */
#ifndef COMPAT_SYSTEM_H
#define COMPAT_SYSTEM_H

static inline errno_t gmtime_s(struct tm *out, const time_t *when)
{
    return gmtime_r(when, out) ? 0 : 22;
}

static inline errno_t asctime_s(char *out, size_t size, const struct tm *date)
{
    char text[64];
    return asctime_r(date, text) ? strcpy_s(out, size, text) : 22;
}

static inline errno_t ctime_s(char *out, size_t size, const time_t *when)
{
    char text[64];
    return ctime_r(when, text) ? strcpy_s(out, size, text) : 22;
}

struct _timeb {
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};
#define __timeb64 _timeb

static inline errno_t _ftime_s(struct _timeb *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    out->time = now.tv_sec;
    out->millitm = (unsigned short)(now.tv_nsec / 1000000);
    out->timezone = out->dstflag = 0;
    return 0;
}
#define _ftime(out) ((void)_ftime_s(out))
#define _ftime64(out) ((void)_ftime_s(out))
#define _ftime64_s _ftime_s

static inline errno_t rand_s(unsigned *out) { return getentropy(out, sizeof *out) == 0 ? 0 : 22; }

static inline errno_t strerror_s(char *out, size_t size, int error)
{
    return snprintf(out, size, "error %d", error) < 0 ? 22 : 0;
}

static inline errno_t getenv_s(size_t *length, char *out, size_t size, const char *name)
{
    const char *value = getenv(name);
    *length = value ? __builtin_strlen(value) + 1 : 0;
    if (size) {
        out[0] = '\0';
    }
    return value && size ? strcpy_s(out, size, value) : 0;
}

static inline errno_t _dupenv_s(char **out, size_t *length, const char *name)
{
    const char *value = getenv(name);
    *out = value ? __builtin_strdup(value) : NULL;
    if (length) {
        *length = value ? __builtin_strlen(value) + 1 : 0;
    }
    return 0;
}

static inline errno_t freopen_s(FILE **out, const char *name, const char *mode, FILE *old)
{
    *out = freopen(name, mode, old);
    return *out ? 0 : 2;
}

static inline char *gets_s(char *out, size_t size)
{
    char *line = fgets(out, (int)size, stdin);
    if (line) {
        line[__builtin_strcspn(line, "\n")] = '\0';
    }
    return line;
}

static inline void *_aligned_malloc(size_t size, size_t alignment)
{
    void *block = NULL;
    return posix_memalign(&block, alignment < sizeof block ? sizeof block : alignment, size) == 0
               ? block
               : NULL;
}
#define _aligned_free free
#define _alloca __builtin_alloca
#define _malloca __builtin_alloca
#define _freea(block) ((void)(block))
#define _fileno fileno
#define _isnan __builtin_isnan
#define _finite __builtin_isfinite
#define _sleep(ms) ((void)usleep((unsigned)(ms)*1000u))

#endif
