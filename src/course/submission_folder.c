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

/* Places in a name. */
struct prefix {
    size_t person_end;
    size_t number;
    size_t number_end;
    size_t own; /* the name that the person chose */
};

static const char digits[] = "0123456789";

/* "NAME_1234567_assignsubmission_file_" */
static bool read_prefix_of_moodle(const char *name, struct prefix *out)
{
    const char *at = strstr(name, marker);
    const char *number = at;
    while (number && number > name && strchr(digits, number[-1])) {
        number--;
    }
    if (!at || number == at || number == name || number[-1] != '_') {
        return false;
    }
    const char *own = at + strlen(marker);
    own += strcspn(own, "_");
    *out = (struct prefix){.person_end = (size_t)(number - 1 - name),
                           .number = (size_t)(number - name),
                           .number_end = (size_t)(at - name),
                           .own = (size_t)(own + (*own == '_') - name)};
    return true;
}

/* "surnamename_1234_56789_" or "surnamename_LATE_1234_56789_": the person and the file. */
static bool read_prefix_of_canvas(const char *name, struct prefix *out)
{
    static const char late[] = "_LATE";
    size_t person_end = strcspn(name, "_");
    size_t number = person_end;
    number += strncmp(name + number, late, strlen(late)) == 0 ? strlen(late) : 0;
    number += name[number] == '_';
    size_t number_end = number + strspn(name + number, digits);
    size_t file = number_end + (name[number_end] == '_');
    size_t file_end = file + strspn(name + file, digits);
    if (person_end == 0 || number_end == number || name[number] == '0' || file_end == file ||
        name[file_end] != '_' || !name[file_end + 1]) {
        return false;
    }
    *out = (struct prefix){person_end, number, number_end, file_end + 1};
    return true;
}

/* Such names can also be those of students, so all files have them, of two persons or more. */
static bool is_of_canvas(struct dirent *const *entries, int count)
{
    const char *first = NULL;
    bool has_two = false;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        struct prefix prefix;
        if (is_generated(name) && !submission_is_client(name)) {
            continue;
        }
        if (entries[i]->d_type == DT_DIR || entries[i]->d_type == DT_LNK ||
            !read_prefix_of_canvas(name, &prefix)) {
            return false;
        }
        first = first ? first : name;
        has_two |= strncmp(first, name, prefix.person_end + 1) != 0;
    }
    return has_two;
}

static bool read_prefix(const char *name, bool of_canvas, struct prefix *out)
{
    return of_canvas ? read_prefix_of_canvas(name, out) : read_prefix_of_moodle(name, out);
}

static void read_person(struct submission_entry *entry, const char *name,
                        const struct prefix *prefix)
{
    char person[NAME_MAX + 1];
    snprintf(person, sizeof person, "%.*s", (int)prefix->person_end, name);
    utf8_clean(person, entry->person, sizeof entry->person);
    snprintf(entry->participant, sizeof entry->participant, "%.*s",
             (int)(prefix->number_end - prefix->number), name + prefix->number);
}

static bool is_same_person(const char *a, const char *b, bool of_canvas)
{
    struct prefix of_a;
    struct prefix of_b;
    return read_prefix(a, of_canvas, &of_a) && read_prefix(b, of_canvas, &of_b) &&
           of_a.number_end == of_b.number_end && strncmp(a, b, of_a.number_end) == 0;
}

/* --- Reading. --- */

static enum err refuse_memory(struct note *why)
{
    return note_fail(why, ERR_ENVIRONMENT, "out of memory");
}

/* There is room for as many entries as the folder has files. */
static enum err add(struct submission_folder *folder, const char *file, bool of_canvas,
                    struct note *why)
{
    struct prefix prefix = {0};
    bool has_prefix = read_prefix(file, of_canvas, &prefix);
    struct submission_entry *entry = NULL;
    for (size_t i = 0; !entry && i < folder->count; i++) {
        if (is_same_person(folder->entries[i].parts[0].file, file, of_canvas)) {
            entry = &folder->entries[i];
        }
    }
    if (!entry) {
        entry = &folder->entries[folder->count++];
        if (has_prefix) {
            read_person(entry, file, &prefix);
        }
    }
    struct submission_part *parts = realloc(entry->parts, (entry->part_count + 1) * sizeof *parts);
    if (!parts) {
        folder->count -= entry->part_count == 0;
        return refuse_memory(why);
    }
    entry->parts = parts;
    struct submission_part *part = &parts[entry->part_count++];
    snprintf(part->file, sizeof part->file, "%s", file);
    snprintf(part->name, sizeof part->name, "%s", file + prefix.own);
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
    bool of_canvas = is_of_canvas(entries, count);
    struct prefix prefix;
    enum err err = ERR_NONE;
    out->entries = calloc(room, sizeof *out->entries);
    out->strays = calloc(room, sizeof *out->strays);
    if (!out->entries || !out->strays) {
        return refuse_memory(why);
    }
    for (int i = 0; !err && i < count; i++) {
        const char *name = entries[i]->d_name;
        if (!is_generated(name) &&
            (read_prefix(name, of_canvas, &prefix) || is_submission(entries[i]))) {
            err = add(out, name, of_canvas, why);
        }
    }
    for (int i = 0; !err && i < count; i++) {
        const char *name = entries[i]->d_name;
        if (is_generated(name) || read_prefix(name, of_canvas, &prefix) ||
            is_submission(entries[i]) || is_companion(out, name)) {
            continue;
        }
        if (submission_is_windows_program(name) || other_language_of(name)) {
            /* all that this team submitted */
            err = add(out, name, of_canvas, why);
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
