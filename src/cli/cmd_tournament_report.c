/* cmd_tournament_report: report and grade: what comes of a tournament. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_args.h"
#include "course/grading.h"
#include "report/report_folder.h"

/* --- report --- */

static enum err run_report(const struct args *args, struct note *why)
{
    const char *folder = NULL;
    bool is_public = args_option(args, "anonymous");
    struct report_data data;
    enum err err = ARGS_FIELDS(args, why, {"output", ARGS_TEXT, &folder, 0, 0});
    if (err || (err = report_data_open(&data, args->values[0], args->cpu, is_public, why))) {
        return err;
    }
    tournament_args_print_edits(data.store, &data.tournament);
    err = report_folder_write(folder, &data, is_public, why);
    report_data_close(&data);
    if (!err) {
        printf("Wrote %s/index.html, and next to it report.json, standings.csv, games.csv and "
               "faults.csv.\nCopy the folder as a whole: the page loads teams and games from it.\n",
               folder);
    }
    return err;
}

/* --- grade --- */

static const struct {
    const char *option;
    enum grade_cause cause;
} percents[] = {
    {"late-move", GRADE_LATE_MOVE},     {"runtime-error", GRADE_RUNTIME_ERROR},
    {"wrong-name", GRADE_WRONG_NAME},   {"missing-report", GRADE_MISSING_REPORT},
    {"long-report", GRADE_LONG_REPORT}, {"day-late", GRADE_DAYS_LATE},
    {"plagiarism", GRADE_PLAGIARISM},
};

static enum err read_figure(const struct args *args, const char *name, double high, double *out,
                            struct note *why)
{
    const char *text = args_option(args, name);
    struct note what;
    note_set(&what, "--%s", name);
    return text ? number_read_decimal(text, what.text, 0, high, out, why) : ERR_NONE;
}

static enum err read_policy(const struct args *args, struct grade_policy *policy, struct note *why)
{
    enum err err = read_figure(args, "base", 1e6, &policy->base, why);
    err = err ? err : read_figure(args, "extra", 1e6, &policy->extra, why);
    for (size_t i = 0; !err && i < sizeof percents / sizeof percents[0]; i++) {
        err = read_figure(args, percents[i].option, 100, &policy->percent[percents[i].cause], why);
    }
    return err;
}

static enum grade_format read_format(const struct args *args)
{
    const char *format = args_option(args, "format");
    return !format || strcmp(format, "full") == 0 ? GRADE_FORMAT_FULL
           : strcmp(format, "moodle") == 0        ? GRADE_FORMAT_MOODLE
                                                  : GRADE_FORMAT_CANVAS;
}

static bool has_student(const struct roster *roster, int team)
{
    for (int i = 0; i < roster->student_count; i++) {
        if (roster->students[i].team == team) {
            return true;
        }
    }
    return false;
}

/* A list of another class, or a group that is written differently, leads to grades of 0. */
static void warn_of_list(const struct grading *grading)
{
    const struct roster *roster = &grading->data.roster;
    for (int i = 0; i < roster->student_count; i++) {
        const struct roster_student *student = &roster->students[i];
        bool is_first = student->team < 0 && student->team_id[0];
        for (int j = 0; is_first && j < i; j++) {
            is_first = strcmp(roster->students[j].team_id, student->team_id) != 0;
        }
        if (is_first) {
            fprintf(stderr,
                    "plum tournament grade: the list names team '%s' (line %d), which is not in "
                    "the tournament\n",
                    student->team_id, student->line);
        }
    }
    for (int i = 0; i < roster->team_count; i++) {
        if (!has_student(roster, i)) {
            fprintf(stderr, "plum tournament grade: team '%s' has no student in the list\n",
                    roster->teams[i].id);
        }
    }
}

/* What costs something, then what is only noted. */
static void print_causes(const struct grade *grade)
{
    for (int noted = 0; noted < 2; noted++) {
        const char *separator = noted ? "  noted: " : "  ";
        for (int cause = 0; cause < GRADE_CAUSES; cause++) {
            const struct grade_penalty *penalty = &grade->penalties[cause];
            if (penalty->count && (penalty->percent > 0) != noted) {
                printf("%s%s", separator, grade_cause_name((enum grade_cause)cause));
                separator = ", ";
            }
        }
    }
    putchar('\n');
}

