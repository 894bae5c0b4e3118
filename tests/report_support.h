/* report_support: a tournament of five teams whose names are made to break the output, and its
 * reports as texts. The texts are the caller's to free.
 */
#ifndef TESTS_REPORT_SUPPORT_H
#define TESTS_REPORT_SUPPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "report/report_data.h"

/* For a group of tests: three rounds, twelve random games with faults. */
int report_support_set_up(void **state);
int report_support_tear_down(void **state);

/* A folder for files, which is removed at the end. */
const char *report_support_folder(void);

void report_support_open(struct report_data *data, bool is_anonymous);

typedef void report_support_csv_fn(FILE *out, const struct report_data *data, bool is_public);
char *report_support_csv(report_support_csv_fn *write, const struct report_data *data,
                         bool is_public);
char *report_support_page(const struct report_data *data, bool is_public);
char *report_support_json(const struct report_data *data, bool is_public);

/* All parts, each after a line with its name. Fails where one is not a call with a JSON value. */
char *report_support_parts(const struct report_data *data, bool is_public);

/* How often a word occurs. */
int report_support_count(const char *text, const char *word);

#endif
