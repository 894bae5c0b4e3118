/* report_page: a tournament as one HTML page that needs nothing else: tables, ratings, and every
 * game to replay. The page itself is src/report/page/; here its gaps are filled.
 */
#ifndef REPORT_REPORT_PAGE_H
#define REPORT_REPORT_PAGE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/note.h"
#include "report/report_data.h"

/* `is_public`: as in report_json. Failed writes show in the stream's error flag. ERR_ENVIRONMENT:
 * the store cannot be read. */
MUST_USE enum err report_page(FILE *out, const struct report_data *data, bool is_public,
                              struct note *why);

#endif
