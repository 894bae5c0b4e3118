#include "course/grading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/folder.h"
#include "course/feedback_zip.h"
#include "judge/record_reader.h"
#include "course/blunders.h"
#include "report/feedback.h"

enum { ANALYSIS_NODES = 5000, ANALYSIS_HASH_MB = 16 };

/* --- Worst moves --- */

static enum err look_at_game(struct grading *grading, const struct tournament_game *game, int team,
                             struct blunders *blunders, struct note *why)
{
    char *text = NULL;
    struct record record = {0};
    struct replay replay = {0};
    bool is_found = false;
    struct note ignored;
    enum err err = store_record(grading->data.store, game->phase, game->number, &text, why);
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
           game->summary.outcome == loss;
}

static enum err find_blunders(struct grading *grading, int team, struct blunders *out,
                              struct note *why)
{
    const struct tournament *t = &grading->data.tournament;
    int left = grading->analyzed;
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && left && i < t->game_count; i++) {
        if (is_lost_by(&t->games[i], team)) {
            err = look_at_game(grading, &t->games[i], team, out, why);
            left--;
        }
    }
    return err;
}

/* --- Files --- */

/* Marks may have been edited since: they are overwritten only when that is asked for. */
static enum err refuse_existing(const struct grading *grading, struct note *why)
{
    static const char *const endings[] = {".csv", ".json", ".feedback"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char path[PATH_MAX + 16];
        struct stat about;
        snprintf(path, sizeof path, "%s%s", grading->stem, endings[i]);
        if (lstat(path, &about) == 0) {
            return note_fail(
                why, ERR_INPUT,
                "%.200s exists already: choose another name, or write over it with --force", path);
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
    if (grading->sheet.list) {
        worksheet_write(file.stream, &grading->sheet, &grading->data, &grading->policy,
                        grading->grades, grading->format);
    } else {
        grade_sheet_csv(file.stream, &grading->data, &grading->policy, grading->grades,
                        grading->format);
    }
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
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    snprintf(path, sizeof path, "%s.feedback/%s.html", grading->stem,
             grading->data.teams[grade->team].entry->id);
    enum err err = find_blunders(grading, grade->team, blunders, why);
    err = err ? err : atomic_file_open(&file, path, why);
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
    err = err ? err : write_json(grading, why);
    err = err ? err : folder_make(folder, 0700, why);
    for (int i = 0; !err && i < grading->data.roster.team_count; i++) {
        err = write_feedback(grading, &grading->grades[i], why);
    }
    if (!err && grading->format == GRADE_FORMAT_MOODLE) {
        char path[PATH_MAX + 32];
        snprintf(path, sizeof path, "%s/moodle.zip", folder);
        err = feedback_zip_write(path, folder, &grading->data.roster, &grading->zipped, why);
    }
    return err;
}

/* --- Public --- */

void grading_init(struct grading *grading)
{
    *grading = (struct grading){.analyzed = GRADING_USUAL_ANALYZED};
}

/* "grades.csv" and "grades" mean the same. */
static enum err read_stem(struct grading *grading, const char *output, struct note *why)
{
    const char *dot = strrchr(output, '.');
    bool has_ending = dot && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".json") == 0);
    int length = has_ending ? (int)(dot - output) : (int)strlen(output);
    if (!*output || snprintf(grading->stem, sizeof grading->stem, "%.*s", length, output) >=
                        (int)sizeof grading->stem) {
        return note_fail(why, ERR_INPUT, "'%.100s' cannot be the name of the grades: it is %s",
                         output, *output ? "too long" : "empty");
    }
    return ERR_NONE;
}

/* A column that is named and not there is a mistake; without a list that can be filled in the sheet
 * has the platform's English headings. */
static enum err find_worksheet(struct grading *grading, struct note *why)
{
    const struct class_list *list = &grading->list;
    const char *name = grading->data.roster.students_file;
    if (!list->count && *name) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%.2000s/%.2000s",
                 *name == '/' ? "" : store_folder(grading->data.store), name);
        if (class_list_read(path, &grading->kept, &grading->remark)) {
            return ERR_NONE;
        }
        list = &grading->kept;
    }
    if (!list->count) {
        note_set(&grading->remark,
                 "no list of the platform is known: give it with --students FILE");
    } else if (!worksheet_find(list, grading->format, grading->grade_column,
                               grading->feedback_column, &grading->sheet, &grading->remark) &&
               (grading->grade_column || grading->feedback_column)) {
        *why = grading->remark;
        return ERR_INPUT;
    }
    return ERR_NONE;
}

enum err grading_open(struct grading *grading, const char *database, const char *output,
                      enum cpu_level cpu, struct note *why)
{
    enum err err = read_stem(grading, output, why);
    if (!err && !grading->may_overwrite) {
        err = refuse_existing(grading, why);
    }
    err = err ? err : report_data_open(&grading->data, database, cpu, grading->is_anonymous, why);
    if (!err) {
        grading->policy = grade_policy_of(&grading->data.roster);
    }
    if (!err && grading->list.count) {
        err = class_list_fill(&grading->data, &grading->list, grading->deadline_s, why);
        err = err ? err : report_data_label_teams(&grading->data, why);
    }
    return err || grading->format == GRADE_FORMAT_FULL ? err : find_worksheet(grading, why);
}

enum err grading_write(struct grading *grading, struct note *why)
{
    enum err err = report_data_read_logs(&grading->data, why);
    if (err) {
        return err;
    }
    grading->grades = calloc((size_t)grading->data.roster.team_count, sizeof *grading->grades);
    if (!grading->grades) {
        return note_fail(why, ERR_ENVIRONMENT, "no memory for the grades");
    }
    grade_make(&grading->data, &grading->policy, grading->grades);
    err = grading->analyzed ? engine_init(&grading->engine, ANALYSIS_HASH_MB, 1, why) : ERR_NONE;
    return err ? err : write_all(grading, why);
}

void grading_free(struct grading *grading)
{
    engine_free(&grading->engine);
    free(grading->grades);
    class_list_free(&grading->list);
    class_list_free(&grading->kept);
    report_data_close(&grading->data);
}
