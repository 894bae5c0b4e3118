/* report_page: a tournament as an HTML page: standings, ratings, and what leads to the pages of
 * teams and games. Their data are parts (report/report_parts.h), which it loads when they are
 * opened.
 *
 * Its size grows with the number of teams, not of games. The page itself is src/report/page/; here
 * its gaps are filled.
 */
#ifndef REPORT_REPORT_PAGE_H
#define REPORT_REPORT_PAGE_H

#include <stdio.h>

#include "report/report_json.h"

/* `folder`: where the parts are, as seen from the page. Failed writes show in the stream's error
 * flag. */
void report_page(FILE *out, const struct report_view *view, const char *folder);

#endif
