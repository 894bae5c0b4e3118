/* grade: marks from a tournament.
 *
 * A base score for a team that is qualified,
 * an extra score by rank among those, and penalties in percent of the sum, which the
 * roster has. Each penalty comes with its evidence.
 */
#ifndef REPORT_GRADE_H
#define REPORT_GRADE_H

#include "report/report_data.h"

/* What an assignment may take something off for, and what any tournament does. */
enum grade_cause {
    GRADE_LATE_MOVE = DEDUCT_LATE_MOVE,
    GRADE_RUNTIME_ERROR = DEDUCT_RUNTIME_ERROR,
    GRADE_WRONG_NAME = DEDUCT_WRONG_NAME,
    GRADE_MISSING_REPORT = DEDUCT_MISSING_REPORT,
    GRADE_LONG_REPORT = DEDUCT_LONG_REPORT,
    GRADE_DAYS_LATE = DEDUCT_DAY_LATE, /* a day */
    GRADE_PLAGIARISM = DEDUCT_PLAGIARISM,
    GRADE_DISQUALIFIED = DEDUCTIONS,
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

/* The usual one, with the penalties of the roster if it has any. */
struct grade_policy grade_policy_of(const struct roster *roster);

/* For a person: the penalties, whether they are those of the roster, and its rules for attempts and
 * late hand-ins. */
enum { GRADE_RULES_BYTES = 2 * DEDUCTION_LIST_BYTES };
void grade_policy_describe(const struct grade_policy *policy, const struct roster *roster,
                           char out[GRADE_RULES_BYTES]);

struct grade_penalty {
    int count; /* how often it happened; days */
    double percent;
    struct note evidence; /* "game 3 move 12 and 4 more (late)"; "" for none */
};

struct grade {
    int team;
    int rank;        /* among those who qualified; 0: it did not, or is refused */
    bool is_refused; /* handed in too late: it has no rank */
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
