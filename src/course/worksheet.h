/* worksheet: marks in the form that a learning platform gave out: its headings, its rows, and in
 * them the mark and the feedback. Platforms compare headings, in the language of the site.
 *
 * Sources: mod/assign/feedback/offline/importgradeslib.php of Moodle (Identifier, Grade and Last
 * modified (grade) are needed), lib/gradebook_importer.rb of Canvas (the first columns, and the row
 * with the points).
 */
#ifndef COURSE_WORKSHEET_H
#define COURSE_WORKSHEET_H

#include <stdio.h>

#include "course/class_list.h"
#include "report/grade_sheet.h"

/* Where the list has what. -1: nowhere. */
struct worksheet {
    const struct class_list *list;
    int grade;
    int feedback;
    int student[5]; /* the columns that Canvas needs before that of the assignment */
};

/* Whether a list that the platform gave out can be filled in for that format. If not, *why says
 * what is missing. `grade` and `feedback` are headings in another language, or NULL. */
MUST_USE bool worksheet_find(const struct class_list *list, enum grade_format format,
                             const char *grade, const char *feedback, struct worksheet *out,
                             struct note *why);

/* `grades` as for grade_sheet_csv. A row of a student whom the roster does not have stays as it is.
 * Failed writes show in the stream's error flag. */
void worksheet_write(FILE *out, const struct worksheet *sheet, const struct report_data *data,
                     const struct grade_policy *policy, const struct grade *grades,
                     enum grade_format format);

#endif
