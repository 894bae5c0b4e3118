/* check_list: what an agent must be able to do, and whether this one can.
 *
 * The checks look at what happened in the trials; they start nothing themselves.
 */
#ifndef APP_CHECK_LIST_H
#define APP_CHECK_LIST_H

#include "app/check.h"

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
    enum penalty penalty; /* for one fault, by the rules */
    bool loses_game;      /* one of them has lost the game */
    int faults;
    int turns; /* moves that the program was asked for */
};

/* A program that loses at least one turn in ten, and three of them, loses games as well. */
enum check_severity check_grade(const struct check_tally *tally);

enum { CHECK_MAX_FINDINGS = 48 };

struct check_finding {
    const char *check; /* what was asked: "start-up" */
    enum check_severity severity;
    struct note detail;
    struct note answer; /* what the program answered; "": this is not about an answer */
    struct note why;    /* if so, why it is refused */
    struct note guess;  /* what may be the reason; "" */
    const char *advice; /* NULL: none */
    const struct check_fault *fault; /* that it is about; NULL: none */
    const struct check_trial *trial; /* of the fault */
};

struct check_findings {
    struct check_finding items[CHECK_MAX_FINDINGS];
    int count;
    int totals[CHECK_SKIPPED + 1]; /* by severity */
    bool is_incomplete;            /* it was not seen to start or to play one of the colours */
};

/* The gravest first, otherwise in the order in which a program meets them. Points into the facts.
 */
void check_list(const struct check_facts *facts, struct check_findings *out);

/* "ready for the tournament", "not ready: 2 findings must be fixed". */
void check_verdict(const struct check_facts *facts, const struct check_findings *findings,
                   struct note *out);

/* It played both colours, no trial was cut short by Ctrl-C, and nothing must be fixed, as far as a
 * quick check looks. */
bool check_is_ready(const struct check_facts *facts, const struct check_findings *findings);

#endif
