#include "app/check_grade.h"

enum { MANY_FAULTS = 3, LARGE_SHARE = 10 };

const char *check_severity_name(enum check_severity severity)
{
    static const char *const names[] = {
        [CHECK_OK] = "ok",
        [CHECK_SHOULD_FIX] = "should fix",
        [CHECK_MUST_FIX] = "must fix",
        [CHECK_SKIPPED] = "skipped",
    };
    return names[severity];
}

enum check_severity check_grade(const struct check_tally *tally)
{
    bool is_frequent = tally->faults >= MANY_FAULTS && tally->faults * LARGE_SHARE >= tally->turns;
    if (tally->loses_game || tally->penalty == PENALTY_LOSS ||
        tally->penalty == PENALTY_REPLACE_FOREVER) {
        return CHECK_MUST_FIX;
    }
    if (tally->penalty == PENALTY_REPLACE && is_frequent) {
        return CHECK_MUST_FIX;
    }
    return CHECK_SHOULD_FIX;
}
