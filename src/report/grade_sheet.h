/* grade_sheet: marks with their reasons, for a spreadsheet and for programs. */
#ifndef REPORT_GRADE_SHEET_H
#define REPORT_GRADE_SHEET_H

#include <stdio.h>

#include "base/json.h"
#include "report/grade.h"

/* Everything, or the columns that a learning platform imports. */
enum grade_format { GRADE_FORMAT_FULL, GRADE_FORMAT_MOODLE, GRADE_FORMAT_CANVAS };

/* `grades` has one for every team. A row for each student: those of a team have its marks, those
 * without one have none; a team without known students has one row. UTF-8 with a byte order mark,
 * without which spreadsheets misread Chinese names. Failed writes show in the stream's error flag.
 */
void grade_sheet_csv(FILE *out, const struct report_data *data, const struct grade_policy *policy,
                     const struct grade *grades, enum grade_format format);

/* The grade of a student's team; NULL: nothing was handed in. */
const struct grade *grade_sheet_find(const struct report_data *data, const struct grade *grades,
                                     const struct roster_student *student);

/* All reasons of a team, in one cell; NULL: nothing was handed in. */
void grade_sheet_feedback(FILE *out, const struct report_data *data, const struct grade *grade);

/* The headings that Canvas needs, and its row with the points that are possible. */
void grade_sheet_canvas_head(FILE *out, const struct report_data *data,
                             const struct grade_policy *policy);

/* GradeSheet in web/api/v1/openapi.json. */
void grade_sheet_json(struct json *json, const struct report_data *data,
                      const struct grade_policy *policy, const struct grade *grades);

#endif
