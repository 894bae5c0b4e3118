#include "course/class_team.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shell_word.h"
#include "base/utf8.h"
#include "sandbox/sandbox_programs.h"
#include "course/build.h"
#include "course/intake.h"
#include "course/other_language.h"
#include "course/program.h"
#include "course/report_pages.h"

static const char agent_name[] = INTAKE_AGENT;

enum { MAX_ARCHIVES_IN_ARCHIVES = 4 };

/* Files next to a single file that belong to it: its report and header, and the client that all
 * share. */
static const char *const own_companions[] = {".pdf", ".docx", ".h", ".hpp"};
static const char *const shared_companions[] = {"STcpClient.py", "STcpClient.h", "FileClient.py",
                                                "FileClient.h"};

/* One team on its way in. */
struct team_arrival {
    const struct class_team_place *place;
    const struct submission_entry *entry;
    struct class_team *out;
    char folder[NAME_MAX + ROSTER_ID_BYTES]; /* the copy */
    const char *name;                        /* of the submission, without the platform's prefix */
    char inner[NAME_MAX + 1];                /* of the last archive that was opened in it, or "" */
    struct submission *found;
    const char *wrong_name;     /* of the archive or folder of a program with the right one; NULL */
    struct note unreadable;     /* why an archive or file could not be read, or "" */
    char foreign[NAME_MAX + 1]; /* a program for another machine, where there is no source; or "" */
    struct note *why;
};

void class_team_remark(struct class_team *team, const char *format, ...)
{
    int number = team->remark_count++;
    if (number < CLASS_TEAM_MAX_REMARKS) {
        char *text = team->remarks[number].text;
        char raw[NOTE_BYTES];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        utf8_clean(raw, text, NOTE_BYTES);
    }
}

void class_team_take_number(struct class_team *team, int number)
{
    team->has_number = true;
    team->number = number;
}

static enum err refuse_write(struct team_arrival *arrival, const char *path)
{
    return note_fail(arrival->why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path,
                     strerror(errno));
}

/* Writes a whole file with that mode. */
static enum err write_file(struct team_arrival *arrival, const char *name, const char *text,
                           mode_t mode)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", arrival->folder, name);
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode);
    FILE *file = out < 0 ? NULL : fdopen(out, "w");
    if (!file) {
        return refuse_write(arrival, path);
    }
    bool is_written = fputs(text, file) >= 0 && fchmod(out, mode) == 0;
    return fclose(file) == 0 && is_written ? ERR_NONE : refuse_write(arrival, path);
}

/* --- Copies. --- */

static void remark(void *team, const char *sentence) { class_team_remark(team, "%s", sentence); }

/* ERR_NEGATIVE is a remark, not a failure. */
static enum err copy_one(struct team_arrival *arrival, const char *from, const char *as,
                         const char *folder)
{
    struct intake_result result;
    struct note problem;
    enum err err = intake_copy(from, as, folder, &result, &problem);
    intake_describe(&result, "", arrival->out, remark);
    if (err == ERR_NEGATIVE) {
        class_team_remark(arrival->out, "%s", problem.text);
        if (!arrival->unreadable.text[0]) {
            arrival->unreadable = problem;
        }
        return ERR_NONE;
    }
    if (err) {
        *arrival->why = problem;
    }
    return err;
}

