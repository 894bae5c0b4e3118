/* report_json: a tournament for programs. docs/tournaments.md describes the fields. */
#ifndef REPORT_REPORT_JSON_H
#define REPORT_REPORT_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "report/book.h"

/* `is_public`: nothing that tells who somebody is but the labels. NULL: out of memory. */
json_t *report_json(const struct book *book, bool is_public);

/* Text from elsewhere, with '?' for what is neither text nor a line's end. */
json_t *report_json_text(const char *text);

#endif
