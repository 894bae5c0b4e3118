#include "cli/enrol.h"

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

#include "base/utf8.h"
#include "course/agent_umask.h"
#include "player/program_file.h"
#include "course/build.h"
#include "course/intake.h"

static const char agent_name[] = "plum-agent";

/* Files that lie beside a single file and belong to it: its report and header, and the client
 * that everybody has. */
static const char *const own_companions[] = {".pdf", ".h", ".hpp"};
static const char *const shared_companions[] = {"STcpClient.py", "STcpClient.h", "FileClient.py",
                                                "FileClient.h"};

/* One team on its way in. */
struct arrival {
    const struct enrol_place *place;
    struct enrolment *out;
    char folder[PATH_MAX]; /* the copy, as we reach it */
    struct submission *found;
    struct note *why;
};

void enrol_remark(struct enrolment *enrolment, const char *format, ...)
{
    if (enrolment->remark_count < ENROL_MAX_REMARKS) {
        char *text = enrolment->remarks[enrolment->remark_count++].text;
        char raw[NOTE_BYTES];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(raw, sizeof raw, format, arguments);
        va_end(arguments);
        utf8_clean(raw, text, NOTE_BYTES);
    }
}

static enum err refuse_write(struct arrival *arrival, const char *path)
{
    note_set(arrival->why, "cannot write %.200s: %s", path, strerror(errno));
    return ERR_ENVIRONMENT;
}

/* Writes a whole file. `mode` says whether it can be run. */
static enum err write_file(struct arrival *arrival, const char *name, const char *text, mode_t mode)
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

/* ERR_NEGATIVE is a remark, not a failure. */
static enum err copy_one(struct arrival *arrival, const char *name)
{
    char from[PATH_MAX];
    struct intake_result result;
    struct note problem;
    snprintf(from, sizeof from, "%s/%s", arrival->place->submissions, name);
    enum err err = intake_copy(from, arrival->folder, &result, &problem);
    if (result.left_out) {
        enrol_remark(arrival->out, "%d file%s left out: %s", result.left_out,
                     result.left_out == 1 ? " was" : "s were", result.first_left_out.text);
    }
    if (err == ERR_NEGATIVE) {
        enrol_remark(arrival->out, "%s", problem.text);
        return ERR_NONE;
    }
    if (err) {
        *arrival->why = problem;
    }
    return err;
}

static enum err copy_if_there(struct arrival *arrival, const char *name)
{
    char from[PATH_MAX];
    struct stat about;
    snprintf(from, sizeof from, "%s/%s", arrival->place->submissions, name);
    return lstat(from, &about) == 0 && S_ISREG(about.st_mode) ? copy_one(arrival, name) : ERR_NONE;
}

static enum err copy_companions(struct arrival *arrival, const char *name)
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

static enum err copy_all(struct arrival *arrival, const char *name)
{
    char from[PATH_MAX];
    struct stat about;
    if (mkdir(arrival->folder, 0755) != 0) {
        return refuse_write(arrival, arrival->folder);
    }
    enum err err = copy_one(arrival, name);
    snprintf(from, sizeof from, "%s/%s", arrival->place->submissions, name);
    if (!err && !intake_is_zip(name) && lstat(from, &about) == 0 && S_ISREG(about.st_mode)) {
        err = copy_companions(arrival, name);
    }
    return err;
}

/* --- Something to run. --- */

/* A path that stands in a command as it is: the shell has other plans with these signs, and a
 * roster with the last two. */
static bool is_plain(const char *path) { return !strpbrk(path, "'\"\\$`;&|<>()*?[]{}~#=! \t"); }

/* The folder of the program inside the copy, with a slash behind it; "" for the copy itself. */
static void program_folder(const struct submission *found, char out[SUBMISSION_PATH_BYTES])
{
    const char *slash = strrchr(found->program, '/');
    int length = slash ? (int)(slash - found->program + 1) : 0;
    snprintf(out, SUBMISSION_PATH_BYTES, "%.*s", length, found->program);
}

/* A quote ends the quoted text, stands for itself, and begins it again. */
static void append_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; text++) {
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, out);
    }
    fputc('\'', out);
}