static bool is_plain_file(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static enum err copy_if_there(struct team_arrival *arrival, const char *name)
{
    char from[PATH_MAX];
    snprintf(from, sizeof from, "%s/%s", arrival->place->submissions, name);
    return is_plain_file(from) ? copy_one(arrival, from, NULL, arrival->folder) : ERR_NONE;
}

static enum err copy_companions(struct team_arrival *arrival, const char *name)
{
    char stem[NAME_MAX + 1];
    char companion[NAME_MAX + 8];
    enum err err = ERR_NONE;
    submission_stem(name, stem, sizeof stem);
    for (size_t i = 0; !err && i < sizeof own_companions / sizeof own_companions[0]; i++) {
        snprintf(companion, sizeof companion, "%s%s", stem, own_companions[i]);
        err = copy_if_there(arrival, companion);
    }
    for (size_t i = 0; !err && i < sizeof shared_companions / sizeof shared_companions[0]; i++) {
        err = copy_if_there(arrival, shared_companions[i]);
    }
    return err;
}

static enum err copy_all(struct team_arrival *arrival)
{
    const struct submission_entry *entry = arrival->entry;
    enum err err = ERR_NONE;
    if (mkdir(arrival->folder, 0755) != 0) {
        return refuse_write(arrival, arrival->folder);
    }
    for (size_t i = 0; !err && i < entry->part_count; i++) {
        const struct submission_part *part = &entry->parts[i];
        char from[PATH_MAX];
        snprintf(from, sizeof from, "%s/%s", arrival->place->submissions, part->file);
        err = copy_one(arrival, from, part->name[0] ? part->name : NULL, arrival->folder);
        if (!err && !entry->person[0] && submission_is_source(part->name) && is_plain_file(from)) {
            err = copy_companions(arrival, part->file);
        }
    }
    return err;
}

/* --- Looking at it. --- */

/* What is in an archive takes its place, in a folder of its name. */
static enum err open_archive(struct team_arrival *arrival, const char *archive)
{
    char from[2 * PATH_MAX];
    char into[2 * PATH_MAX];
    const char *slash = strrchr(archive, '/');
    snprintf(from, sizeof from, "%s/%s", arrival->folder, archive);
    snprintf(into, sizeof into, "%s", from);
    *strrchr(into, '.') = '\0';
    if (mkdir(into, 0755) != 0 && errno != EEXIST) {
        return refuse_write(arrival, into);
    }
    snprintf(arrival->inner, sizeof arrival->inner, "%s", slash ? slash + 1 : archive);
    enum err err = copy_one(arrival, from, NULL, into);
    unlink(from);
    return err;
}

/* Which of the names, from the inside out, has the number in it that a course asked for. */
static const char *name_to_go_by(const struct team_arrival *arrival)
{
    const char *names[] = {arrival->inner, arrival->name};
    bool by_student = arrival->place->game->assignment.is_by_student;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char student[NAME_MAX + 1];
        if (by_student ? submission_student(names[i], student, sizeof student)
                       : submission_team_number(names[i]) >= 0) {
            return names[i];
        }
    }
    return *arrival->name ? arrival->name : arrival->inner;
}

static enum err look(struct team_arrival *arrival)
{
    struct submission *found = arrival->found;
    bool by_student = arrival->place->game->assignment.is_by_student;
    const char *name = name_to_go_by(arrival);
    enum err err = submission_find(arrival->folder, name, by_student, found, arrival->why);
    for (int i = 0; !err && i < MAX_ARCHIVES_IN_ARCHIVES; i++) {
        if (found->program[0] || found->archive_count != 1 || !intake_is_zip(found->archive)) {
            break;
        }
        err = open_archive(arrival, found->archive);
        name = name_to_go_by(arrival);
        err = err ? err : submission_find(arrival->folder, name, by_student, found, arrival->why);
    }
    char student[NAME_MAX + 1];
    if (!err && by_student && !submission_student(name, student, sizeof student) &&
        submission_student(found->program, student, sizeof student)) {
        arrival->wrong_name = name;
        err = submission_find(arrival->folder, student, by_student, found, arrival->why);
    }
    return err;
}

/* --- Something to run. --- */

/* Whether a command can contain the path without quotes: the shell interprets these characters, and
 * a roster the last two. A roster is UTF-8. */
static bool is_plain(const char *path)
{
    return !strpbrk(path, "'\"\\$`;&|<>()*?[]{}~#=! \t") &&
           utf8_clean_prefix(path, strlen(path)) == strlen(path);
}

/* The folder of the program inside the copy, with a slash after it; "" for the copy itself. */
static void program_folder(const struct submission *found, char out[SUBMISSION_PATH_BYTES])
{
    const char *slash = strrchr(found->program, '/');
    int length = slash ? (int)(slash - found->program + 1) : 0;
    snprintf(out, SUBMISSION_PATH_BYTES, "%.*s", length, found->program);
}

