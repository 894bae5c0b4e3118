/* compat_common: what Visual Studio's headers bring along with one another.
 *
 * `plum build` adds it on a second try, when a source does not compile by itself: programs
 * often rely on it, but these names could also clash with their own.
 */
#ifndef COMPAT_COMMON_H
#define COMPAT_COMMON_H

#include <ctype.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#ifdef __cplusplus
#include <algorithm>
#include <cctype>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#endif

#include "conio.h"

#define stricmp strcasecmp
#define strnicmp strncasecmp

static inline char *compat_itoa(int value, char *out, int base)
{
    char digits[33];
    unsigned left = value < 0 && base == 10 ? 0u - (unsigned)value : (unsigned)value;
    int count = 0;
    char *end = out;
    do {
        digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[left % (unsigned)base];
        left /= (unsigned)base;
    } while (left);
    if (value < 0 && base == 10) {
        *end++ = '-';
    }
    while (count) {
        *end++ = digits[--count];
    }
    *end = '\0';
    return out;
}
#define itoa compat_itoa
#define _itoa compat_itoa

#endif
