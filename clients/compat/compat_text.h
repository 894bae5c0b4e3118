/* compat_text: more functions on text, numbers and dates that only Microsoft's C library has. */
#ifndef COMPAT_TEXT_H
#define COMPAT_TEXT_H

#include <ctype.h>

static inline char *compat_to_text(unsigned long long value, int is_negative, char *out, int base)
{
    char digits[65];
    int count = 0;
    char *end = out;
    do {
        digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[value % (unsigned)base];
        value /= (unsigned)base;
    } while (value);
    if (is_negative) {
        *end++ = '-';
    }
    while (count) {
        *end++ = digits[--count];
    }
    *end = '\0';
    return out;
}

/* Only decimal numbers have a sign there. */
static inline char *_itoa(int value, char *out, int base)
{
    int is_negative = value < 0 && base == 10;
    unsigned size = is_negative ? 0u - (unsigned)value : (unsigned)value;
    return compat_to_text(size, is_negative, out, base);
}

static inline char *_i64toa(long long value, char *out, int base)
{
    int is_negative = value < 0 && base == 10;
    unsigned long long size = (unsigned long long)value;
    return compat_to_text(is_negative ? 0ull - size : size, is_negative, out, base);
}

static inline char *_ui64toa(unsigned long long value, char *out, int base)
{
    return compat_to_text(value, 0, out, base);
}

static inline char *_ultoa(unsigned value, char *out, int base)
{
    return compat_to_text(value, 0, out, base);
}
#define _ltoa(value, out, base) _itoa((int)(value), (out), (base))
#define _atoi64 atoll

static inline errno_t _itoa_s(int value, char *out, size_t size, int base)
{
    char text[65];
    return strcpy_s(out, size, _itoa(value, text, base));
}

static inline char *_strrev(char *text)
{
    size_t left = 0, right = __builtin_strlen(text);
    while (left + 1 < right) {
        char letter = text[left];
        text[left++] = text[--right];
        text[right] = letter;
    }
    return text;
}

static inline char *_strlwr(char *text)
{
    char *at;
    for (at = text; *at; at++) {
        *at = (char)tolower((unsigned char)*at);
    }
    return text;
}

static inline char *_strupr(char *text)
{
    char *at;
    for (at = text; *at; at++) {
        *at = (char)toupper((unsigned char)*at);
    }
    return text;
}
#define _strlwr_s(text, size) ((void)(size), _strlwr(text), 0)
#define _strupr_s(text, size) ((void)(size), _strupr(text), 0)

static inline size_t strnlen_s(const char *text, size_t most)
{
    size_t length = 0;
    while (text && length < most && text[length]) {
        length++;
    }
    return length;
}

static inline errno_t strncat_s(char *out, size_t size, const char *text, size_t most)
{
    size_t used = __builtin_strlen(out);
    size_t length = strnlen_s(text, most);
    return compat_join(out, size, used, text,
                       most == _TRUNCATE && used + length >= size ? size - used - 1 : length);
}

static inline errno_t memmove_s(void *out, size_t size, const void *from, size_t count)
{
    if (count > size) {
        return COMPAT_TOO_SMALL;
    }
    __builtin_memmove(out, from, count);
    return 0;
}

static inline int vsprintf_s(char *out, size_t size, const char *format, va_list rest)
{
    return vsnprintf(out, size, format, rest);
}

static inline int _snprintf_s(char *out, size_t size, size_t most, const char *format, ...)
{
    va_list rest;
    va_start(rest, format);
    int length = vsnprintf(out, most < size ? most + 1 : size, format, rest);
    va_end(rest);
    return length;
}

#ifdef __cplusplus
template <size_t N> inline errno_t _itoa_s(int value, char (&out)[N], int base)
{
    return _itoa_s(value, out, N, base);
}
template <size_t N> inline errno_t strncat_s(char (&out)[N], const char *text, size_t most)
{
    return strncat_s(out, N, text, most);
}
#endif

#endif