/* For a path that needs quotes: a script that changes to its folder. An interpreter is its first
 * argument, so that the roster can choose another one; "" for a program that runs by itself. */
static enum err write_launcher(struct team_arrival *arrival, const char *interpreter,
                               const char *path)
{
    char script[5 * SUBMISSION_PATH_BYTES];
    char folder[SUBMISSION_PATH_BYTES];
    char folder_word[2 * SUBMISSION_PATH_BYTES];
    char name_word[2 * SUBMISSION_PATH_BYTES];
    const char *slash = strrchr(path, '/');
    program_folder(arrival->found, folder);
    snprintf(script, sizeof script,
             "#!/bin/sh\n" INTAKE_LAUNCHER_SOURCE "%s\ncd ./%s && exec %s./%s\n",
             arrival->found->program, shell_word(folder, folder_word, sizeof folder_word),
             *interpreter ? "\"$1\" " : "",
             shell_word(slash ? slash + 1 : path, name_word, sizeof name_word));
    snprintf(arrival->out->command, sizeof arrival->out->command, "%s/%s%s%s", arrival->folder,
             agent_name, *interpreter ? " " : "", interpreter);
    return write_file(arrival, agent_name, script, 0755);
}

/* The roster has the source: the tournament says from its log why the team cannot play. */
static void take_refusal(struct team_arrival *arrival)
{
    struct class_team *out = arrival->out;
    if (is_plain(arrival->found->program)) {
        snprintf(out->source, sizeof out->source, "%s/%s", arrival->folder,
                 arrival->found->program);
    } else {
        snprintf(out->no_program, sizeof out->no_program, "its source does not compile");
    }
}

static enum err take_program(struct team_arrival *arrival, const struct program *program)
{
    struct class_team *out = arrival->out;
    const struct submission *found = arrival->found;
    char path[SUBMISSION_PATH_BYTES + sizeof agent_name];
    out->is_ready = program->is_ready;
    if (program->dialect) {
        class_team_remark(out, "compiled as %s, see its build log", program->dialect);
    }
    if (program->log) {
        snprintf(out->build_log, sizeof out->build_log, "%s/" INTAKE_BUILD_LOG, arrival->folder);
        enum err err = write_file(arrival, INTAKE_BUILD_LOG, program->log, 0644);
        if (err) {
            return err;
        }
    }
    if (!program->is_ready) {
        take_refusal(arrival);
        return ERR_NONE;
    }
    program_folder(found, path);
    bool is_python = found->language == SUBMISSION_PYTHON;
    snprintf(path + strlen(path), sizeof agent_name, "%s", agent_name);
    if (!is_plain(is_python ? found->program : path)) {
        return write_launcher(arrival, is_python ? "python3" : "",
                              is_python ? found->program : path);
    }
    snprintf(out->command, sizeof out->command, "%s", program->command);
    return ERR_NONE;
}

/* Many submissions have more than one source with a `main`: the one with the right name is built
 * first, and all together only if it does not build alone. */
static enum err prepare(struct team_arrival *arrival)
{
    const struct submission *found = arrival->found;
    char paths[SUBMISSION_MAX_SOURCES + 1][2 * PATH_MAX];
    const char *sources[SUBMISSION_MAX_SOURCES + 1];
    char folder[SUBMISSION_PATH_BYTES];
    char agent[3 * PATH_MAX];
    struct program program;
    if (found->language == SUBMISSION_NO_PROGRAM) {
        return ERR_NONE; /* the roster has the reason: no_program */
    }
    for (size_t i = 0; i <= found->source_count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", arrival->folder,
                 i ? found->sources[i - 1] : found->program);
        sources[i] = paths[i];
    }
    program_folder(found, folder);
    snprintf(agent, sizeof agent, "%s/%s%s", arrival->folder, folder, agent_name);
    bool is_python = found->language == SUBMISSION_PYTHON;
    const struct program_order order = {.sources = is_python ? sources : sources + 1,
                                        .count = is_python ? 1 : found->source_count,
                                        .alone = sources[0],
                                        .folder = arrival->folder,
                                        .agent = agent,
                                        .found = found,
                                        .compiler = arrival->place->compiler};
    enum err err = program_prepare(&order, &program, arrival->why);
    err = err ? err : take_program(arrival, &program);
    program_free(&program);
    return err;
}