static void command_of(struct arrival *arrival, const char *before, const char *path)
{
    snprintf(arrival->out->command, sizeof arrival->out->command, "%s%s/%s/%s", before,
             arrival->place->copies_name, arrival->out->folder, path);
}

/* For a path that cannot stand in a command: a script that goes there. An interpreter is its first
 * argument, so that the roster can choose another one. */
static enum err write_launcher(struct arrival *arrival, const char *interpreter, const char *name)
{
    char *script = NULL;
    size_t size = 0;
    char folder[SUBMISSION_PATH_BYTES];
    FILE *text = open_memstream(&script, &size);
    if (!text) {
        note_set(arrival->why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    program_folder(arrival->found, folder);
    fputs("#!/bin/sh\ncd ./", text);
    append_quoted(text, folder);
    fprintf(text, " && exec %s./", *interpreter ? "\"$1\" " : "");
    append_quoted(text, name);
    fputc('\n', text);
    fclose(text);
    enum err err = write_file(arrival, agent_name, script, 0755);
    free(script);
    char words[64];
    snprintf(words, sizeof words, "%s%s%s", agent_name, *interpreter ? " " : "", interpreter);
    command_of(arrival, "", words);
    return err;
}

/* `interpreter` is "" for a program that runs by itself. */
static enum err run_in_place(struct arrival *arrival, const char *interpreter, const char *path)
{
    char before[32];
    const char *slash = strrchr(path, '/');
    if (!is_plain(path)) {
        return write_launcher(arrival, interpreter, slash ? slash + 1 : path);
    }
    snprintf(before, sizeof before, "%s%s", interpreter, *interpreter ? " " : "");
    command_of(arrival, before, path);
    return ERR_NONE;
}

/* What stands in for a program that does not exist. */
static enum err write_excuse(struct arrival *arrival, const char *script)
{
    enum err err = write_file(arrival, agent_name, script, 0755);
    command_of(arrival, "", agent_name);
    return err;
}

/* --- Building. --- */

static enum err build_these(struct arrival *arrival, char (*names)[SUBMISSION_PATH_BYTES],
                            size_t count, const char *agent, FILE *log)
{
    struct note problem;
    char paths[SUBMISSION_MAX_SOURCES][2 * PATH_MAX];
    const char *sources[SUBMISSION_MAX_SOURCES];
    char *messages = NULL;
    fputs("building", log);
    for (size_t i = 0; i < count; i++) {
        snprintf(paths[i], sizeof paths[i], "%s/%s", arrival->folder, names[i]);
        sources[i] = paths[i];
        fprintf(log, " %s", names[i]);
    }
    fputs("\n", log);
    enum err err = build_agent(sources, count, agent, &messages, &problem);
    fprintf(log, "%s%s\n", messages ? messages : "", err ? problem.text : "built");
    free(messages);
    if (err == ERR_ENVIRONMENT) {
        *arrival->why = problem;
    }
    return err;
}

/* Many hand in more than one source with a `main`: the one with the right name comes first, and
 * only if it does not stand alone, all together. */
static enum err build_program(struct arrival *arrival, FILE *log)
{
    struct submission *found = arrival->found;
    char folder[SUBMISSION_PATH_BYTES];
    char agent[3 * PATH_MAX];
    char first[1][SUBMISSION_PATH_BYTES];
    program_folder(found, folder);
    snprintf(agent, sizeof agent, "%s/%s%s", arrival->folder, folder, agent_name);
    strcpy(first[0], found->program);
    enum err err = build_these(arrival, first, 1, agent, log);
    if (err == ERR_NEGATIVE && found->source_count > 1) {
        err = build_these(arrival, found->sources, found->source_count, agent, log);
    }
    return err == ERR_INPUT ? ERR_NEGATIVE : err;
}

static enum err build(struct arrival *arrival)
{
    struct enrolment *out = arrival->out;
    char *log = NULL;
    size_t size = 0;
    FILE *text = open_memstream(&log, &size);
    if (!text) {
        note_set(arrival->why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    enum err built = build_program(arrival, text);
    fclose(text);
    enum err err = built == ERR_NEGATIVE ? ERR_NONE : built;
    if (!err) {
        err = write_file(arrival, "build.log", log, 0644);
        snprintf(out->build_log, sizeof out->build_log, "%s/%s/build.log",
                 arrival->place->copies_name, out->folder);
    }
    free(log);
    if (err) {
        return err;
    }
    out->is_ready = built == ERR_NONE;
    if (!out->is_ready && is_plain(arrival->found->program)) {
        /* To build it again makes the tournament itself know why it never plays. */
        snprintf(out->source, sizeof out->source, "%s/%s/%s", arrival->place->copies_name,
                 out->folder, arrival->found->program);
        return ERR_NONE;
    }
    if (!out->is_ready) {
        return write_excuse(arrival, "#!/bin/sh\necho 'it does not compile, see its build log' >&2"
                                     "\nexit 1\n");
    }
    char folder[SUBMISSION_PATH_BYTES];
    char path[SUBMISSION_PATH_BYTES + sizeof agent_name];
    program_folder(arrival->found, folder);
    snprintf(path, sizeof path, "%s%s", folder, agent_name);
    return run_in_place(arrival, "", path);
}

/* A program that was made for another machine, if there is one in the copy. */
static bool find_foreign(const struct arrival *arrival, struct note *what)
{
    char *paths[] = {(char *)arrival->folder, NULL};
    bool is_found = false;
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; tree && !is_found && (entry = fts_read(tree));) {
        is_found = entry->fts_info == FTS_F && program_file_is_foreign(entry->fts_accpath, what);
    }
    if (tree) {
        fts_close(tree);
    }
    return is_found;
}

static enum err prepare_nothing(struct arrival *arrival)
{
    struct note what;
    if (find_foreign(arrival, &what)) {
        enrol_remark(arrival->out, "%s", what.text);
    }
    return write_excuse(arrival, "#!/bin/sh\necho 'no program was handed in' >&2\nexit 1\n");
}

static enum err prepare(struct arrival *arrival)
{
    struct enrolment *out = arrival->out;
    switch (arrival->found->language) {
    case SUBMISSION_PYTHON:
        out->is_ready = true;
        return run_in_place(arrival, "python3", arrival->found->program);
    case SUBMISSION_COMPILED:
        return build(arrival);
    default:
        return prepare_nothing(arrival);
    }
}

static void take_over(struct enrolment *out, const struct submission *found, bool by_student)
{
    int program_team = submission_team_number(found->program);
    int name_team = submission_team_number(out->handed_in_as);
    out->language = found->language;
    utf8_clean(found->program, out->program, sizeof out->program);
    out->named_team = name_team >= 0 ? name_team : program_team;
    out->sent_team = found->team;
    out->speaks_files = found->speaks_files;
    bool is_closed = found->language == SUBMISSION_NO_PROGRAM && found->archive[0];
    bool is_odd_archive =
        submission_is_archive(out->handed_in_as) && !intake_is_zip(out->handed_in_as);
    out->has_wrong_name = found->has_wrong_name || is_odd_archive;
    out->lacks_report = by_student && !found->has_report && !is_closed;
    if (is_closed) {
        enrol_remark(out, "%s was not opened: unpack it into a folder, then init again",
                     found->archive);
    }
    if (out->has_wrong_name) {
        enrol_remark(out, "wrong file name (-10 %%)");
    }
    if (out->lacks_report) {
        enrol_remark(out, "no report");
    }
}

enum err enrol(const struct enrol_place *place, const char *name, const char *folder,
               struct enrolment *out, struct note *why)
{
    *out = (struct enrolment){.named_team = -1, .sent_team = -1};
    struct arrival arrival = {.place = place, .out = out, .why = why};
    arrival.found = calloc(1, sizeof *arrival.found);
    if (!arrival.found) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    utf8_clean(name, out->handed_in_as, sizeof out->handed_in_as);
    snprintf(out->folder, sizeof out->folder, "%s", folder);
    snprintf(arrival.folder, sizeof arrival.folder, "%s/%s", place->copies, folder);
    mode_t before = agent_umask_loosen();
    enum err err = copy_all(&arrival, name);
    if (!err) {
        err = submission_find(arrival.folder, name, place->by_student, arrival.found, why);
    }
    if (!err) {
        take_over(out, arrival.found, place->by_student);
        err = prepare(&arrival);
    }
    umask(before);
    free(arrival.found);
    return err;
}
