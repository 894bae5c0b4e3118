#include "course/submission_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "course/other_language.h"
#include "course/submission.h"

static const char marker[] = "_assignsubmission_";

/* What systems and the course's own kit leave among submissions. */
static bool is_generated(const char *name)
{
    return name[0] == '.' || strcmp(name, "__MACOSX") == 0 || strcmp(name, "Thumbs.db") == 0 ||
           strcmp(name, "desktop.ini") == 0 || submission_is_client(name);
}

/* An archive that we cannot open and a link that we do not follow are also submissions. */
static bool is_submission(const struct dirent *entry)
{
    return submission_is_source(entry->d_name) || submission_is_archive(entry->d_name) ||
           entry->d_type == DT_DIR || entry->d_type == DT_LNK;
}

/* --- The platform's prefix. --- */

/* Where the marker begins after a person's number; NULL: the name has no such prefix. */
static const char *find_marker(const char *name)
{
    const char *at = strstr(name, marker);
    const char *digits = at;
    while (digits && digits > name && digits[-1] >= '0' && digits[-1] <= '9') {
        digits--;
    }
    return at && digits < at && digits > name && digits[-1] == '_' ? at : NULL;
}

/* After the marker: "file_" and the name that the person chose. */
static const char *own_name(const char *name)
{
    const char *at = find_marker(name);
    if (!at) {
        return name;
    }
    at += strlen(marker);
    at += strcspn(at, "_");
    return *at ? at + 1 : at;
}

static void read_person(struct submission_entry *entry, const char *name)
{
    const char *end = find_marker(name);
    if (!end) {
        return;
    }
    const char *digits = end;
    while (digits[-1] != '_') {
        digits--;
    }
    char person[NAME_MAX + 1];
    snprintf(person, sizeof person, "%.*s", (int)(digits - 1 - name), name);
    utf8_clean(person, entry->person, sizeof entry->person);
    snprintf(entry->participant, sizeof entry->participant, "%.*s", (int)(end - digits), digits);
}

static bool is_same_person(const char *a, const char *b)
{
    const char *a_end = find_marker(a);
    const char *b_end = find_marker(b);
    return a_end && b_end && a_end - a == b_end - b && strncmp(a, b, (size_t)(a_end - a)) == 0;
}

/* --- Reading. --- */

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "out of memory");
}

/* There is room for as many entries as the folder has files. */
static enum err add(struct submission_folder *folder, const char *file, struct note *why)
{
    struct submission_entry *entry = NULL;
    for (size_t i = 0; !entry && i < folder->count; i++) {
        if (is_same_person(folder->entries[i].parts[0].file, file)) {
            entry = &folder->entries[i];
        }
    }
    if (!entry) {
        entry = &folder->entries[folder->count++];
        read_person(entry, file);
    }
    struct submission_part *parts = realloc(entry->parts, (entry->part_count + 1) * sizeof *parts);
    if (!parts) {
        folder->count -= entry->part_count == 0;
        return refuse_memory(why);
    }
    entry->parts = parts;
    struct submission_part *part = &parts[entry->part_count++];
    snprintf(part->file, sizeof part->file, "%s", file);
    snprintf(part->name, sizeof part->name, "%s", own_name(file));
    return ERR_NONE;
}

/* A plain file that belongs to a submission that is itself a plain file: its report, its header. */
static bool is_companion(const struct submission_folder *list, const char *name)
{
    char stem[NAME_MAX + 1];
    size_t length = (size_t)(strrchr(name, '.') ? strrchr(name, '.') - name : 0);
    for (size_t i = 0; length && i < list->count; i++) {
        submission_stem(list->entries[i].parts[0].file, stem, sizeof stem);
        if (strlen(stem) == length && strncmp(stem, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum err sort(struct dirent *const *entries, int count, struct submission_folder *out,
                     struct note *why)
{
    size_t room = count > 0 ? (size_t)count : 1;
    enum err err = ERR_NONE;
    out->entries = calloc(room, sizeof *out->entries);
    out->strays = calloc(room, sizeof *out->strays);
    if (!out->entries || !out->strays) {
        return refuse_memory(why);
    }
    for (int i = 0; !err && i < count; i++) {
        const char *name = entries[i]->d_name;
        if (!is_generated(name) && (find_marker(name) || is_submission(entries[i]))) {
            err = add(out, name, why);
        }
    }
    for (int i = 0; !err && i < count; i++) {
        const char *name = entries[i]->d_name;
        if (is_generated(name) || find_marker(name) || is_submission(entries[i]) ||
            is_companion(out, name)) {
            continue;
        }
        if (submission_is_windows_program(name) || other_language_of(name)) {
            /* all that this team submitted */
            err = add(out, name, why);
        } else {
            utf8_clean(name, out->strays[out->stray_count++], NAME_MAX + 1);
        }
    }
    return err;
}

enum err submission_folder_read(const char *folder, struct submission_folder *out, struct note *why)
{
    struct dirent **entries = NULL;
    struct submission_folder list = {0};
    int count = scandir(folder, &entries, NULL, versionsort);
    if (count < 0) {
        return note_fail(why, ERR_INPUT, "cannot read %.150s: %s", folder, strerror(errno));
    }
    enum err err = sort(entries, count, &list, why);
    if (!err && list.count == 0) {
        err = note_fail(why, ERR_INPUT,
                        "no submissions in %.150s: a folder, zip or source for each team", folder);
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    if (err) {
        submission_folder_free(&list);
    } else {
        *out = list;
    }
    return err;
}

void submission_folder_free(struct submission_folder *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->entries[i].parts);
    }
    free(list->entries);
    free(list->strays);
    *list = (struct submission_folder){0};
}

const char *submission_entry_name(const struct submission_entry *entry)
{
    const char *source = NULL;
    for (size_t i = 0; i < entry->part_count; i++) {
        const char *name = entry->parts[i].name;
        if (submission_is_archive(name)) {
            return name;
        }
        if (!source && submission_is_source(name) && !submission_is_client(name)) {
            source = name;
        }
    }
    return source ? source : entry->parts[0].name;
}