/* --- Whose it is. --- */

/* A student's number keeps its zeros. */
static void claim_number(struct class_team *team, const char *name)
{
    char text[ROSTER_NAME_BYTES];
    int number = submission_team_number(name);
    if (submission_student(name, text, sizeof text)) {
        bool is_digits = !text[strspn(text, "0123456789")];
        team_claims_add(&team->student_claims, is_digits && strlen(text) <= 9 ? text : "");
    } else if (number >= 0) {
        snprintf(text, sizeof text, "%d", number);
        team_claims_add(&team->claims, text);
    }
}

static void claim_student(struct team_claims *claims, const char *name)
{
    char student[ROSTER_NAME_BYTES];
    if (submission_student(name, student, sizeof student)) {
        team_claims_add(claims, student);
    }
}

/* A name that identifies a team: not that of a template or of the game, and with a letter or digit.
 */
static void claim_name(struct team_claims *claims, const struct game *game, const char *name)
{
    static const char generic[] = " main agent sample template game player ai program bot "
                                  "studentid homework hw project submission ";
    char stem[ROSTER_NAME_BYTES];
    char word[ROSTER_NAME_BYTES + 2];
    submission_stem(name, stem, sizeof stem);
    snprintf(word, sizeof word, " %s ", stem);
    bool has_letter = false;
    for (const char *at = stem; *at; at++) {
        has_letter |= isalnum((unsigned char)*at);
    }
    if (has_letter && !strcasestr(generic, word) && strcasecmp(stem, game->name) != 0) {
        team_claims_add(claims, stem);
    }
}

static void make_claims(struct team_arrival *arrival)
{
    struct class_team *out = arrival->out;
    struct team_claims *claims = &out->claims;
    const char *program = arrival->foreign[0] ? arrival->foreign : arrival->found->program;
    char stem[ROSTER_NAME_BYTES];
    submission_stem(arrival->name, stem, sizeof stem);
    if (arrival->place->game->assignment.is_by_student) {
        claim_student(claims, program);
        claim_student(claims, arrival->inner);
        claim_student(claims, arrival->name);
        if (!claims->count) {
            claim_name(claims, arrival->place->game, program);
            claim_name(claims, arrival->place->game, arrival->inner);
            claim_name(claims, arrival->place->game, arrival->name);
        }
        if (!claims->count) {
            team_claims_add(claims, out->participant[0] ? out->participant : stem);
        }
        if (intake_is_zip(arrival->name) && strlen(stem) < sizeof claims->exact) {
            snprintf(claims->exact, sizeof claims->exact, "%s", stem);
        }
        return;
    }
    claim_number(out, arrival->inner);
    claim_number(out, arrival->name);
    claim_number(out, program);
    const char *digits = strncmp(stem, "Team_", 5) == 0 ? stem + 5 : stem;
    if (*digits && !digits[strspn(digits, "0123456789")] && strlen(digits) < sizeof claims->exact) {
        snprintf(claims->exact, sizeof claims->exact, "%s", digits);
    }
}

/* --- Remarks. --- */

/* What is there where no program in C, C++ or Python is: one for another machine, or a source that
 * is not built and started here. */
