/* grading: what `plum tournament grade` does: marks of a tournament, their evidence, and a page for
 * each team. Prints nothing.
 */
#ifndef COURSE_GRADING_H
#define COURSE_GRADING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "course/class_list.h"
#include "course/worksheet.h"
#include "engine/engine.h"
#include "report/grade_sheet.h"

enum { GRADING_USUAL_ANALYZED = 2, GRADING_MOST_ANALYZED = 1000 };

/* Points into itself: do not copy. */
struct grading {
    enum grade_format format;
    struct class_list list;      /* of participants, taken over; empty: the roster's students */
    int64_t deadline_s;          /* 0: not given */
    const char *grade_column;    /* its heading in the platform's worksheet; NULL: as it is known */
    const char *feedback_column; /* likewise */
    int analyzed;                /* lost games of each team that the engine examines */
    bool may_overwrite;
    bool is_anonymous;

    /* Made by the functions below. */
    char stem[PATH_MAX];        /* of the files to write */
    struct grade_policy policy; /* the roster's; to be changed before grading_write */
    struct report_data data;
    struct grade *grades;   /* best first */
    struct class_list kept; /* the list that the roster names, if none is given */
    struct worksheet sheet; /* with a list: its columns are filled in */
    struct note remark;     /* why the platform's list is not filled in; "": it is */
    size_t zipped;          /* students in the zip of the feedback */
    struct engine engine;
};

void grading_init(struct grading *grading);

/* Opens the tournament in `database`, with the students of the list. The marks go to the files
 * "NAME.csv", "NAME.json" and the folder "NAME.feedback", where `output` is NAME or NAME.csv.
 * ERR_INPUT: one of these exists. */
MUST_USE enum err grading_open(struct grading *grading, const char *database, const char *output,
                               enum cpu_level cpu, struct note *why);

/* Makes the grades and writes all files. */
MUST_USE enum err grading_write(struct grading *grading, struct note *why);

/* Also after an error. */
void grading_free(struct grading *grading);

#endif
