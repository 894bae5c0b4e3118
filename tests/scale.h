/* scale: how much a randomised test does.
 *
 * PLUM_TEST_PERCENT in the environment makes it more or less; the same numbers are drawn in
 * the same order, so that more work repeats what less work did. A sanitizer slows everything
 * down so much that a tenth is the default there.
 */
#ifndef SCALE_H
#define SCALE_H

#include <stdlib.h>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || \
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { SCALE_DEFAULT_PERCENT = 10 };
#else
enum { SCALE_DEFAULT_PERCENT = 100 };
#endif

/* `count` in a usual run; at least 1. */
static inline long scaled(long count)
{
    const char *percent = getenv("PLUM_TEST_PERCENT");
    long wanted = count * (percent ? strtol(percent, NULL, 10) : SCALE_DEFAULT_PERCENT) / 100;
    return wanted > 0 ? wanted : 1;
}

#endif
