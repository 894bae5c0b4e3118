#include "app/class_copies.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "course/submission.h"
#include "tournament/roster.h"

static void make_plain(char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    for (; *name; name++) {
        *name = strchr(letters, *name) ? *name : '_';
    }
}

enum err class_copies_locate(struct class_copies *copies, const char *roster, struct note *why)
{
    const char *slash = strrchr(roster, '/');
    const char *base = slash ? slash + 1 : roster;
    const char *dot = strrchr(base, '.');
    int stem = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int folder = (int)(base - roster);
    int length = snprintf(copies->name, sizeof copies->name, "%.*s.files", stem, base);
    make_plain(copies->name);
    length += snprintf(copies->path, sizeof copies->path, "%.*s%s", folder, roster, copies->name);
    return length < NAME_MAX ? ERR_NONE
                             : note_fail(why, ERR_INPUT, "the name of the roster is too long");
}

static bool has_folder(const struct class_copies *copies, const char *folder)
{
    char path[2 * PATH_MAX];
    struct stat about;
    snprintf(path, sizeof path, "%s/%s", copies->name, folder);
    return lstat(path, &about) == 0;
}

void class_copies_name_folder(const struct class_copies *copies,
                              const struct submission_entry *entry, char *out, size_t room)
{
    char stem[NAME_MAX + 1];
    char student[NAME_MAX + 1];
    submission_stem(submission_entry_name(entry), stem, sizeof stem);
    if (submission_student(stem, student, sizeof student)) {
        snprintf(stem, sizeof stem, "%s", student);
    } else if (entry->participant[0]) {
        snprintf(stem, sizeof stem, "%s", entry->participant);
    }
    stem[ROSTER_ID_BYTES - 12] = '\0'; /* leaves room for a number */
    make_plain(stem);
    snprintf(out, room, "%.19s", *stem && *stem != '.' ? stem : "_");
    for (int number = 2; has_folder(copies, out); number++) {
        snprintf(out, room, "%.19s-%d", stem, number);
    }
}
