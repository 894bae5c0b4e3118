/* report_json: a tournament for programs: Report in web/api/v1/openapi.json. */
#ifndef REPORT_REPORT_JSON_H
#define REPORT_REPORT_JSON_H

#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "base/note.h"
#include "report/report_data.h"

/* `is_public`: teams appear under their labels only, and nothing that their programs wrote.
 * ERR_ENVIRONMENT: out of memory; what was written is incomplete. */
MUST_USE enum err report_json(struct json *json, const struct report_data *data, bool is_public,
                              struct note *why);

#endif
