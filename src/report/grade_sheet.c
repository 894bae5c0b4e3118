#include "report/grade_sheet.h"

#include <string.h>

#include "report/report_csv.h"

/* A row of the sheet. */
struct row {
    const struct book *book;
    const struct roster_student *student; /* NULL: nobody of the team is known */
    const struct grade *grade;            /* NULL: nothing was handed in */
};

static const struct roster_team *entry_of(const struct row *row)
{
    return row->book->teams[row->grade->team].entry;
}

/* --- Cells. --- */

typedef void write_cell(FILE *out, const struct row *row);

static void write_student(FILE *out, const struct row *row)
{
    bool is_team = row->book->roster.game->assignment.is_by_student;
    report_csv_text(out, row->student ? row->student->id : is_team ? entry_of(row)->id : "");
}

static void write_name(FILE *out, const struct row *row)
{
    report_csv_text(out, row->student ? row->student->name : entry_of(row)->name);
}

static void write_identifier(FILE *out, const struct row *row)
{
    report_csv_text(out, row->student ? row->student->identifier : "");
}

static void write_email(FILE *out, const struct row *row)
{
    report_csv_text(out, row->student ? row->student->email : "");
}

static void write_team(FILE *out, const struct row *row)
{
    report_csv_text(out, row->grade ? entry_of(row)->id : "");
}

static void write_team_name(FILE *out, const struct row *row)
{
    report_csv_text(out, row->grade ? entry_of(row)->name : "");
}

static void write_score(FILE *out, const struct row *row)
{
    fprintf(out, "%.2f", row->grade ? row->grade->score : 0);
}

static void write_place(FILE *out, const struct row *row)
{
    if (row->grade) {
        fprintf(out, "%d", row->book->teams[row->grade->team].row->place);
    }
}

static void write_qualified(FILE *out, const struct row *row)
{
    bool is_qualified = row->grade && row->book->teams[row->grade->team].is_qualified;
    fputs(is_qualified ? "yes" : "no", out);
}

static void write_base(FILE *out, const struct row *row)
{
    fprintf(out, "%g", row->grade ? row->grade->base : 0);
}

static void write_extra(FILE *out, const struct row *row)
{
    fprintf(out, "%.2f", row->grade ? row->grade->extra : 0);
}

static void write_percent(FILE *out, const struct row *row)
{
    fprintf(out, "%g", row->grade ? row->grade->percent : 0);
}

/* Nothing, for what only the platform knows. */
static void write_nothing(FILE *out, const struct row *row)
{
    (void)out;
    (void)row;
}

/* All reasons in one cell. */
static void write_feedback(FILE *out, const struct row *row)
{
    enum { FEEDBACK_BYTES = GRADE_CAUSES * (NOTE_BYTES + 64) + 128 };
    char text[FEEDBACK_BYTES];
    if (!row->grade) {
        report_csv_text(out, "nothing was handed in");
        return;
    }
    int used =
        snprintf(text, sizeof text, "place %d of %d", row->book->teams[row->grade->team].row->place,
                 row->book->roster.team_count);
    for (int cause = 0; cause < GRADE_CAUSES; cause++) {
        const struct grade_penalty *penalty = &row->grade->penalties[cause];
        if (penalty->count) {
            used += snprintf(text + used, sizeof text - (size_t)used, "; %s: %g %% off (%s)",
                             grade_cause_name((enum grade_cause)cause), penalty->percent,
                             penalty->evidence.text);
        }
    }
    report_csv_text(out, text);
}

/* --- Columns. --- */

struct column {
    const char *heading; /* NULL: the tournament's name */
    write_cell *write;
};

enum { MOST_COLUMNS = 12 };

/* Ended by an empty one. Moodle imports a column with any heading as a grade or as feedback; its
 * offline grading worksheet knows a person by the identifier. Canvas takes the heading of the last
 * column for the name of the assignment. */
static const struct column formats[][MOST_COLUMNS + 1] = {
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
                             {"Feedback comments", write_feedback}},
    [GRADE_FORMAT_CANVAS] = {{"Student", write_name},
                             {"ID", write_nothing},
                             {"SIS User ID", write_student},
                             {"SIS Login ID", write_email},
                             {"Section", write_nothing},
                             {NULL, write_score}},
};

static void write_headings(FILE *out, const struct book *book, enum grade_format format)
{
    for (const struct column *column = formats[format]; column->write; column++) {
        fputs(column == formats[format] ? "" : ",", out);
        report_csv_text(out, column->heading ? column->heading : book->roster.name);
    }
    for (int cause = 0; format == GRADE_FORMAT_FULL && cause < GRADE_CAUSES; cause++) {
        const char *name = grade_cause_name((enum grade_cause)cause);
        fprintf(out, ",%s %%,%s evidence", name, name);
    }
    fputc('\n', out);
}

static void write_row(FILE *out, const struct row *row, enum grade_format format)
{
    static const struct grade_penalty none;
    for (const struct column *column = formats[format]; column->write; column++) {
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

void grade_sheet_csv(FILE *out, const struct book *book, const struct grade *grades,
                     enum grade_format format)
{
    const struct roster *roster = &book->roster;
    fputs("\xef\xbb\xbf", out);
    write_headings(out, book, format);
    for (int i = 0; i < roster->team_count; i++) {
        int members = 0;
        for (int k = 0; k < roster->student_count; k++) {
            if (roster->students[k].team == grades[i].team) {
                const struct row row = {book, &roster->students[k], &grades[i]};
                write_row(out, &row, format);
                members++;
            }
        }
        if (!members) {
            const struct row row = {book, NULL, &grades[i]};
            write_row(out, &row, format);
        }
    }
    for (int k = 0; k < roster->student_count; k++) {
        if (roster->students[k].team < 0) {
            const struct row row = {book, &roster->students[k], NULL};
            write_row(out, &row, format);
        }
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

static json_t *students_json(const struct book *book, const struct grade *grades)
{
    const struct roster *roster = &book->roster;
    json_t *list = json_array();
    for (int i = 0; i < roster->student_count; i++) {
        const struct roster_student *student = &roster->students[i];
        const struct grade *grade = NULL;
        for (int k = 0; student->team >= 0 && !grade && k < roster->team_count; k++) {
            grade = grades[k].team == student->team ? &grades[k] : NULL;
        }
        json_t *team = grade ? json_string(roster->teams[student->team].id) : json_null();
        list = append(list,
                      json_pack("{s:s, s:s, s:o, s:f}", "student", student->id, "name",
                                student->name, "team", team, "score", grade ? grade->score : 0.0));
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
    return json_pack("{s:s, s:b, s:{s:f, s:f, s:o, s:b}, s:o, s:o}", "tournament",
                     book->roster.name, "finished", tournament_is_over(&book->tournament), "policy",
                     "base", policy->base, "extra", policy->extra, "percent", percents,
                     "refuses_late", policy->refuses_late, "grades", list, "students",
                     students_json(book, grades));
}
