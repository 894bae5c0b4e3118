/* compat_secure: the functions on strings and files that only Microsoft's C library has.
 *
 * Where Microsoft's stop the program because a buffer is too small, these leave it empty.
 */
#ifndef COMPAT_SECURE_H
#define COMPAT_SECURE_H

typedef int errno_t;
typedef size_t rsize_t;

enum { COMPAT_TOO_SMALL = 34, COMPAT_MAX_POINTERS = 16 };
#define _TRUNCATE ((size_t)-1)

static inline errno_t compat_join(char *out, size_t size, size_t at, const char *text,
                                  size_t length)
{
    if (at + length >= size) {
        out[0] = '\0';
        return COMPAT_TOO_SMALL;
    }
    __builtin_memcpy(out + at, text, length);
    out[at + length] = '\0';
    return 0;
}

static inline errno_t strcpy_s(char *out, size_t size, const char *text)
{
    return compat_join(out, size, 0, text, __builtin_strlen(text));
}

static inline errno_t strcat_s(char *out, size_t size, const char *text)
{
    return compat_join(out, size, __builtin_strlen(out), text, __builtin_strlen(text));
}

static inline errno_t strncpy_s(char *out, size_t size, const char *text, size_t most)
{
    size_t length = __builtin_strlen(text);
    size_t wanted = length < most ? length : most;
    return compat_join(out, size, 0, text, most == _TRUNCATE && wanted >= size ? size - 1 : wanted);
}

static inline errno_t memcpy_s(void *out, size_t size, const void *from, size_t count)
{
    if (count > size) {
        return COMPAT_TOO_SMALL;
    }
    __builtin_memcpy(out, from, count);
    return 0;
}

static inline int sprintf_s(char *out, size_t size, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int length = vsnprintf(out, size, format, rest);
    va_end(rest);
    return length;
}

#ifdef __cplusplus
/* The forms that find out the buffer's size. */
template <size_t N> inline errno_t strcpy_s(char (&out)[N], const char *text)
{
    return strcpy_s(out, N, text);
}
template <size_t N> inline errno_t strcat_s(char (&out)[N], const char *text)
{
    return strcat_s(out, N, text);
}
template <size_t N> inline errno_t strncpy_s(char (&out)[N], const char *text, size_t most)
{
    return strncpy_s(out, N, text, most);
}
template <size_t N> inline int sprintf_s(char (&out)[N], const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int length = vsnprintf(out, N, format, rest);
    va_end(rest);
    return length;
}
#endif

/* scanf_s takes a size after the pointer of each text: this keeps the pointers without the sizes. */
static inline void compat_pointers(const char *format, va_list from, void **to)
{
    int count = 0;
    for (; *format && count < COMPAT_MAX_POINTERS; format++) {
        if (format[0] != '%' || *++format == '%' || *format == '*') {
            continue;
        }
        to[count++] = va_arg(from, void *);
        format += __builtin_strspn(format, "0123456789hlLjztI");
        if (__builtin_strchr("csCS[", *format)) {
            (void)va_arg(from, unsigned);
        }
    }
}

#define COMPAT_POINTERS                                                                           \
    to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7], to[8], to[9], to[10], to[11], to[12], \
        to[13], to[14], to[15]

static inline int fscanf_s(FILE *in, const char *format, ...)
{
    void *to[COMPAT_MAX_POINTERS] = {0};
    va_list from;
    va_start(from, format);
    compat_pointers(format, from, to);
    va_end(from);
    return fscanf(in, format, COMPAT_POINTERS);
}

static inline int sscanf_s(const char *in, const char *format, ...)
{
    void *to[COMPAT_MAX_POINTERS] = {0};
    va_list from;
    va_start(from, format);
    compat_pointers(format, from, to);
    va_end(from);
    return sscanf(in, format, COMPAT_POINTERS);
}
#define scanf_s(...) fscanf_s(stdin, __VA_ARGS__)

static inline errno_t fopen_s(FILE **out, const char *name, const char *mode)
{
    *out = fopen(name, mode);
    return *out ? 0 : 2;
}

static inline errno_t localtime_s(struct tm *out, const time_t *when)
{
    return localtime_r(when, out) ? 0 : 22;
}

#define printf_s printf
#define fprintf_s fprintf
#define strtok_s strtok_r
#define _snprintf snprintf
#define _vsnprintf vsnprintf
#define _strdup __builtin_strdup
#define _stricmp __builtin_strcasecmp
#define _strnicmp __builtin_strncasecmp
#define _strcmpi __builtin_strcasecmp

#endif