static void look_at_stranger(struct team_arrival *arrival, const FTSENT *entry, int *best)
{
    struct class_team *out = arrival->out;
    const char *path = entry->fts_path + strlen(arrival->folder);
    int likelihood = other_language_likelihood(entry->fts_name);
    struct note what;
    if (!arrival->foreign[0] && sandbox_programs_is_foreign(entry->fts_accpath, &what)) {
        snprintf(arrival->foreign, sizeof arrival->foreign, "%s", entry->fts_name);
        class_team_remark(out, "%s", what.text);
        utf8_clean(what.text, out->no_program, sizeof out->no_program);
    }
    if (likelihood > *best && other_language_of(entry->fts_name) && is_plain(path)) {
        *best = likelihood;
        snprintf(out->other, sizeof out->other, "%s%s", arrival->folder, path);
    }
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Names some of what is there. */
static void look_at_files(struct team_arrival *arrival)
{
    char *paths[] = {arrival->folder, NULL};
    char names[ROSTER_NAME_BYTES] = "";
    bool is_full = false;
    int best = -1;
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *entry; tree && (entry = fts_read(tree));) {
        if (entry->fts_info != FTS_F) {
            continue;
        }
        if (!is_full) {
            is_full = strlen(names) + entry->fts_namelen + 8 > sizeof names;
            note_list(names, sizeof names, "%s", is_full ? "…" : entry->fts_name);
        }
        if (arrival->found->language == SUBMISSION_NO_PROGRAM) {
            look_at_stranger(arrival, entry, &best);
        }
    }
    if (tree) {
        fts_close(tree);
    }
    utf8_clean(names, arrival->out->files, sizeof arrival->out->files);
}

/* One line for the grade sheet and the feedback: why nothing of it can play. */
static void explain_absence(struct team_arrival *arrival)
{
    struct class_team *out = arrival->out;
    const struct submission *found = arrival->found;
    struct note reason;
    if (out->no_program[0]) {
        return; /* a program for another machine */
    }
    if (arrival->unreadable.text[0]) {
        note_set(&reason, "%.50s: %.75s", arrival->name, arrival->unreadable.text);
    } else if (found->archive[0]) {
        note_set(&reason, "%.100s was not opened", found->archive);
    } else if (out->other[0]) {
        note_set(&reason, "no program in C, C++ or Python was handed in, only %.70s", out->files);
        class_team_remark(out, "%s is %s: the roster has the line that lets it play",
                          strrchr(out->other, '/') + 1, other_language_of(out->other)->name);
    } else if (out->files[0]) {
        note_set(&reason, "no program was handed in, only %.90s", out->files);
        class_team_remark(out, "no program: there is only %s", out->files);
    } else {
        note_set(&reason, "no program was handed in: it is empty");
        class_team_remark(out, "it is empty");
    }
    utf8_clean(reason.text, out->no_program, sizeof out->no_program);
}

static void look_at_report(struct team_arrival *arrival, bool is_closed)
{
    struct class_team *out = arrival->out;
    const struct submission *found = arrival->found;
    int most = arrival->place->game->assignment.max_report_pages;
    struct note why = {""};
    out->report_pages = found->report[0] ? report_pages_count(arrival->folder, found->report,
                                                              arrival->place->compiler->sandbox,
                                                              arrival->place->compiler->stop, &why)
                                         : -1;
    if (*why.text) {
        class_team_remark(out, "the pages of its report were not counted: %.120s", why.text);
    }
    out->has_report = found->report[0];
    out->lacks_report = most && !found->report[0] && !is_closed;
    out->has_wrong_report_name = found->has_wrong_report_name;
    if (most && out->report_pages > most) {
        class_team_remark(out, "the report has %d pages; at most %d were asked for",
                          out->report_pages, most);
    }
}

static void look_at_program(struct class_team *out, const struct submission *found)
{
    char more[48] = "";
    if (found->archive_count > 1) {
        snprintf(more, sizeof more, " (and %zu more archive%s)", found->archive_count - 1,
                 found->archive_count == 2 ? "" : "s");
    }
    if (!found->program[0] && found->archive[0]) {
        class_team_remark(
            out, "%s%s was not opened: unpack it into a folder, then init again%s", found->archive,
            more,
            intake_is_zip(found->archive) ? "" : "; write 'wrong_name = yes' into the roster then");
    } else if (found->archive[0]) {
        class_team_remark(out, "%s%s was not opened: there is a program without it", found->archive,
                          more);
    }
    if (found->project[0]) {
        class_team_remark(out, "a whole project of Visual Studio (%s) was submitted%s%s",
                          found->project, found->program[0] ? ": the program is taken to be " : "",
                          found->program);
    }
    if (found->others.text[0]) {
        class_team_remark(out, "%s was taken for the program; could also be: %s", found->program,
                          found->others.text);
    }
    if (found->skipped.text[0]) {
        class_team_remark(out, "not looked into, since it is empty, not a text or too much: %s",
                          found->skipped.text);
    }
}

