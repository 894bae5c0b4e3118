/* check_grade: how much a finding matters to a program that enters a tournament. */
#ifndef APP_CHECK_GRADE_H
#define APP_CHECK_GRADE_H

#include <stdbool.h>

#include "game/game.h"

enum check_severity {
    CHECK_OK,
    CHECK_SHOULD_FIX, /* it costs turns or marks */
    CHECK_MUST_FIX,   /* it loses games */
    CHECK_SKIPPED,    /* it could not be tried */
};

/* "ok", "should fix", "must fix" or "skipped". */
const char *check_severity_name(enum check_severity severity);

/* All faults of one kind in one game. */
struct check_tally {
    enum penalty penalty; /* what the rules say follows from one */
    bool loses_game;      /* one of them has lost the game */
    int faults;
    int turns; /* moves that the program was asked for */
};

/* A program that loses at least one turn in ten, and three of them, loses games as well. */
enum check_severity check_grade(const struct check_tally *tally);

#endif
