/* feedback: a private page for one team: its marks, results, faults with their boards, worst moves,
 * messages of the compiler, and what its programs wrote.
 */
#ifndef REPORT_FEEDBACK_H
#define REPORT_FEEDBACK_H

#include <stdio.h>

#include "report/report_data.h"
#include "report/grade.h"

enum {
    FEEDBACK_MAX_BOARDS = 12,     /* faults that are drawn; the others are listed */
    FEEDBACK_MAX_LOG = 64 * 1024, /* bytes of standard error, and of a compiler's messages */
};

/* The moves of a team that cost most. */
enum { BLUNDERS_MAX = 3 };

struct blunder {
    int game;              /* its number, given by the caller */
    size_t ply;            /* plies played before */
    struct state position; /* before the move */
    char move[GAME_MOVE_BYTES];
    char better[GAME_MOVE_BYTES]; /* what the engine would have played */
    int before;                   /* score for the side that moved, in hundredths, before … */
    int after;                    /* … and after the move */
};

/* Zeroed there are none. */
struct blunders {
    size_t count;
    struct blunder list[BLUNDERS_MAX]; /* the worst first */
};

/* `blunders` may be empty. Opponents appear under their labels. Failed writes show in the stream's
 * error flag. */
void feedback_write(FILE *out, const struct report_data *data, const struct grade *grade,
                    const struct blunders *blunders);

#endif
