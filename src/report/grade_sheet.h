/* grade_sheet: marks with their reasons, for a spreadsheet and for programs. */
#ifndef REPORT_GRADE_SHEET_H
#define REPORT_GRADE_SHEET_H

#include <jansson.h>
#include <stdio.h>

#include "report/grade.h"

/* `grades` has one for every team. Failed writes show in the stream's error flag. */
void grade_sheet_csv(FILE *out, const struct book *book, const struct grade *grades);

/* NULL: out of memory. */
json_t *grade_sheet_json(const struct book *book, const struct grade_policy *policy,
                         const struct grade *grades);

#endif
