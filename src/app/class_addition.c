#include "app/class_addition.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "play/qualifier.h"
#include "play/tournament_session.h"
#include "base/atomic_file.h"
#include "base/folder.h"
#include "base/shell_word.h"
#include "course/hand_in_time.h"
#include "course/roster_edit.h"
#include "course/submission.h"
#include "store/tournament_file.h"

static const char of_old[] = "earlier hand-in"; /* before its remarks, which stay */

/* --- The hand-in. --- */

static bool is_called(const struct submission_entry *entry, const char *name)
{
    if ((*entry->person && strcmp(entry->person, name) == 0) ||
        (*entry->participant && strcmp(entry->participant, name) == 0)) {
        return true;
    }
    for (size_t i = 0; i < entry->part_count; i++) {
        if (strcmp(entry->parts[i].file, name) == 0 || strcmp(entry->parts[i].name, name) == 0) {
            return true;
        }
    }
    return false;
}

static enum err refuse_name(const struct submission_folder *list, const char *name, int found,
                            const char *where, struct note *why)
{
    struct note names = {""};
    for (size_t i = 0; i < list->count && strlen(names.text) < 120; i++) {
        if (found == 0 || is_called(&list->entries[i], name)) {
            note_list(names.text, sizeof names.text, "%.60s", list->entries[i].parts[0].file);
        }
    }
    if (found > 1) {
        return note_fail(why, ERR_INPUT, "--add %.60s: %d hand-ins in %.80s are called that: %s",
                         name, found, where, names.text);
    }
    return note_fail(why, ERR_INPUT, "--add %.60s: there is no such hand-in in %.80s; it has %s",
                     name, where, names.text);
}

static enum err find_entry(const struct submission_folder *list, const char *name,
                           const char *where, const struct submission_entry **out, struct note *why)
{
    int found = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (is_called(&list->entries[i], name)) {
            *out = &list->entries[i];
            found++;
        }
    }
    return found == 1 ? ERR_NONE : refuse_name(list, name, found, where, why);
}

/* Without a folder of submissions the hand-in is a path: what is next to it under its name belongs
 * to it, as in a folder of submissions. */
static enum err open_hand_in(struct class_setup *setup, const struct class_addition *addition,
                             const struct submission_entry **out, struct note *why)
{
    char folder[PATH_MAX];
    char name[PATH_MAX];
    struct stat about;
    if (setup->submissions) {
        enum err err = download_open(&setup->download, setup->submissions, setup->owner,
                                     setup->on_remark, why);
        return err ? err
                   : find_entry(&setup->download.list, addition->hand_in, setup->submissions, out,
                                why);
    }
    snprintf(folder, sizeof folder, "%s", addition->hand_in);
    for (size_t length = strlen(folder); length > 1 && folder[length - 1] == '/'; length--) {
        folder[length - 1] = '\0';
    }
    if (lstat(folder, &about) != 0) {
        return note_fail(why, ERR_INPUT, "--add %.150s: %s", addition->hand_in, strerror(errno));
    }
    char *slash = strrchr(folder, '/');
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : folder);
    if (slash) {
        slash[slash == folder] = '\0';
    }
    enum err err =
        download_open(&setup->download, slash ? folder : ".", setup->owner, setup->on_remark, why);
    return err ? err : find_entry(&setup->download.list, name, slash ? folder : ".", out, why);
}

/* --- The roster. --- */

/* The class as it is: its file and what it says. */
struct existing_class {
    char *text;
    struct roster roster;
    int lock; /* the folder of copies, so that two do not change it at once; -1: not open */
};