static void look_at_names(struct team_arrival *arrival)
{
    const struct submission *found = arrival->found;
    const char *const wrong[] = {
        arrival->wrong_name ? arrival->wrong_name : "",
        found->has_wrong_name ? found->program : "",
        found->has_wrong_report_name ? found->report : "",
    };
    char names[NOTE_BYTES] = "";
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (*wrong[i]) {
            note_list(names, sizeof names, "%s", wrong[i]);
        }
    }
    arrival->out->has_wrong_name = names[0];
    if (names[0]) {
        int percent = arrival->place->game->assignment.percent[DEDUCT_WRONG_NAME];
        char cost[16] = "";
        if (percent) {
            snprintf(cost, sizeof cost, " (-%d %%)", percent);
        }
        class_team_remark(arrival->out, "wrong file name%s: %s", cost, names);
        utf8_clean(names, arrival->out->wrong_files, sizeof arrival->out->wrong_files);
    }
}

static void take_over(struct team_arrival *arrival)
{
    struct class_team *out = arrival->out;
    const struct submission *found = arrival->found;
    out->language = found->language;
    utf8_clean(found->program, out->program, sizeof out->program);
    out->numbers = found->numbers;
    if (found->numbers.count == 1) {
        class_team_take_number(out, found->numbers.list[0]);
    }
    out->protocol = found->protocol;
    bool is_closed = found->language == SUBMISSION_NO_PROGRAM &&
                     (found->archive[0] || arrival->unreadable.text[0]);
    if (submission_is_archive(arrival->name) && !intake_is_zip(arrival->name)) {
        arrival->wrong_name = arrival->name;
    }
    look_at_program(out, found);
    look_at_files(arrival);
    if (found->language == SUBMISSION_NO_PROGRAM) {
        explain_absence(arrival);
    }
    look_at_names(arrival);
    look_at_report(arrival, is_closed);
    make_claims(arrival);
}

static void name_it(struct class_team *out, const struct submission_entry *entry)
{
    char stem[NAME_MAX + 1];
    size_t part = 0;
    while (entry->parts[part].name != submission_entry_name(entry)) {
        part++;
    }
    utf8_clean(entry->parts[part].file, out->submitted_as, sizeof out->submitted_as);
    snprintf(out->person, sizeof out->person, "%s", entry->person);
    snprintf(out->participant, sizeof out->participant, "%.31s", entry->participant);
    submission_stem(submission_entry_name(entry), stem, sizeof stem);
    utf8_clean(*entry->person ? entry->person : stem, out->name, sizeof out->name);
}

enum err class_team_prepare(const struct class_team_place *place,
                            const struct submission_entry *entry, const char *folder,
                            struct class_team *out, struct note *why)
{
    *out = (struct class_team){.number = -1, .report_pages = -1};
    struct team_arrival arrival = {.place = place,
                                   .entry = entry,
                                   .out = out,
                                   .name = submission_entry_name(entry),
                                   .why = why};
    arrival.found = calloc(1, sizeof *arrival.found);
    if (!arrival.found) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    name_it(out, entry);
    snprintf(out->folder, sizeof out->folder, "%s", folder);
    snprintf(arrival.folder, sizeof arrival.folder, "%s/%s", place->copies, folder);
    mode_t before = build_loosen_umask();
    enum err err = copy_all(&arrival);
    err = err ? err : look(&arrival);
    if (!err) {
        take_over(&arrival);
        err = prepare(&arrival);
    }
    umask(before);
    free(arrival.found);
    return err;
}
