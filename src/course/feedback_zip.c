#include "course/feedback_zip.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <zip.h>

enum { ENTRY_BYTES = ROSTER_NAME_BYTES * 2 + 64 };

/* The number in the platform's identifier: "Participant 123". False: it has none. */
static bool read_number(const struct roster_student *student, char out[ROSTER_ID_BYTES])
{
    const char *digits = student->identifier + strcspn(student->identifier, "0123456789");
    int length = (int)strspn(digits, "0123456789");
    return length > 0 && snprintf(out, ROSTER_ID_BYTES, "%.*s", length, digits) < ROSTER_ID_BYTES;
}

/* Underscores separate the parts, and a name must not lead into a folder. */
static void write_entry(const struct roster_student *student, const char *number,
                        char out[ENTRY_BYTES])
{
    char name[ROSTER_NAME_BYTES];
    snprintf(name, sizeof name, "%s", *student->name ? student->name : student->id);
    for (char *at = name; *at; at++) {
        *at = (char)(strchr("_/\\:", *at) ? ' ' : *at);
    }
    if (*name == '.') {
        *name = ' ';
    }
    snprintf(out, ENTRY_BYTES, "%s_%s_assignsubmission_file_feedback.html", name, number);
}

static enum err refuse_zip(const char *path, const char *reason, struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "cannot write %.200s: %s", path, reason);
}

static enum err add_page(zip_t *zip, const char *path, const char *page, const char *entry,
                         struct note *why)
{
    zip_source_t *source = zip_source_file(zip, page, 0, -1);
    if (!source) {
        return refuse_zip(path, zip_strerror(zip), why);
    }
    if (zip_file_add(zip, entry, source, ZIP_FL_ENC_UTF_8 | ZIP_FL_OVERWRITE) < 0) {
        zip_source_free(source);
        return refuse_zip(path, zip_strerror(zip), why);
    }
    return ERR_NONE;
}

enum err feedback_zip_write(const char *path, const char *folder, const struct roster *roster,
                            size_t *count, struct note *why)
{
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (!zip) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        refuse_zip(path, zip_error_strerror(&error), why);
        zip_error_fini(&error);
        return ERR_ENVIRONMENT;
    }
    enum err err = ERR_NONE;
    *count = 0;
    for (int i = 0; !err && i < roster->student_count; i++) {
        const struct roster_student *student = &roster->students[i];
        char number[ROSTER_ID_BYTES];
        char entry[ENTRY_BYTES];
        char page[PATH_MAX];
        if (student->team < 0 || !read_number(student, number)) {
            continue;
        }
        write_entry(student, number, entry);
        snprintf(page, sizeof page, "%s/%s.html", folder, roster->teams[student->team].id);
        err = add_page(zip, path, page, entry, why);
        (*count)++;
    }
    if (err) {
        zip_discard(zip);
        return err;
    }
    if (zip_close(zip) != 0) {
        err = refuse_zip(path, zip_strerror(zip), why);
        zip_discard(zip);
    }
    return err;
}