static enum err open_class(struct class_setup *setup, const struct class_addition *addition,
                           struct existing_class *out, struct roster_problems *problems,
                           struct note *why)
{
    enum err err = tournament_file_read_roster(setup->roster, addition->cpu, &out->text,
                                               &out->roster, problems, why);
    if (!err && out->roster.game != setup->class.game) {
        err = note_fail(why, ERR_INPUT, "%.150s is a roster of %s, not of %s", setup->roster,
                        out->roster.game->name, setup->class.game->name);
    }
    err = err ? err : class_copies_locate(&setup->copies, setup->roster, why);
    err = err ? err : folder_make(setup->copies.path, 0755, why);
    if (err) {
        return err;
    }
    out->lock = open(setup->copies.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (out->lock < 0 || flock(out->lock, LOCK_EX | LOCK_NB) != 0) {
        return note_fail(why, ERR_ENVIRONMENT, "%.150s: %s", setup->copies.path,
                         errno == EWOULDBLOCK ? "another plum tournament init changes this class"
                                              : strerror(errno));
    }
    return ERR_NONE;
}

static void close_class(struct existing_class *class)
{
    if (class->lock >= 0) {
        close(class->lock);
    }
    roster_free(&class->roster);
    free(class->text);
}

/* What the class was made with. */
static enum err take_rules(struct class_setup *setup, const struct roster *roster, struct note *why)
{
    setup->limits.memory_bytes = roster->rules.memory_bytes;
    setup->class.python = roster->rules.python[0] ? roster->rules.python : NULL;
    return !setup->deadline_s && roster->deadline[0]
               ? hand_in_time_read(roster->deadline, &setup->deadline_s, why)
               : ERR_NONE;
}

/* --- The copy. --- */

static enum err prepare(struct class_setup *setup, const struct submission_entry *entry,
                        const struct roster *roster, struct note *why)
{
    enum err err = ERR_NONE;
    if (setup->list.count) {
        class_list_take_teams(&setup->list, roster);
    } else {
        err = class_list_of_roster(roster, &setup->list, why);
    }
    return err ? err : class_setup_prepare(setup, entry, 1, why);
}

static void remove_copy(const struct class_setup *setup)
{
    char path[2 * PATH_MAX];
    const struct class_team *team = setup->class.teams;
    if (team->folder[0]) {
        snprintf(path, sizeof path, "%s/%s", setup->copies.path, team->folder);
        folder_remove(path);
    }
}

/* --- The new roster. --- */

static char *edit(char *take_text, const struct roster_edit *change)
{
    char *edited = take_text ? roster_edit_apply(take_text, change) : NULL;
    free(take_text);
    return edited;
}

/* The lines that `write` writes; NULL: no memory. The caller frees. */
static char *lines_of(void (*write)(FILE *out, const struct class_roster *class, size_t index),
                      const struct class_roster *class, size_t index)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) {
        return NULL;
    }
    write(out, class, index);
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static char *edit_team(const struct class_roster *class, bool is_replacement, char *take_text)
{
    const char *replaced[CLASS_ROSTER_HAND_IN_KEYS];
    class_roster_hand_in_keys(class_roster_has_time(class, 0), replaced);
    char *comments = lines_of(class_roster_write_remarks, class, 0);
    char *lines =
        lines_of(is_replacement ? class_roster_write_hand_in : class_roster_write_team, class, 0);
    char *edited = NULL;
    if (comments && lines) {
        const struct roster_edit change = {.kind = "team",
                                           .id = class->ids[0].id,
                                           .replaced = replaced,
                                           .comments = comments,
                                           .lines = lines,
                                           .name_of_old = of_old};
        edited = edit(take_text, &change);
    } else {
        free(take_text);
    }
    free(comments);
    free(lines);
    return edited;
}

/* Its members that the roster does not have, or has without a team. */
static char *edit_students(const struct class_roster *class, const struct roster *roster,
                           char *take_text)
{
    static const char *const team_only[] = {"team", NULL};
    for (size_t i = 0; take_text && i < class->list.count; i++) {
        const struct roster_student *student = &class->list.students[i].entry;
        const struct roster_student *known = roster_find_student(roster, student->id);
        bool has_another_team =
            student->team_id[0] && strcmp(student->team_id, class->ids[0].id) != 0;
        bool is_in_it = known && strcmp(known->team_id, class->ids[0].id) == 0;
        if (class->student_teams[i] != 0 || has_another_team || is_in_it) {
            continue;
        }
        char team[ROSTER_ID_BYTES + 16];
        char *all = known ? NULL : lines_of(class_roster_write_student, class, i);
        snprintf(team, sizeof team, "team = %s\n", class->ids[0].id);
        const struct roster_edit change = {.kind = "student",
                                           .id = student->id,
                                           .replaced = team_only,
                                           .comments = "",
                                           .lines = known ? team : all};
        if (known || all) {
            take_text = edit(take_text, &change);
        } else {
            free(take_text);
            take_text = NULL;
        }
        free(all);
    }
    return take_text;
}

