#include "base/number.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool digits_to_number(const char *text, int64_t *out)
{
    bool negative = *text == '-';
    const char *digit = text + negative;
    int64_t value = 0;
    if (!*digit) {
        return false;
    }
    for (; *digit; digit++) {
        if (*digit < '0' || *digit > '9') {
            return false;
        }
        int64_t next = *digit - '0';
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, negative ? -next : next, &value)) {
            return false;
        }
    }
    *out = value;
    return true;
}

enum err number_read(const char *text, const char *what, int64_t low, int64_t high, int64_t *out,
                     struct note *note)
{
    int64_t value = 0;
    if (!digits_to_number(text, &value) || value < low || value > high) {
        return note_fail(note, ERR_INPUT,
                         "%s must be a whole number from %lld to %lld, not '%.40s'", what,
                         (long long)low, (long long)high, text);
    }
    *out = value;
    return ERR_NONE;
}

static bool to_billionths(const char *text, int64_t *out)
{
    enum { DECIMALS = 9 };
    int64_t value = 0;
    int digits = 0;
    int decimals = -1; /* read so far; -1: no point yet */
    for (; *text; text++) {
        if (*text == '.' && decimals < 0 && digits > 0) {
            decimals = 0;
            continue;
        }
        if (*text < '0' || *text > '9' || decimals == DECIMALS ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *text - '0', &value)) {
            return false;
        }
        digits++;
        decimals += decimals >= 0;
    }
    if (digits == 0 || decimals == 0) {
        return false;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < DECIMALS; i++) {
        if (__builtin_mul_overflow(value, 10, &value)) {
            return false;
        }
    }
    *out = value;
    return true;
}

enum err number_read_seconds(const char *text, const char *what, int64_t low_ns, int64_t high_ns,
                             int64_t *out_ns, struct note *note)
{
    int64_t value = 0;
    if (!to_billionths(text, &value) || value < low_ns || value > high_ns) {
        return note_fail(note, ERR_INPUT,
                         "%s must be a number of seconds from %g to %g, not '%.40s'", what,
                         (double)low_ns / 1e9, (double)high_ns / 1e9, text);
    }
    *out_ns = value;
    return ERR_NONE;
}

enum err number_read_decimal(const char *text, const char *what, double low, double high,
                             double *out, struct note *note)
{
    int64_t billionths = 0;
    double value = to_billionths(text, &billionths) ? (double)billionths / 1e9 : low - 1;
    if (value < low || value > high) {
        return note_fail(note, ERR_INPUT, "%s must be a number from %g to %g, not '%.40s'", what,
                         low, high, text);
    }
    *out = value;
    return ERR_NONE;
}

void number_write_hundredths(int64_t hundredths, char out[NUMBER_HUNDREDTHS_BYTES])
{
    uint64_t size = hundredths < 0 ? 0 - (uint64_t)hundredths : (uint64_t)hundredths;
    snprintf(out, NUMBER_HUNDREDTHS_BYTES, "%c%" PRIu64 ".%02u", hundredths < 0 ? '-' : '+',
             size / 100, (unsigned)(size % 100));
}

enum err number_read_size(const char *text, const char *what, int64_t low, int64_t high,
                          int64_t *out, struct note *note)
{
    enum { MEGA = 1 << 20, MOST_DIGITS = 12 };
    char digits[MOST_DIGITS + 1];
    size_t count = strspn(text, "0123456789");
    const char *unit = text + count;
    int64_t factor = strcmp(unit, "M") == 0   ? MEGA
                     : strcmp(unit, "G") == 0 ? INT64_C(1024) * MEGA
                                              : 0;
    int64_t value = 0;
    snprintf(digits, sizeof digits, "%.*s", (int)count, text);
    if (!factor || count > MOST_DIGITS || !digits_to_number(digits, &value) ||
        __builtin_mul_overflow(value, factor, &value) || value < low || value > high) {
        return note_fail(note, ERR_INPUT,
                         "%s must be a size from %lldM to %lldG, as in 512M or 8G, not '%.40s'",
                         what, (long long)(low / MEGA), (long long)(high / MEGA / 1024), text);
    }
    *out = value;
    return ERR_NONE;
}
