#include "report/grade_sheet.h"

#include <string.h>

#include "report/report_csv.h"

/* A row of the sheet. */
struct sheet_row {
    const struct report_data *data;
    const struct roster_student *student; /* NULL: no student of the team is known */
    const struct grade *grade;            /* NULL: nothing was handed in */
};

static const struct roster_team *entry_of(const struct sheet_row *row)
{
    return row->data->teams[row->grade->team].entry;
}

static bool is_disqualified(const struct sheet_row *row)
{
    return row->data->tournament.disqualifications[row->grade->team].is_set;
}

/* --- Cells. --- */

typedef void write_cell(FILE *out, const struct sheet_row *row);

static void write_student(FILE *out, const struct sheet_row *row)
{
    bool is_team = row->data->roster.game->assignment.is_by_student;
    report_csv_text(out, row->student ? row->student->id : is_team ? entry_of(row)->id : "");
}

static void write_name(FILE *out, const struct sheet_row *row)
{
    report_csv_text(out, row->student ? row->student->name : entry_of(row)->name);
}

static void write_identifier(FILE *out, const struct sheet_row *row)
{
    report_csv_text(out, row->student ? row->student->identifier : "");
}

static void write_email(FILE *out, const struct sheet_row *row)
{
    report_csv_text(out, row->student ? row->student->email : "");
}

static void write_team(FILE *out, const struct sheet_row *row)
{
    report_csv_text(out, row->grade ? entry_of(row)->id : "");
}

static void write_team_name(FILE *out, const struct sheet_row *row)
{
    report_csv_text(out, row->grade ? entry_of(row)->name : "");
}

static void write_score(FILE *out, const struct sheet_row *row)
{
    fprintf(out, "%.2f", row->grade ? row->grade->score : 0);
}

static void write_place(FILE *out, const struct sheet_row *row)
{
    if (row->grade && !is_disqualified(row)) {
        fprintf(out, "%d", row->data->teams[row->grade->team].row->place);
    }
}

static void write_qualified(FILE *out, const struct sheet_row *row)
{
    bool is_qualified = row->grade && row->data->teams[row->grade->team].is_qualified;
    fputs(is_qualified ? "yes" : "no", out);
}

static void write_base(FILE *out, const struct sheet_row *row)
{
    fprintf(out, "%g", row->grade ? row->grade->base : 0);
}

static void write_extra(FILE *out, const struct sheet_row *row)
{
    fprintf(out, "%.2f", row->grade ? row->grade->extra : 0);
}

static void write_percent(FILE *out, const struct sheet_row *row)
{
    fprintf(out, "%g", row->grade ? row->grade->percent : 0);
}

/* Nothing, for what only the platform knows. */
static void write_nothing(FILE *out, const struct sheet_row *row)
{
    (void)out;
    (void)row;
}

/* All reasons in one cell. */
void grade_sheet_feedback(FILE *out, const struct report_data *data, const struct grade *grade)
{
    enum { FEEDBACK_BYTES = GRADE_CAUSES * (NOTE_BYTES + 64) + 128 };
    char text[FEEDBACK_BYTES];
    const struct sheet_row whole = {data, NULL, grade};
    const struct sheet_row *row = &whole;
    if (!row->grade) {
        report_csv_text(out, "nothing was handed in");
        return;
    }
    int used = is_disqualified(row) ? snprintf(text, sizeof text, "no place")
                                    : snprintf(text, sizeof text, "place %d of %d",
                                               row->data->teams[row->grade->team].row->place,
                                               row->data->roster.team_count);
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = &row->grade->penalties[cause];
        if (penalty->count) {
            char off[32] = "noted";
            if (penalty->percent > 0) {
                snprintf(off, sizeof off, "%g %% off", penalty->percent);
            }
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "; %s: %s (%s)",
                         grade_cause_name((enum grade_cause)cause), off, penalty->evidence.text);
        }
    }
    report_csv_text(out, text);
}

static void write_feedback(FILE *out, const struct sheet_row *row)
{
    grade_sheet_feedback(out, row->data, row->grade);
}

/* A mark that was never given before. */
static void write_never(FILE *out, const struct sheet_row *row)
{
    (void)row;
    fputc('-', out);
}

/* --- Columns. --- */

struct sheet_column {
    const char *heading; /* NULL: the tournament's name */
    write_cell *write;
};

enum { MOST_COLUMNS = 12 };

/* Ended by an empty one. Moodle's offline grading worksheet knows a person by the identifier, and
 * is refused without the last of the times. Canvas takes the heading of the last column for the
 * name of the assignment. */
static const struct sheet_column formats[][MOST_COLUMNS + 1] = {
    [GRADE_FORMAT_FULL] = {{"student", write_student},
                           {"name", write_name},
                           {"team", write_team},
                           {"team name", write_team_name},
                           {"score", write_score},
                           {"place", write_place},
                           {"qualified", write_qualified},
                           {"base", write_base},
                           {"extra", write_extra},
                           {"penalty_percent", write_percent}},
    [GRADE_FORMAT_MOODLE] = {{"Identifier", write_identifier},
                             {"Full name", write_name},
                             {"ID number", write_student},
                             {"Email address", write_email},
                             {"Group", write_team},
                             {"Grade", write_score},
                             {"Last modified (grade)", write_never},
                             {"Feedback comments", write_feedback}},
    [GRADE_FORMAT_CANVAS] = {{"Student", write_name},
                             {"ID", write_nothing},
                             {"SIS User ID", write_student},
                             {"SIS Login ID", write_email},
                             {"Section", write_nothing},
                             {NULL, write_score}},
};

