/* box_report: what the helper tells plum about one process, over their control socket.
 *
 * The other way goes a single byte, BOX_TERMINATE; closing the socket, on purpose or by
 * dying, makes the helper kill everything.
 */
#ifndef PLAYER_BOX_REPORT_H
#define PLAYER_BOX_REPORT_H

#include <stdbool.h>

#include "base/note.h"

enum { BOX_CONTROL_FD = 3 }; /* where the helper finds the control socket */

enum { BOX_TERMINATE = 'T' }; /* ask the program to end: SIGTERM to all of it */

enum box_report_kind {
    BOX_FAILED = 1, /* value: the box_feature that could not be had, 0 if it is none of them */
    BOX_READY,      /* the program is about to run; text: its private folder, if it has a path */
    BOX_ENDED,      /* value: the wait status of the program */
    BOX_STARVED,    /* value as BOX_ENDED; it reached its memory limit */
    BOX_OVERGROWN,  /* value as BOX_ENDED; it was killed: its folder outgrew its disk limit */
};

struct box_report {
    enum box_report_kind kind;
    int value;
    int error; /* BOX_FAILED: the errno, 0 if there is none */
    struct note note;
    int listener; /* -1: none */
    int folder;   /* -1: none; a descriptor of the private folder inside the box */
};

/* The descriptors stay with the sender. A receiver that is gone is no error. */
void box_report_send(int control, const struct box_report *report);

/* Does not wait. False when there is none, or none any more; *is_over tells which.
 * The descriptors belong to the caller; a report whose descriptors we had no room for becomes
 * BOX_FAILED with the error EMFILE. */
bool box_report_receive(int control, struct box_report *out, bool *is_over);

#endif
