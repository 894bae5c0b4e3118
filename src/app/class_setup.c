#include "app/class_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/class_programs.h"
#include "app/sandbox_setup.h"
#include "base/folder.h"

/* --- Submissions --- */

static void make_plain(char *name)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    for (; *name; name++) {
        *name = strchr(letters, *name) ? *name : '_';
    }
}

/* A name for a folder that none of the others has. */
static void make_folder_name(const struct class_setup *setup, const struct submission_entry *entry,
                             char *out, size_t room)
{
    char stem[NAME_MAX + 1];
    char student[NAME_MAX + 1];
    submission_stem(submission_entry_name(entry), stem, sizeof stem);
    if (submission_student(stem, student, sizeof student)) {
        strcpy(stem, student);
    } else if (entry->participant[0]) {
        snprintf(stem, sizeof stem, "%s", entry->participant);
    }
    stem[ROSTER_ID_BYTES - 12] = '\0'; /* leaves room for a number */
    make_plain(stem);
    snprintf(out, room, "%.19s", *stem && *stem != '.' ? stem : "_");
    for (int number = 2; number <= ROSTER_MAX_TEAMS; number++) {
        size_t i = 0;
        while (i < setup->class.count && strcmp(setup->class.teams[i].folder, out) != 0) {
            i++;
        }
        if (i == setup->class.count) {
            return;
        }
        snprintf(out, room, "%.19s-%d", stem, number);
    }
}

static enum err prepare_teams(struct class_setup *setup, const struct sandbox *sandbox,
                              struct note *why)
{
    struct class_roster *class = &setup->class;
    const struct compiler_options compiler = {.sandbox = sandbox, .stop = setup->stop};
    const struct class_team_place place = {setup->download.folder, setup->copies,
                                           setup->copies_name, class->game, &compiler};
    const struct class_programs_setup programs = {setup->roster, setup->copies_name, sandbox,
                                                  setup->stop};
    enum err err = ERR_NONE;
    for (size_t i = 0; !err && i < setup->download.list.count; i++) {
        char folder[ROSTER_ID_BYTES];
        if (setup->on_team) {
            setup->on_team(setup->owner, (int)i, (int)setup->download.list.count);
        }
        make_folder_name(setup, &setup->download.list.entries[i], folder, sizeof folder);
        err = class_team_prepare(&place, &setup->download.list.entries[i], folder,
                                 &class->teams[class->count], why);
        if (!err) {
            err = class_programs_parse(&programs, class, &class->teams[class->count++], why);
        }
        err = atomic_load(setup->stop) ? ERR_INTERRUPTED : err;
    }
    return err;
}

/* --- Files --- */

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

/* "class.ini" has its copies in "class.files" next to it. */
static enum err choose_places(struct class_setup *setup, struct note *why)
{
    const char *slash = strrchr(setup->roster, '/');
    const char *base = slash ? slash + 1 : setup->roster;
    const char *dot = strrchr(base, '.');
    int stem = dot && dot != base ? (int)(dot - base) : (int)strlen(base);
    int folder = (int)(base - setup->roster);
    int length = snprintf(setup->copies_name, sizeof setup->copies_name, "%.*s.files", stem, base);
    make_plain(setup->copies_name);
    length += snprintf(setup->copies, sizeof setup->copies, "%.*s%s", folder, setup->roster,
                       setup->copies_name);
    if (length >= NAME_MAX) {
        return note_fail(why, ERR_INPUT, "the name of the roster is too long");
    }
    const char *in_the_way = exists(setup->roster)   ? setup->roster
                             : exists(setup->copies) ? setup->copies
                                                     : NULL;
    if (in_the_way) {
        return note_fail(why, ERR_INPUT,
                         "%.150s exists already: remove it or choose another roster", in_the_way);
    }
    return ERR_NONE;
}

static enum err fill(struct class_setup *setup, struct note *why)
{
    char folder[PATH_MAX];
    char title[NAME_MAX + 1];
    struct sandbox sandbox;
    struct class_roster *class = &setup->class;
    if (setup->download.list.count > ROSTER_MAX_TEAMS) {
        return note_fail(why, ERR_INPUT, "more than %d submissions in %.150s", ROSTER_MAX_TEAMS,
                         setup->submissions);
    }
    submission_stem(realpath(setup->submissions, folder) ? folder : "", title, sizeof title);
    enum err err = class_roster_init(class, *title ? title : class->game->name,
                                     setup->download.list.count, why);
    if (!err) {
        err = sandbox_setup_for_compilers(setup->sandbox, setup->owner, setup->on_remark, &sandbox,
                                          why);
    }
    if (err) {
        return err;
    }
    if (mkdir(setup->copies, 0755) != 0) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot make the folder %.150s: %s", setup->copies,
                         strerror(errno));
    }
    if ((err = prepare_teams(setup, &sandbox, why))) {
        goto out;
    }
    if (setup->list.count &&
        (err = class_roster_take_list(class, &setup->list, setup->deadline_s, why))) {
        goto out;
    }
    sandbox.limits = setup->limits;
    const struct class_programs_setup programs = {setup->roster, setup->copies_name, &sandbox,
                                                  setup->stop};
    if ((err = class_programs_start(&programs, class, 0, why)) ||
        (err = class_roster_assign_ids(class, why))) {
        goto out;
    }
    err = class_roster_write(class, setup->roster, why);
out:
    if (err) {
        folder_remove(setup->copies);
    }
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted: no roster was written; run the same command again");
    }
    return err;
}

enum err class_setup_run(struct class_setup *setup, struct note *why)
{
    enum err err = choose_places(setup, why);
    err = err ? err
              : download_open(&setup->download, setup->submissions, setup->owner, setup->on_remark,
                              why);
    return err ? err : fill(setup, why);
}

void class_setup_free(struct class_setup *setup)
{
    class_list_free(&setup->list);
    class_roster_free(&setup->class);
    download_close(&setup->download);
}
