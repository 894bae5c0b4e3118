/* report_json: a tournament for programs: Report in web/api/v1/openapi.json. */
#ifndef REPORT_REPORT_JSON_H
#define REPORT_REPORT_JSON_H

#include <stdbool.h>

#include "base/json.h"
#include "base/note.h"
#include "report/json_tournament.h"
#include "report/report_data.h"

/* What a reader may see of a tournament. A zeroed struct is closed. */
struct report_view {
    const struct report_data *data;
    bool
        is_public; /* teams appear under their labels only, and nothing that their programs wrote */
    struct json_tournament names;
    const char **labels;
};

/* `data` must outlive it. ERR_ENVIRONMENT: out of memory. */
MUST_USE enum err report_view_open(struct report_view *view, const struct report_data *data,
                                   bool is_public, struct note *why);
void report_view_close(struct report_view *view);

/* ERR_ENVIRONMENT: out of memory; what was written is incomplete. */
MUST_USE enum err report_json(struct json *json, const struct report_view *view, struct note *why);

/* One of its standings, by place from 0, and one of its faults. */
void report_json_standing(struct json *json, const struct report_view *view, int place);
void report_json_fault(struct json *json, const struct report_view *view,
                       const struct report_fault *fault);

/* Members of its list of violations: those of one team. */
void report_json_violations(struct json *json, const struct report_view *view, int team);

#endif
