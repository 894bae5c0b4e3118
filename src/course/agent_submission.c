#include "course/agent_submission.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zip.h>

#include "base/file.h"
#include "course/source_parts.h"

enum { STEM_BYTES = 32, NAME_BYTES = STEM_BYTES + 8, MAX_FILES = 3 };

struct submitted_file {
    char name[NAME_BYTES];
    char *bytes; /* from malloc */
    size_t size;
};

struct submitted_files {
    struct submitted_file list[MAX_FILES];
    size_t count;
};

static void free_files(struct submitted_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->list[i].bytes);
    }
}

static enum err make_stem(const struct agent_source *source, char stem[STEM_BYTES],
                          struct note *why)
{
    struct source_parts parts = {0};
    enum err err = source_parts_define_game(&parts, source->game, source->team, why);
    if (!err) {
        bool is_by_student = source->game->assignment.is_by_student;
        source_parts_write_text(&parts, is_by_student ? "@STUDENT@" : "Team_@TEAM@", stem,
                                STEM_BYTES);
    }
    return err;
}

/* --- The files. --- */

typedef enum err write_text(const struct agent_source *source, FILE *out, struct note *why);

static enum err add_text(struct submitted_files *files, const char *name, write_text *write,
                         const struct agent_source *source, struct note *why)
{
    struct submitted_file *file = &files->list[files->count];
    FILE *out = open_memstream(&file->bytes, &file->size);
    enum err err = out ? write(source, out, why) : ERR_NONE;
    if (!out || (fclose(out) != 0 && !err)) {
        err = note_fail(why, ERR_ENVIRONMENT, "out of memory for %.40s", name);
    }
    snprintf(file->name, sizeof file->name, "%s", name);
    files->count += out != NULL;
    return err;
}

static enum err add_report(struct submitted_files *files, const char *name, const char *path,
                           struct note *why)
{
    static const char mark[] = "%PDF-";
    struct submitted_file *file = &files->list[files->count];
    file->bytes = file_read_head(path, AGENT_SUBMISSION_MAX_REPORT, &file->size);
    if (!file->bytes) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot read the report %.200s: %s", path,
                         strerror(errno));
    }
    files->count++;
    if (file->size == AGENT_SUBMISSION_MAX_REPORT) {
        return note_fail(why, ERR_INPUT, "the report %.200s has %d MiB or more", path,
                         AGENT_SUBMISSION_MAX_REPORT >> 20);
    }
    if (strncmp(file->bytes, mark, strlen(mark)) != 0) {
        return note_fail(why, ERR_INPUT, "the report %.200s is not a PDF", path);
    }
    snprintf(file->name, sizeof file->name, "%s", name);
    return ERR_NONE;
}

static enum err make_files(const struct agent_submission *submission, const char *stem,
                           struct submitted_files *files, struct note *why)
{
    const struct agent_source *source = &submission->source;
    const char *client = source->has_client_file ? agent_source_client_name(source) : NULL;
    char name[NAME_BYTES];
    bool is_python = strcmp(source->language, "python") == 0;
    snprintf(name, sizeof name, "%s.%s", stem, is_python ? "py" : "cpp");
    enum err err = add_text(files, name, agent_source_write, source, why);
    if (!err && client) {
        err = add_text(files, client, agent_source_write_client, source, why);
    }
    snprintf(name, sizeof name, "%s.pdf", stem);
    return err ? err : add_report(files, name, submission->report, why);
}

/* --- The zip. --- */

static enum err refuse_zip(const char *path, zip_error_t *error, struct note *why)
{
    bool exists = zip_error_code_zip(error) == ZIP_ER_EXISTS;
    return exists ? note_fail(why, ERR_INPUT, "%.200s exists; choose another folder", path)
                  : note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path,
                              zip_error_strerror(error));
}

static enum err write_zip(const struct submitted_files *files, const char *path, struct note *why)
{
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_EXCL, &code);
    enum err err = ERR_NONE;
    if (!zip) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        err = refuse_zip(path, &error, why);
        zip_error_fini(&error);
        return err;
    }
    for (size_t i = 0; !err && i < files->count; i++) {
        const struct submitted_file *file = &files->list[i];
        zip_source_t *bytes = zip_source_buffer(zip, file->bytes, file->size, 0);
        if (!bytes || zip_file_add(zip, file->name, bytes, ZIP_FL_ENC_UTF_8) < 0) {
            zip_source_free(bytes);
            err = refuse_zip(path, zip_get_error(zip), why);
        }
    }
    if (!err && zip_close(zip) == 0) {
        return ERR_NONE;
    }
    err = err ? err : refuse_zip(path, zip_get_error(zip), why);
    zip_discard(zip);
    return err;
}

enum err agent_submission_write(const struct agent_submission *submission, char *path, size_t room,
                                struct note *names, struct note *why)
{
    char stem[STEM_BYTES];
    struct submitted_files files = {0};
    enum err err = make_stem(&submission->source, stem, why);
    if (!err) {
        err = make_files(submission, stem, &files, why);
    }
    if (!err && mkdir(submission->folder, 0777) != 0 && errno != EEXIST) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot make %.200s: %s", submission->folder,
                        strerror(errno));
    }
    if (!err && snprintf(path, room, "%s/%s.zip", submission->folder, stem) >= (int)room) {
        err = note_fail(why, ERR_INPUT, "the name of the folder is too long");
    }
    if (!err) {
        err = write_zip(&files, path, why);
    }
    if (!err) {
        *names = (struct note){""};
        for (size_t i = 0; i < files.count; i++) {
            note_list(names->text, sizeof names->text, "%s", files.list[i].name);
        }
    }
    free_files(&files);
    return err;
}
