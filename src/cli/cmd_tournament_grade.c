#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/cli.h"
#include "cli/tournament_args.h"
#include "course/class_list.h"
#include "judge/record_reader.h"
#include "report/blunders.h"
#include "report/feedback.h"
#include "report/grade_sheet.h"

enum { USUAL_ANALYZED = 2, MOST_ANALYZED = 1000, ANALYSIS_NODES = 5000, ANALYSIS_HASH_MB = 16 };

struct grading {
    struct report_data data;
    struct grade_policy policy;
    struct grade *grades;
    enum grade_format format;
    struct class_list list;
    int64_t deadline_s; /* 0: not given */
    int64_t analyzed;   /* lost games a team that the engine looks at */
    struct engine engine;
    char stem[PATH_MAX]; /* of the files to write */
};

/* --- The policy. --- */

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
    if (!err) {
        err = read_figure(args, "extra", 1e6, &policy->extra, why);
    }
    for (size_t i = 0; !err && i < sizeof percents / sizeof percents[0]; i++) {
        err = read_figure(args, percents[i].option, 100, &policy->percent[percents[i].cause], why);
    }
    return err;
}

/* --- Worst moves. --- */

static enum err look_at_game(struct grading *grading, const struct tournament_game *game, int team,
                             struct blunders *blunders, struct note *why)
{
    char *text = NULL;
    struct record record = {0};
    struct replay replay = {0};
    bool is_found = false;
    struct note ignored;
    enum err err = store_record(grading->data.store, game->number, STORE_LATEST, &text, why);
    FILE *file = !err && text ? fmemopen(text, strlen(text), "r") : NULL;
    if (file) {
        struct record_reader reader = record_reader_make(file);
        enum side side = report_data_player(game, SIDE_BLACK) == team ? SIDE_BLACK : SIDE_WHITE;
        if (!record_reader_next(&reader, &record, &is_found, &ignored) && is_found &&
            !replay_run(grading->data.cpu, &record, &replay, &ignored)) {
            blunders_add(blunders, &grading->engine, &record, &replay, side, game->number,
                         ANALYSIS_NODES);
        }
        fclose(file);
    }
    replay_free(&replay);
    record_free(&record);
    free(text);
    return err;
}

static bool is_lost_by(const struct tournament_game *game, int team)
{
    enum outcome loss =
        report_data_player(game, SIDE_BLACK) == team ? OUTCOME_WHITE : OUTCOME_BLACK;
    return (game->team[0] == team || game->team[1] == team) && game->status == GAME_PLAYED &&
           game->outcome == loss;
}

static enum err find_blunders(struct grading *grading, int team, struct blunders *out,
                              struct note *why)
{
    const struct tournament *t = &grading->data.tournament;
    int64_t left = grading->analyzed;
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && left && i < t->game_count; i++) {
        if (is_lost_by(&t->games[i], team)) {
            err = look_at_game(grading, &t->games[i], team, out, why);
            left--;
        }
    }
    return err;
}

/* --- Files. --- */

/* Marks that somebody may have worked on since are not written over unasked. */
static enum err refuse_existing(const struct grading *grading, struct note *why)
{
    static const char *const endings[] = {".csv", ".json", ".feedback"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[PATH_MAX + 16];
        struct stat about;
        snprintf(path, sizeof path, "%s%s", grading->stem, endings[i]);
        if (lstat(path, &about) == 0) {
            note_set(why,
                     "%.200s exists already: choose another name, or write over it with --force",
                     path);
            return ERR_INPUT;
        }
    }
    return ERR_NONE;
}

static enum err write_csv(struct grading *grading, struct note *why)
{
    char path[PATH_MAX + 8];
    struct atomic_file file;
    snprintf(path, sizeof path, "%s.csv", grading->stem);
    enum err err = atomic_file_open(&file, path, why);
    if (err) {
        return err;
    }
    grade_sheet_csv(file.stream, &grading->data, grading->grades, grading->format);
    return atomic_file_commit(&file, why);
}

