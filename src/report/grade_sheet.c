#include "report/grade_sheet.h"

#include "report/report_csv.h"

void grade_sheet_csv(FILE *out, const struct book *book, const struct grade *grades)
{
    fputs("team,name,score,place,qualified,base,extra,penalty_percent", out);
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        fprintf(out, ",%s %%,evidence", grade_cause_name((enum grade_cause)cause));
    }
    fputc('\n', out);
    for (int i = 0; i < book->roster.team_count; i++) {
        const struct grade *grade = &grades[i];
        const struct book_team *team = &book->teams[grade->team];
        report_csv_text(out, team->entry->id);
        fputc(',', out);
        report_csv_text(out, team->entry->name);
        fprintf(out, ",%.2f,%d,%s,%g,%.2f,%g", grade->score, team->row->place,
                team->is_qualified ? "yes" : "no", grade->base, grade->extra, grade->percent);
        for (int cause = 0; cause < GRADE_CAUSES; cause++) {
            fprintf(out, ",%g,", grade->penalties[cause].percent);
            report_csv_text(out, grade->penalties[cause].evidence.text);
        }
        fputc('\n', out);
    }
}

/* jansson's setters take a NULL value as a failure, so each step passes the last one on. */
static json_t *append(json_t *list, json_t *item)
{
    if (json_array_append_new(list, item)) {
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *penalties_json(const struct grade *grade)
{
    json_t *list = json_array();
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = &grade->penalties[cause];
        if (penalty->count) {
            list = append(list, json_pack("{s:s, s:i, s:f, s:s}", "cause",
                                          grade_cause_name((enum grade_cause)cause), "count",
                                          penalty->count, "percent", penalty->percent, "evidence",
                                          penalty->evidence.text));
        }
    }
    return list;
}

json_t *grade_sheet_json(const struct book *book, const struct grade_policy *policy,
                         const struct grade *grades)
{
    json_t *list = json_array();
    json_t *percents = json_object();
    for (int i = 0; i < book->roster.team_count; i++) {
        const struct grade *grade = &grades[i];
        const struct book_team *team = &book->teams[grade->team];
        list = append(list,
                      json_pack("{s:s, s:s, s:f, s:i, s:b, s:f, s:f, s:f, s:o}", "team",
                                team->entry->id, "name", team->entry->name, "score", grade->score,
                                "place", team->row->place, "qualified", team->is_qualified, "base",
                                grade->base, "extra", grade->extra, "penalty_percent",
                                grade->percent, "penalties", penalties_json(grade)));
    }
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        json_object_set_new(percents, grade_cause_name((enum grade_cause)cause),
                            json_real(policy->percent[cause]));
    }
    return json_pack("{s:s, s:b, s:{s:f, s:f, s:o}, s:o}", "tournament", book->roster.name,
                     "finished", tournament_is_over(&book->tournament), "policy", "base",
                     policy->base, "extra", policy->extra, "percent", percents, "grades", list);
}
