#include "course/worksheet.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/report_csv.h"

/* Moodle's own words in the languages of the course and of its neighbours. */
static const char grade_headings[] =
    "|grade|成績|成績/評分|評分|分數|成绩|分数|bewertung|note|calificación|nota|評点|評定|";
static const char feedback_headings[] =
    "|feedback comments|回饋評語|評語|回饋|回饋意見|反馈评论|反馈|feedback als kommentar|"
    "feedback par commentaires|commentaires de feedback|comentarios de retroalimentación|"
    "フィードバックコメント|";

static const char *const canvas_headings[] = {"|student|", "|id|", "|sis user id|",
                                              "|sis login id|", "|section|"};

enum { CANVAS_COLUMNS = sizeof canvas_headings / sizeof canvas_headings[0] };

/* As it is written in the list, or one of those that are known. */
static int find_column(const struct class_list *list, const char *heading, const char *known)
{
    for (size_t i = 0; heading && i < list->column_count; i++) {
        if (strcmp(list->cells[i], heading) == 0) {
            return (int)i;
        }
    }
    return heading ? -1 : class_list_column(list, known);
}

bool worksheet_find(const struct class_list *list, enum grade_format format, const char *grade,
                    const char *feedback, struct worksheet *out, struct note *why)
{
    struct worksheet sheet = {.list = list};
    bool is_moodle = format == GRADE_FORMAT_MOODLE;
    sheet.grade = is_moodle ? find_column(list, grade, grade_headings) : -1;
    sheet.feedback = is_moodle ? find_column(list, feedback, feedback_headings) : -1;
    for (int i = 0; i < CANVAS_COLUMNS; i++) {
        sheet.student[i] = class_list_column(list, canvas_headings[i]);
    }
    if (is_moodle && grade && sheet.grade < 0) {
        note_set(why, "the list has no column '%.60s'", grade);
        return false;
    }
    if (is_moodle && feedback && sheet.feedback < 0) {
        note_set(why, "the list has no column '%.60s'", feedback);
        return false;
    }
    if (is_moodle && sheet.grade < 0) {
        note_set(why,
                 "the list is not a grading worksheet: it has no column 'Grade'; if it has one "
                 "in another language, name it with --grade-column");
        return false;
    }
    if (!is_moodle && (sheet.student[0] < 0 || sheet.student[1] < 0)) {
        note_set(why, "the list is not from Canvas: it has no columns 'Student' and 'ID'");
        return false;
    }
    *out = sheet;
    return true;
}

/* A dash alone is how the platform writes "never", and no formula. */
static void write_cell(FILE *out, const char *text)
{
    if (strcmp(text, "-") == 0) {
        fputs("-", out);
    } else {
        report_csv_text(out, text);
    }
}

static void write_moodle(FILE *out, const struct worksheet *sheet, const struct report_data *data,
                         const struct grade *grades)
{
    const struct class_list *list = sheet->list;
    for (size_t i = 0; i < list->column_count; i++) {
        fputs(i ? "," : "", out);
        write_cell(out, list->cells[i]);
    }
    fputc('\n', out);
    for (size_t row = 0; row < list->count; row++) {
        const struct roster_student *student =
            roster_find_student(&data->roster, list->students[row].entry.id);
        const struct grade *grade = student ? grade_sheet_find(data, grades, student) : NULL;
        for (int i = 0; i < (int)list->column_count; i++) {
            fputs(i ? "," : "", out);
            if (student && i == sheet->grade) {
                fprintf(out, "%.2f", grade ? grade->score : 0);
            } else if (student && i == sheet->feedback) {
                grade_sheet_feedback(out, data, grade);
            } else {
                write_cell(out, class_list_cell(list, row, i));
            }
        }
        fputc('\n', out);
    }
}

static void write_canvas(FILE *out, const struct worksheet *sheet, const struct report_data *data,
                         const struct grade *grades)
{
    const struct class_list *list = sheet->list;
    for (size_t row = 0; row < list->count; row++) {
        const struct roster_student *student =
            roster_find_student(&data->roster, list->students[row].entry.id);
        const struct grade *grade = student ? grade_sheet_find(data, grades, student) : NULL;
        for (int i = 0; student && i < CANVAS_COLUMNS; i++) {
            int column = sheet->student[i];
            write_cell(out, column < 0 ? "" : class_list_cell(list, row, column));
            fputc(',', out);
        }
        if (student) {
            fprintf(out, "%.2f\n", grade ? grade->score : 0);
        }
    }
}

void worksheet_write(FILE *out, const struct worksheet *sheet, const struct report_data *data,
                     const struct grade_policy *policy, const struct grade *grades,
                     enum grade_format format)
{
    fputs("\xef\xbb\xbf", out);
    if (format == GRADE_FORMAT_MOODLE) {
        write_moodle(out, sheet, data, grades);
    } else {
        grade_sheet_canvas_head(out, data, policy);
        write_canvas(out, sheet, data, grades);
    }
}