static enum err write_json(struct grading *grading, struct note *why)
{
    char path[PATH_MAX + 8];
    struct atomic_file file;
    snprintf(path, sizeof path, "%s.json", grading->stem);
    enum err err = atomic_file_open(&file, path, why);
    if (err) {
        return err;
    }
    struct json json = json_make(file.stream, JSON_INDENTED);
    grade_sheet_json(&json, &grading->data, &grading->policy, grading->grades);
    fputc('\n', file.stream);
    return atomic_file_commit(&file, why);
}

static enum err write_feedback(struct grading *grading, const struct grade *grade, struct note *why)
{
    char path[PATH_MAX + ROSTER_ID_BYTES + 16];
    struct atomic_file file;
    struct blunders *blunders = calloc(1, sizeof *blunders);
    if (!blunders) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    snprintf(path, sizeof path, "%s.feedback/%s.html", grading->stem,
             grading->data.teams[grade->team].entry->id);
    enum err err = find_blunders(grading, grade->team, blunders, why);
    if (!err) {
        err = atomic_file_open(&file, path, why);
    }
    if (!err) {
        feedback_write(file.stream, &grading->data, grade, blunders);
        err = atomic_file_commit(&file, why);
    }
    free(blunders);
    return err;
}

static enum err write_all(struct grading *grading, struct note *why)
{
    char folder[PATH_MAX + 16];
    snprintf(folder, sizeof folder, "%s.feedback", grading->stem);
    enum err err = write_csv(grading, why);
    if (!err) {
        err = write_json(grading, why);
    }
    if (!err) {
        err = folder_make(folder, 0700, why);
    }
    for (int i = 0; !err && i < grading->data.roster.team_count; i++) {
        err = write_feedback(grading, &grading->grades[i], why);
    }
    return err;
}

static enum err make_grades(struct grading *grading, struct note *why)
{
    grading->grades = calloc((size_t)grading->data.roster.team_count, sizeof *grading->grades);
    if (!grading->grades) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    grade_make(&grading->data, &grading->policy, grading->grades);
    enum err err =
        grading->analyzed ? engine_init(&grading->engine, ANALYSIS_HASH_MB, 1, why) : ERR_NONE;
    return err ? err : write_all(grading, why);
}

/* --- The command. --- */

static void print_summary(const struct grading *grading)
{
    printf("%-5s %-14s %8s %7s %7s %9s  %s\n", "place", "team", "score", "base", "extra",
           "penalties", "for");
    for (int i = 0; i < grading->data.roster.team_count; i++) {
        const struct grade *grade = &grading->grades[i];
        printf("%-5d %-14s %8.2f %7.2f %7.2f %7g %%", i + 1,
               grading->data.teams[grade->team].entry->id, grade->score, grade->base, grade->extra,
               grade->percent);
        const char *separator = "  ";
        for (int cause = 0; cause < GRADE_CAUSES; cause++) {
            if (grade->penalties[cause].count) {
                printf("%s%s", separator, grade_cause_name((enum grade_cause)cause));
                separator = ", ";
            }
        }
        putchar('\n');
    }
    printf("\nWrote %s.csv, %s.json and a page for each team in %s.feedback.\n", grading->stem,
           grading->stem, grading->stem);
    if (!tournament_is_over(&grading->data.tournament)) {
        puts("The tournament is not over yet: these marks will change.");
    }
}

/* "grades.csv" and "grades" mean the same. */
static enum err read_stem(const struct args *args, struct grading *grading, struct note *why)
{
    const char *output = args_option(args, "output");
    if (!output || !*output) {
        note_set(why, "-o FILE is missing: the sheet to write, as in -o grades.csv");
        return ERR_INPUT;
    }
    const char *dot = strrchr(output, '.');
    bool has_ending = dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".json") == 0);
    int length = has_ending ? (int)(dot - output) : (int)strlen(output);
    if (snprintf(grading->stem, sizeof grading->stem, "%.*s", length, output) >=
        (int)sizeof grading->stem) {
        note_set(why, "the name behind -o is too long");
        return ERR_INPUT;
    }
    return ERR_NONE;
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