/* What it would be must be a roster: it is replaced as a whole. */
static enum err write_roster(const struct class_setup *setup, const struct class_addition *addition,
                             const char *text, struct note *why)
{
    struct roster roster = {0};
    struct roster_problems *problems = calloc(1, sizeof *problems);
    struct atomic_file file;
    if (!problems) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    enum err err = roster_read(text, strlen(text), addition->cpu, &roster, problems);
    if (err) {
        note_set(why, "%.100s would not be a roster any more: %.200s", setup->roster,
                 problems->list[0].text);
    }
    free(problems);
    roster_free(&roster);
    err = err ? err : atomic_file_open(&file, setup->roster, why);
    if (err) {
        return err;
    }
    (void)fputs(text, file.stream);
    return atomic_file_commit(&file, why);
}

/* "class.files/7" of "tcp:7:class.files/7/plum-agent". */
static void find_earlier(const struct class_setup *setup, const struct roster_team *team,
                         char out[ROSTER_PATH_BYTES])
{
    const char *text = team->source[0] ? team->source : team->player;
    const char *at = strstr(text, setup->copies.name);
    size_t length = strlen(setup->copies.name);
    if (at && at[length] == '/') {
        length += 1 + strcspn(at + length + 1, "/ ");
        snprintf(out, ROSTER_PATH_BYTES, "%.*s", (int)length, at);
    }
}

static enum err change_roster(struct class_setup *setup, struct class_addition *addition,
                              const struct existing_class *existing, struct note *why)
{
    struct class_roster *class = &setup->class;
    int team = -1;
    enum err err = class_roster_find_place(class, &existing->roster, addition->team, &team, why);
    if (err) {
        return err;
    }
    addition->is_replacement = team >= 0;
    if (team >= 0) {
        addition->keeps_days_late =
            !class_roster_has_time(class, 0) &&
            (existing->roster.deadline[0] || existing->roster.teams[team].days_late);
        find_earlier(setup, &existing->roster.teams[team], addition->earlier);
    }
    char *text = strdup(existing->text);
    text = text ? edit_team(class, addition->is_replacement, text) : NULL;
    text = text && class->student_teams ? edit_students(class, &existing->roster, text) : text;
    if (text) {
        err = write_roster(setup, addition, text, why);
    } else {
        err = note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    free(text);
    return err;
}

enum err class_addition_run(struct class_setup *setup, struct class_addition *addition,
                            struct roster_problems *problems, struct note *why)
{
    const struct submission_entry *entry = NULL;
    struct existing_class existing = {.lock = -1};
    problems->count = 0;
    enum err err = open_class(setup, addition, &existing, problems, why);
    err = err ? err : take_rules(setup, &existing.roster, why);
    err = err ? err : open_hand_in(setup, addition, &entry, why);
    err = err ? err : class_roster_init(&setup->class, existing.roster.name, 1, why);
    if (!err) {
        err = prepare(setup, entry, &existing.roster, why);
        err = err ? err : change_roster(setup, addition, &existing, why);
        if (err) {
            remove_copy(setup);
        }
    }
    if (err == ERR_INTERRUPTED) {
        note_set(why, "interrupted: %.150s is as it was; run the same command again",
                 setup->roster);
    }
    setup->class.python = NULL; /* it was the roster's */
    close_class(&existing);
    return err;
}

/* --- How to go on. --- */

void class_addition_advise(const char *roster, const char *id, enum cpu_level cpu, struct note *out)
{
    char database[TOURNAMENT_SESSION_PATH_BYTES];
    char word[200];
    struct tournament_file file = {0};
    struct note reason;
    tournament_session_find(roster, NULL, database);
    if (!database[0]) {
        note_set(out, "Next: plum tournament check %.200s", shell_word(roster, word, sizeof word));
        return;
    }
    shell_word(database, word, sizeof word);
    enum err err = tournament_file_open(&file, database, STORE_READ, cpu, &reason);
    int team = err ? -1 : roster_find(&file.roster, id);
    if (!err && team < 0 && !tournament_refuse_entry(&file.tournament, &reason)) {
        note_set(out,
                 "The tournament in %.100s has begun without it. Next, when it does not run: plum "
                 "tournament enter %.100s %.31s --reason TEXT",
                 database, word, id);
    } else if (!err && team >= 0 && !qualifier_refuse_again(&file.tournament, &reason)) {
        note_set(out,
                 "The tournament in %.100s still has the earlier hand-in. Next, when it does not "
                 "run: plum tournament qualify %.100s --again %.31s --reason TEXT",
                 database, word, id);
    } else {
        note_set(out,
                 "The tournament in %.80s does not take it: %.100s. It counts for a new one: plum "
                 "tournament run %.80s --db FILE",
                 database, reason.text, roster);
    }
    tournament_file_close(&file);
}