static void print_summary(const struct grading *grading)
{
    char rules[GRADE_RULES_BYTES];
    printf("%-5s %-14s %8s %7s %7s %9s  %s\n", "place", "team", "score", "base", "extra",
           "penalties", "for");
    for (int i = 0; i < grading->data.roster.team_count; i++) {
        const struct grade *grade = &grading->grades[i];
        char place[16] = "-";
        if (!grading->data.tournament.disqualifications[grade->team].is_set) {
            snprintf(place, sizeof place, "%d", i + 1);
        }
        printf("%-5s %-14s %8.2f %7.2f %7.2f %7g %%", place,
               grading->data.teams[grade->team].entry->id, grade->score, grade->base, grade->extra,
               grade->percent);
        print_causes(grade);
    }
    grade_policy_describe(&grading->policy, &grading->data.roster, rules);
    printf("\n%s\n", rules);
    printf("Wrote %s.csv, %s.json and a page for each team in %s.feedback.\n", grading->stem,
           grading->stem, grading->stem);
    if (grading->zipped) {
        printf("%s.feedback/moodle.zip has the pages of %zu student%s for Moodle.\n", grading->stem,
               grading->zipped, grading->zipped == 1 ? "" : "s");
    }
    if (!tournament_is_over(&grading->data.tournament)) {
        puts("The tournament is not over yet: these marks will change.");
    }
}

static enum err read_options(const struct args *args, struct grading *grading, const char **output,
                             struct note *why)
{
    enum err err = ARGS_FIELDS(args, why, {"output", ARGS_TEXT, output, 0, 0},
                               {"analyze", ARGS_INT, &grading->analyzed, 0, GRADING_MOST_ANALYZED},
                               {"force", ARGS_FLAG, &grading->may_overwrite, 0, 0},
                               {"anonymous", ARGS_FLAG, &grading->is_anonymous, 0, 0});
    struct grade_policy refused = {.base = 0}; /* a mistake is reported before a file is opened */
    err = err ? err : read_policy(args, &refused, why);
    grading->format = read_format(args);
    grading->grade_column = args_option(args, "grade-column");
    grading->feedback_column = args_option(args, "feedback-column");
    return err ? err : tournament_args_class(args, &grading->list, &grading->deadline_s, why);
}

static enum err grade(const struct args *args, struct grading *grading, struct note *why)
{
    const char *output = NULL;
    enum err err = read_options(args, grading, &output, why);
    if (err || (err = grading_open(grading, args->values[0], output, args->cpu, why))) {
        return err;
    }
    tournament_args_print_edits(grading->data.store, &grading->data.tournament);
    if (grading->list.count) {
        warn_of_list(grading);
    }
    grading->policy.refuses_late &= !args_option(args, "day-late");
    err = read_policy(args, &grading->policy, why);
    err = err ? err : grading_write(grading, why);
    if (!err && grading->remark.text[0]) {
        fprintf(stderr, "plum tournament grade: %s.csv has English headings: %s\n", grading->stem,
                grading->remark.text);
    }
    if (!err && args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        grade_sheet_json(&json, &grading->data, &grading->policy, grading->grades);
        putchar('\n');
    } else if (!err) {
        print_summary(grading);
    }
    return err;
}

static enum err run_grade(const struct args *args, struct note *why)
{
    static struct grading grading; /* too large for the stack */
    grading_init(&grading);
    enum err err = grade(args, &grading, why);
    grading_free(&grading);
    return err;
}

/* --- The commands --- */

const struct command cmd_tournament_report = {
    .name = "tournament report",
    .run = run_report,
    .summary = "write a page with standings, ratings and every game to replay",
    .operands = "FILE",
    .required = "output",
    .options = {{"output", "FOLDER", "where to write; -o for short"},
                {"anonymous", NULL, "letters in place of names"}},
};

const struct command cmd_tournament_grade = {
    .name = "tournament grade",
    .run = run_grade,
    .summary = "turn a tournament into marks, with a private page for each team",
    .operands = "FILE",
    .required = "output",
    .options = {{"output", "FILE", "the sheet to write; -o for short"},
                {"base", "N", "for a team that qualifies (60)"},
                {"extra", "N", "for the first of them (40)"},
                {"late-move", "PERCENT", "time limit exceeded (5)"},
                {"runtime-error", "PERCENT", "invalid move, crash, no start (5)"},
                {"wrong-name", "PERCENT", "wrong file name (10)"},
                {"missing-report", "PERCENT", "no report (0)"},
                {"long-report", "PERCENT", "more than five pages (0)"},
                {"day-late", "PERCENT", "each day late (10; @strict@: a late one gets nothing)"},
                {"plagiarism", "PERCENT", "plagiarism (100)"},
                {"analyze", "N", "lost games of each team to look for bad moves in (2)"},
                {"format", "full|moodle|canvas", "the columns of the sheet (full)"},
                {"students", "FILE", "the platform's list of participants, a CSV file"},
                {"grade-column", "HEADING", "where Moodle's worksheet has the mark (Grade)"},
                {"feedback-column", "HEADING", "and the feedback (Feedback comments)"},
                {"deadline", "TIME", "hand-ins after it are late: '2021-05-02 23:59 +08:00'"},
                {"anonymous", NULL, "opponents are letters, as in the anonymous report"},
                {"force", NULL, "overwrite existing files"},
                {"json", NULL, "print the sheet as JSON"}},
};
