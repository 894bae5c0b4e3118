#include "course/agent_submission.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"

static enum err make_stem(const struct agent_source *source, char stem[KIT_NAME_BYTES],
                          struct note *why)
{
    struct source_parts parts = {0};
    enum err err = source_parts_define_game(&parts, source->game, source->team, why);
    if (!err) {
        bool is_by_student = source->game->assignment.is_by_student;
        source_parts_write_text(&parts, is_by_student ? "@STUDENT@" : "Team_@TEAM@", stem,
                                KIT_NAME_BYTES);
    }
    return err;
}

/* For the caller to free, also after an error. */
static enum err read_report(const char *path, char **bytes, size_t *size, struct note *why)
{
    static const char mark[] = "%PDF-";
    *bytes = file_read_head(path, AGENT_SUBMISSION_MAX_REPORT, size);
    if (!*bytes) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot read the report %.200s: %s", path,
                         strerror(errno));
    }
    if (*size == AGENT_SUBMISSION_MAX_REPORT) {
        return note_fail(why, ERR_INPUT, "the report %.200s has %d MiB or more", path,
                         AGENT_SUBMISSION_MAX_REPORT >> 20);
    }
    if (strncmp(*bytes, mark, strlen(mark)) != 0) {
        return note_fail(why, ERR_INPUT, "the report %.200s is not a PDF", path);
    }
    return ERR_NONE;
}

enum err agent_submission_write(const struct agent_submission *submission, char *path, size_t room,
                                struct note *names, struct note *why)
{
    char stem[KIT_NAME_BYTES];
    struct kit kit = {.file_count = 0};
    char *report = NULL;
    size_t size = 0;
    enum err err = make_stem(&submission->source, stem, why);
    err = err ? err : agent_source_make(&submission->source, stem, &kit, why);
    err = err ? err : read_report(submission->report, &report, &size, why);
    if (!err && mkdir(submission->folder, 0777) != 0 && errno != EEXIST) {
        err = note_fail(why, ERR_ENVIRONMENT, "cannot make %.200s: %s", submission->folder,
                        strerror(errno));
    }
    if (!err && snprintf(path, room, "%s/%s.zip", submission->folder, stem) >= (int)room) {
        err = note_fail(why, ERR_INPUT, "the name of the folder is too long");
    }
    if (!err) {
        kit_add(&kit, stem, ".pdf", report, size);
        err = kit_write_zip(&kit, path, "folder", why);
    }
    if (!err) {
        *names = (struct note){""};
        for (size_t i = 0; i < kit.file_count; i++) {
            note_list(names->text, sizeof names->text, "%s", kit.files[i].name);
        }
    }
    free(report);
    return err;
}
