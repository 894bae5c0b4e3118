/* sandbox_report: what the helper reports to plum about one process, over their control socket.
 *
 * The other way go single bytes, enum sandbox_order; closing the socket, on purpose or by dying,
 * makes the helper kill everything.
 */
#ifndef SANDBOX_SANDBOX_REPORT_H
#define SANDBOX_SANDBOX_REPORT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/note.h"
#include "sandbox/violation.h"

enum { SANDBOX_CONTROL_FD = 3 }; /* where the helper finds the control socket */

enum sandbox_order {
    SANDBOX_TERMINATE = 'T', /* ask the program to end: SIGTERM to all of it, which continues */
    SANDBOX_FREEZE = 'F',    /* stop all of it where it is */
    SANDBOX_YIELD = 'Y',     /* give it the smallest share of the processors, if it has a share */
    SANDBOX_CONTINUE = 'C',  /* end what the two above began */
};

enum sandbox_report_kind {
    SANDBOX_FAILED =
        1,           /* value: the sandbox_feature that could not be had, 0 if it is none of them */
    SANDBOX_READY,   /* the program is about to run; text: its private folder, if it has a path */
    SANDBOX_ENDED,   /* value: the wait status of the program */
    SANDBOX_STARVED, /* value as SANDBOX_ENDED; it reached its memory limit */
    SANDBOX_OVERGROWN, /* value as SANDBOX_ENDED; it was killed: its folder outgrew its disk limit
                        */
    SANDBOX_VIOLATION, /* what it tried, in `violation`: the first time, or more times at its end */
};

struct sandbox_report {
    enum sandbox_report_kind kind;
    int value;
    int error; /* SANDBOX_FAILED: the errno, 0 if there is none */
    struct note note;
    struct violation violation;
    int listener; /* -1: none */
    int folder;   /* -1: none; a descriptor of the private folder inside the sandbox */
};

/* The descriptors stay with the sender. A receiver that is gone is not an error. */
void sandbox_report_send(int control, const struct sandbox_report *report);

/* Sends SANDBOX_FAILED: `feature` (0: none) cannot be used, with the errno and the reason. */
void sandbox_report_failure(int control, unsigned feature, const struct note *why);

/* Sets the note to "WHAT: " and the text of errno; returns ERR_ENVIRONMENT. */
enum err sandbox_report_errno(struct note *why, const char *what);

/* Does not wait. False when there is none, or none any more; *is_over is true in the second case.
 * The descriptors belong to the caller; a report whose descriptors we had no room for becomes
 * SANDBOX_FAILED with the error EMFILE. */
bool sandbox_report_receive(int control, struct sandbox_report *out, bool *is_over);

#endif