static enum err run(const struct args *args, struct note *why)
{
    struct grading *grading = calloc(1, sizeof *grading);
    if (!grading) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    grading->policy = grade_policy_usual();
    grading->analyzed = USUAL_ANALYZED;
    enum err err = read_stem(args, grading, why);
    if (!err) {
        err = read_policy(args, &grading->policy, why);
    }
    if (!err) {
        err = args_number(args, "analyze", 0, MOST_ANALYZED, &grading->analyzed, why);
    }
    if (!err) {
        err = tournament_args_class(args, &grading->list, &grading->deadline_s, why);
    }
    grading->format = read_format(args);
    if (!err && !args_option(args, "force")) {
        err = refuse_existing(grading, why);
    }
    if (!err) {
        err = report_data_open(&grading->data, args->values[0], args->cpu,
                               args_option(args, "anonymous"), why);
    }
    if (!err) {
        tournament_args_print_edits(grading->data.store);
    }
    if (!err && grading->list.count) {
        err = class_list_fill(&grading->data, &grading->list, grading->deadline_s, why);
    }
    if (!err && grading->list.count) {
        warn_of_list(grading);
    }
    if (!err) {
        bool refuses_late = grading->data.roster.game->assignment.refuses_late;
        grading->policy.refuses_late = refuses_late && !args_option(args, "day-late");
        err = report_data_read_logs(&grading->data, why);
    }
    if (!err) {
        err = make_grades(grading, why);
    }
    if (!err && args_option(args, "json")) {
        struct json json = json_make(stdout, JSON_LINE);
        grade_sheet_json(&json, &grading->data, &grading->policy, grading->grades);
        putchar('\n');
    } else if (!err) {
        print_summary(grading);
    }
    engine_free(&grading->engine);
    free(grading->grades);
    class_list_free(&grading->list);
    report_data_close(&grading->data);
    free(grading);
    return err;
}

const struct command cmd_tournament_grade = {
    .name = "tournament grade",
    .run = run,
    .summary = "turn a tournament into marks, with a private page for each team",
    .operands = "FILE",
    .required = "output",
    .details =
        "A team that finished a game qualifies and gets the base score; the first of those\n"
        "gets all of the extra score, the last none of it, the others in equal steps.\n"
        "Penalties are percent of the sum: for a late move and for a runtime error (invalid\n"
        "move, crash, no start, past the hard limit) once each, for a wrong file name, a\n"
        "missing or too long report, each day that it was handed in late, and plagiarism. These\n"
        "are the roster's to say; what comes to light later is for 'plum tournament note'.\n"
        "Where the assignment accepts no late hand-ins (@strict@), a late one gets nothing.\n"
        "\n"
        "The sheet has a row for each student: members of a team have its marks, and those who\n"
        "handed in nothing have none. They are in the roster, or in the list that --students\n"
        "names. --format chooses the columns that Moodle or Canvas imports.\n"
        "\n"
        "Writes the sheet as CSV and JSON, each penalty with its evidence: which game, which\n"
        "move. The folder beside it, with .feedback in its name, has a page for each team and\n"
        "nobody else: its marks, results, faults with the board and the rule, the worst moves\n"
        "of its lost games as our engine sees them, compiler's messages and standard error.",
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
                {"deadline", "TIME", "hand-ins after it are late, as in '2021-05-02 23:59'"},
                {"anonymous", NULL, "opponents are letters, as in the anonymous report"},
                {"force", NULL, "write over files that are there"},
                {"json", NULL, "print the sheet as JSON"}},
    .examples = {{"plum tournament grade class.db -o grades.csv", "the usual policy"},
                 {"plum tournament grade class.db -o g.csv --base 70 --extra 27.5 --analyze 0",
                  "another one, without looking at moves"}},
};
