/* feedback: a private page for one team: its marks, results, faults with their boards, worst moves,
 * messages of the compiler, and what its programs wrote.
 */
#ifndef REPORT_FEEDBACK_H
#define REPORT_FEEDBACK_H

#include <stdio.h>

#include "report/blunders.h"
#include "report/report_data.h"
#include "report/grade.h"

enum {
    FEEDBACK_MAX_BOARDS = 12,     /* faults that are drawn; the others are listed */
    FEEDBACK_MAX_LOG = 64 * 1024, /* bytes of standard error, and of a compiler's messages */
};

/* `blunders` may be empty. Opponents appear under their labels. Failed writes show in the stream's
 * error flag. */
void feedback_write(FILE *out, const struct report_data *data, const struct grade *grade,
                    const struct blunders *blunders);

#endif
