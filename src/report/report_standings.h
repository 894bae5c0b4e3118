/* report_standings: the standings as a table of the page, which needs no script. */
#ifndef REPORT_REPORT_STANDINGS_H
#define REPORT_REPORT_STANDINGS_H

#include <stdio.h>

#include "report/report_json.h"

/* The table, and a paragraph that explains it where that is needed. Every team is a link to its
 * page. Failed writes show in the stream's error flag. */
void report_standings_write(FILE *out, const struct report_view *view);

#endif
