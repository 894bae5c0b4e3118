/* grade: marks from a tournament.
 *
 * One course's policy, for any game: a base score for a team that finished a game and so qualifies,
 * an extra score by rank among those, and penalties in percent of the sum. Each penalty comes
 * with its evidence.
 */
#ifndef REPORT_GRADE_H
#define REPORT_GRADE_H

#include "report/report_data.h"

enum grade_cause {
    GRADE_LATE_MOVE,     /* once, however many */
    GRADE_RUNTIME_ERROR, /* likewise: invalid move, crash, nonsense, no start, no bid */
    GRADE_WRONG_NAME,
    GRADE_MISSING_REPORT,
    GRADE_LONG_REPORT, /* more pages than were asked for */
    GRADE_DAYS_LATE,   /* a day */
    GRADE_PLAGIARISM,
    GRADE_DISQUALIFIED,
    GRADE_CAUSES
};

struct grade_policy {
    double base;
    double extra; /* of the first; the last that qualified gets none, in between in equal steps */
    double percent[GRADE_CAUSES];
    bool refuses_late; /* a late hand-in loses all, however few its days */
};

/* 60 and 40; 5 %, 5 %, 10 %, 0 %, 0 %, 10 % a day, 100 %, 100 %. */
struct grade_policy grade_policy_usual(void);

struct grade_penalty {
    int count; /* how often it happened; days */
    double percent;
    struct note evidence; /* "game 3 move 12 (late)"; "" for none */
};

struct grade {
    int team;
    int rank; /* among those who qualified; 0: it did not */
    double base;
    double extra;
    struct grade_penalty penalties[GRADE_CAUSES];
    double percent; /* in all, at most 100 */
    double score;
};

/* `out` has room for every team and gets them in the order of the standings. */
void grade_make(const struct report_data *data, const struct grade_policy *policy,
                struct grade *out);

/* "late move", "runtime error", "wrong file name", "missing report", "long report",
 * "late submission", "plagiarism", "disqualified". */
const char *grade_cause_name(enum grade_cause cause);

#endif
