#include "course/handed_in.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/utf8.h"
#include "course/submission.h"

static const char marker[] = "_assignsubmission_";

/* What systems and the course's own kit leave among submissions. */
static bool is_known_litter(const char *name)
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

static void read_person(struct handed_in *hand_in, const char *name)
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
    utf8_clean(person, hand_in->person, sizeof hand_in->person);
    snprintf(hand_in->participant, sizeof hand_in->participant, "%.*s", (int)(end - digits),
             digits);
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
    note_set(why, "out of memory");
    return ERR_ENVIRONMENT;
}

/* The list has room for one hand-in for each entry. */
static enum err add(struct handed_in_list *list, const char *entry, struct note *why)
{
    struct handed_in *hand_in = NULL;
    for (size_t i = 0; !hand_in && i < list->count; i++) {
        if (is_same_person(list->list[i].parts[0].entry, entry)) {
            hand_in = &list->list[i];
        }
    }
    if (!hand_in) {
        hand_in = &list->list[list->count++];
        read_person(hand_in, entry);
    }
    struct handed_in_part *parts =
        realloc(hand_in->parts, (hand_in->part_count + 1) * sizeof *parts);
    if (!parts) {
        list->count -= hand_in->part_count == 0;
        return refuse_memory(why);
    }
    hand_in->parts = parts;
    struct handed_in_part *part = &parts[hand_in->part_count++];
    snprintf(part->entry, sizeof part->entry, "%s", entry);
    snprintf(part->name, sizeof part->name, "%s", own_name(entry));
    return ERR_NONE;
}

/* A plain file that belongs to a submission that is itself a plain file: its report, its header. */
static bool is_companion(const struct handed_in_list *list, const char *name)
{
    char stem[NAME_MAX + 1];
    size_t length = (size_t)(strrchr(name, '.') ? strrchr(name, '.') - name : 0);
    for (size_t i = 0; length && i < list->count; i++) {
        submission_stem(list->list[i].parts[0].entry, stem, sizeof stem);
        if (strlen(stem) == length && strncmp(stem, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum err sort(struct dirent *const *entries, int count, struct handed_in_list *out,
                     struct note *why)
{
    size_t room = count > 0 ? (size_t)count : 1;
    enum err err = ERR_NONE;
    out->list = calloc(room, sizeof *out->list);
    out->strays = calloc(room, sizeof *out->strays);
    if (!out->list || !out->strays) {
        return refuse_memory(why);
    }
    for (int i = 0; !err && i < count; i++) {
        const char *name = entries[i]->d_name;
        if (!is_known_litter(name) && (find_marker(name) || is_submission(entries[i]))) {
            err = add(out, name, why);
        }
    }
    for (int i = 0; !err && i < count; i++) {
        const char *name = entries[i]->d_name;
        if (is_known_litter(name) || find_marker(name) || is_submission(entries[i]) ||
            is_companion(out, name)) {
            continue;
        }
        if (submission_is_windows_program(name)) { /* all that this team has handed in */
            err = add(out, name, why);
        } else {
            utf8_clean(name, out->strays[out->stray_count++], NAME_MAX + 1);
        }
    }
    return err;
}

enum err handed_in_read(const char *folder, struct handed_in_list *out, struct note *why)
{
    struct dirent **entries = NULL;
    struct handed_in_list list = {0};
    int count = scandir(folder, &entries, NULL, versionsort);
    if (count < 0) {
        note_set(why, "cannot read %.150s: %s", folder, strerror(errno));
        return ERR_INPUT;
    }
    enum err err = sort(entries, count, &list, why);
    if (!err && list.count == 0) {
        note_set(why, "no submissions in %.150s: a folder, zip or source for each team", folder);
        err = ERR_INPUT;
    }
    for (int i = 0; i < count; i++) {
        free(entries[i]);
    }
    free(entries);
    if (err) {
        handed_in_free(&list);
    } else {
        *out = list;
    }
    return err;
}

void handed_in_free(struct handed_in_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->list[i].parts);
    }
    free(list->list);
    free(list->strays);
    *list = (struct handed_in_list){0};
}

const char *handed_in_name(const struct handed_in *hand_in)
{
    const char *source = NULL;
    for (size_t i = 0; i < hand_in->part_count; i++) {
        const char *name = hand_in->parts[i].name;
        if (submission_is_archive(name)) {
            return name;
        }
        if (!source && submission_is_source(name) && !submission_is_client(name)) {
            source = name;
        }
    }
    return source ? source : hand_in->parts[0].name;
}
