#include "app/class_setup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/class_programs.h"
#include "play/sandbox_setup.h"
#include "base/file.h"
#include "base/folder.h"
#include "course/report_pages.h"

/* --- Submissions --- */

static enum err prepare_team(struct class_setup *setup, const struct class_team_place *place,
                             const struct submission_entry *entry, struct note *why)
{
    struct class_roster *class = &setup->class;
    struct class_team *team = &class->teams[class->count];
    char folder[ROSTER_ID_BYTES];
    class_copies_name_folder(&setup->copies, entry, folder, sizeof folder);
    enum err err = class_team_prepare(place, entry, folder, team, why);
    if (!err) {
        class->count++;
        class_programs_parse(place, class, team);
    }
    return !err && atomic_load(setup->stop) ? ERR_INTERRUPTED : err;
}

static enum err prepare_teams(struct class_setup *setup, const char *submissions,
                              const struct submission_entry *entries, size_t count,
                              struct note *why)
{
    struct class_roster *class = &setup->class;
    struct sandbox sandbox;
    enum err err =
        sandbox_setup_for_compilers(setup->sandbox, setup->owner, setup->on_remark, &sandbox, why);
    const struct compiler_options compiler = {.sandbox = &sandbox, .stop = setup->stop};
    const struct class_team_place place = {submissions, setup->copies.name, class->game, &compiler};
    const char *lack = class->game->assignment.max_report_pages ? report_pages_lack() : NULL;
    if (!err && lack && setup->on_remark) {
        setup->on_remark(setup->owner, lack);
    }
    for (size_t i = 0; !err && i < count; i++) {
        if (setup->on_team) {
            setup->on_team(setup->owner, (int)i, (int)count);
        }
        err = prepare_team(setup, &place, &entries[i], why);
    }
    if (!err && setup->list.count) {
        err = class_roster_take_list(class, &setup->list, setup->deadline_s, why);
    }
    sandbox.limits = setup->limits;
    return err ? err : class_programs_start(&place, class, why);
}

enum err class_setup_prepare(struct class_setup *setup, const struct submission_entry *entries,
                             size_t count, struct note *why)
{
    char submissions[PATH_MAX];
    int back = -1;
    if (!realpath(setup->download.folder, submissions)) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot read %.150s: %s", setup->download.folder,
                         strerror(errno));
    }
    enum err err = folder_enter_of(setup->roster, &back, why);
    err = err ? err : prepare_teams(setup, submissions, entries, count, why);
    return folder_return(back, err, why);
}

/* --- Files --- */

static bool exists(const char *path)
{
    struct stat about;
    return lstat(path, &about) == 0;
}

static enum err choose_places(struct class_setup *setup, struct note *why)
{
    enum err err = class_copies_locate(&setup->copies, setup->roster, why);
    const char *in_the_way = exists(setup->roster)        ? setup->roster
                             : exists(setup->copies.path) ? setup->copies.path
                                                          : NULL;
    if (!err && in_the_way) {
        err = note_fail(why, ERR_INPUT,
                        "%.150s exists already: remove it or choose another roster; --add changes "
                        "one that exists",
                        in_the_way);
    }
    return err;
}

/* So that marks can be written into it later. It has names and addresses. */
static enum err copy_list(struct class_setup *setup, struct note *why)
{
    char path[PATH_MAX + 32];
    size_t bytes = 0;
    snprintf(path, sizeof path, "%s/students.csv", setup->copies.path);
    char *text = file_read_head(setup->list_path, CLASS_LIST_MAX_BYTES, &bytes);
    bool is_written = text && file_write(path, "wx", text, bytes) && chmod(path, 0600) == 0;
    free(text);
    if (!is_written) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot copy %.150s to %.150s: %s", setup->list_path,
                         path, strerror(errno));
    }
    snprintf(setup->class.students_file, sizeof setup->class.students_file, "%.480s/students.csv",
             setup->copies.name);
    return ERR_NONE;
}

static enum err fill(struct class_setup *setup, struct note *why)
{
    char folder[PATH_MAX];
    char title[NAME_MAX + 1];
    struct class_roster *class = &setup->class;
    const struct submission_folder *list = &setup->download.list;
    if (list->count > ROSTER_MAX_TEAMS) {
        return note_fail(why, ERR_INPUT, "more than %d submissions in %.150s", ROSTER_MAX_TEAMS,
                         setup->submissions);
    }
    submission_stem(realpath(setup->submissions, folder) ? folder : "", title, sizeof title);
    enum err err = class_roster_init(class, *title ? title : class->game->name, list->count, why);
    if (err) {
        return err;
    }
    if (mkdir(setup->copies.path, 0755) != 0) {
        return note_fail(why, ERR_ENVIRONMENT, "cannot make the folder %.150s: %s",
                         setup->copies.path, strerror(errno));
    }
    err = setup->list_path ? copy_list(setup, why) : ERR_NONE;
    err = err ? err : class_setup_prepare(setup, list->entries, list->count, why);
    err = err ? err : class_roster_assign_ids(class, why);
    err = err ? err : class_roster_write(class, setup->roster, why);
    if (err) {
        folder_remove(setup->copies.path);
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
