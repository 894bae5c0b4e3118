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

#define strlwr _strlwr
#define strupr _strupr
#define strrev _strrev
#define itoa _itoa
#define ltoa _ltoa
#define ultoa _ultoa

#if !defined __cplusplus && !defined min && !defined max
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#endif

#endif
