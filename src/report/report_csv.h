/* report_csv: a tournament for spreadsheets, one table a file.
 *
 * A cell is quoted where it must be, and one that a spreadsheet would take for a formula has an
 * apostrophe in front.
 */
#ifndef REPORT_REPORT_CSV_H
#define REPORT_REPORT_CSV_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report_data.h"

/* Failed writes show in the stream's error flag. */
void report_csv_standings(FILE *out, const struct report_data *data, bool is_public);
void report_csv_games(FILE *out, const struct report_data *data, bool is_public);
void report_csv_faults(FILE *out, const struct report_data *data, bool is_public);

/* One cell of text, without the comma. */
void report_csv_text(FILE *out, const char *text);

#endif
