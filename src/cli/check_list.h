/* check_list: what an agent must be able to do, and whether this one can.
 *
 * The checks look at what happened in trials; they start nothing themselves.
 */
#ifndef CLI_CHECK_LIST_H
#define CLI_CHECK_LIST_H

#include "cli/check_trial.h"

enum check_verdict {
    CHECK_NONE, /* it has no meaning for this kind of player */
    CHECK_OK,
    CHECK_WARNING,
    CHECK_FAIL,
    CHECK_SKIPPED, /* something before it failed */
};

/* "ok", "warning", "FAIL" or "skipped". */
const char *check_verdict_name(enum check_verdict verdict);

/* What there is to look at. */
struct check_facts {
    const struct game *game;
    const struct player_spec *spec;
    const struct judge_rules *rules;
    struct note python; /* the interpreter and its version; "": it is not a Python program */
    struct check_trial trials[2]; /* the second is for the other colour where bids decide */
    struct check_trial reconnect; /* the connection broke in mid-game */
};

struct check_finding {
    enum check_verdict verdict;
    struct note detail;
    const char *advice;              /* NULL: none */
    const struct check_trial *fault; /* where the fault happened that it is about; NULL: none */
};

struct check {
    const char *name;
    struct check_finding (*look)(const struct check_facts *facts);
};

/* Up to the one whose name is NULL. */
extern const struct check check_list[];

#endif