static void write_headings(FILE *out, const struct report_data *data, enum grade_format format)
{
    for (const struct sheet_column *column = formats[format]; column->write; column++) {
        fputs(column == formats[format] ? "" : ",", out);
        report_csv_text(out, column->heading ? column->heading : data->roster.name);
    }
    for (int cause = 0; format == GRADE_FORMAT_FULL && cause < GRADE_CAUSES; cause++) {
        const char *name = grade_cause_name((enum grade_cause)cause);
        fprintf(out, ",%s %%,%s evidence", name, name);
    }
    fputc('\n', out);
}

static void write_row(FILE *out, const struct sheet_row *row, enum grade_format format)
{
    static const struct grade_penalty none;
    for (const struct sheet_column *column = formats[format]; column->write; column++) {
        fputs(column == formats[format] ? "" : ",", out);
        column->write(out, row);
    }
    for (int cause = 0; format == GRADE_FORMAT_FULL && cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = row->grade ? &row->grade->penalties[cause] : &none;
        fprintf(out, ",%g,", penalty->percent);
        report_csv_text(out, penalty->evidence.text);
    }
    fputc('\n', out);
}

void grade_sheet_canvas_head(FILE *out, const struct report_data *data,
                             const struct grade_policy *policy)
{
    write_headings(out, data, GRADE_FORMAT_CANVAS);
    fprintf(out, "    Points Possible,,,,,%g\n", policy->base + policy->extra);
}

void grade_sheet_csv(FILE *out, const struct report_data *data, const struct grade_policy *policy,
                     const struct grade *grades, enum grade_format format)
{
    const struct roster *roster = &data->roster;
    fputs("\xef\xbb\xbf", out);
    if (format == GRADE_FORMAT_CANVAS) {
        grade_sheet_canvas_head(out, data, policy);
    } else {
        write_headings(out, data, format);
    }
    for (int i = 0; i < roster->team_count; i++) {
        int members = 0;
        for (int k = 0; k < roster->student_count; k++) {
            if (roster->students[k].team == grades[i].team) {
                const struct sheet_row row = {data, &roster->students[k], &grades[i]};
                write_row(out, &row, format);
                members++;
            }
        }
        if (!members) {
            const struct sheet_row row = {data, NULL, &grades[i]};
            write_row(out, &row, format);
        }
    }
    for (int k = 0; k < roster->student_count; k++) {
        if (roster->students[k].team < 0) {
            const struct sheet_row row = {data, &roster->students[k], NULL};
            write_row(out, &row, format);
        }
    }
}

/* --- For programs. --- */

enum { MARK_DECIMALS = 4 };

static void write_mark(struct json *json, const char *name, double value)
{
    json_fixed(json, name, value, MARK_DECIMALS);
}

static void write_policy(struct json *json, const struct roster *roster,
                         const struct grade_policy *policy)
{
    json_begin_object(json, "policy");
    write_mark(json, "base", policy->base);
    write_mark(json, "extra", policy->extra);
    json_begin_object(json, "percent");
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        write_mark(json, grade_cause_name((enum grade_cause)cause), policy->percent[cause]);
    }
    json_end(json);
    json_bool(json, "refuses_late", policy->refuses_late);
    json_bool(json, "penalties_in_roster", roster->has_penalties);
    json_string(json, "hostile_attempts", roster->rules.violations_lose ? "lose" : "record");
    json_string(json, "late_hand_ins", roster->refuses_late ? "refuse" : "play");
    json_end(json);
}

static void write_penalties(struct json *json, const struct grade *grade)
{
    json_begin_array(json, "penalties");
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = &grade->penalties[cause];
        if (penalty->count) {
            json_begin_object(json, NULL);
            json_string(json, "cause", grade_cause_name((enum grade_cause)cause));
            json_integer(json, "count", penalty->count);
            write_mark(json, "percent", penalty->percent);
            json_string(json, "evidence", penalty->evidence.text);
            json_end(json);
        }
    }
    json_end(json);
}

static void write_grade(struct json *json, const struct report_data *data,
                        const struct grade *grade)
{
    const struct report_team *team = &data->teams[grade->team];
    json_begin_object(json, NULL);
    json_string(json, "team", team->entry->id);
    json_string(json, "name", team->entry->name);
    write_mark(json, "score", grade->score);
    json_integer(json, "place", team->row->place);
    json_bool(json, "qualified", team->is_qualified);
    write_mark(json, "base", grade->base);
    write_mark(json, "extra", grade->extra);
    write_mark(json, "penalty_percent", grade->percent);
    write_penalties(json, grade);
    json_end(json);
}

const struct grade *grade_sheet_find(const struct report_data *data, const struct grade *grades,
                                     const struct roster_student *student)
{
    for (int i = 0; student->team >= 0 && i < data->roster.team_count; i++) {
        if (grades[i].team == student->team) {
            return &grades[i];
        }
    }
    return NULL;
}

void grade_sheet_json(struct json *json, const struct report_data *data,
                      const struct grade_policy *policy, const struct grade *grades)
{
    const struct roster *roster = &data->roster;
    json_begin_object(json, NULL);
    json_string(json, "name", roster->name);
    json_bool(json, "over", tournament_is_over(&data->tournament));
    write_policy(json, roster, policy);
    json_begin_array(json, "grades");
    for (int i = 0; i < roster->team_count; i++) {
        write_grade(json, data, &grades[i]);
    }
    json_end(json);
    json_begin_array(json, "students");
    for (int i = 0; i < roster->student_count; i++) {
        const struct roster_student *student = &roster->students[i];
        const struct grade *grade = grade_sheet_find(data, grades, student);
        json_begin_object(json, NULL);
        json_string(json, "student", student->id);
        json_string(json, "name", student->name);
        json_string(json, "team", grade ? roster->teams[student->team].id : NULL);
        write_mark(json, "score", grade ? grade->score : 0);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}
