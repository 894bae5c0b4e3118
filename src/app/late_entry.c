#include "app/late_entry.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "play/entrants.h"
#include "course/roster_change.h"
#include "course/roster_edit.h"

/* Whether a team can enter now. */
static enum err refuse_entry(const struct tournament *t, const char *id, struct note *why)
{
    if (roster_find(t->roster, id) >= 0) {
        return note_fail(why, ERR_NEGATIVE, "team %.40s takes part already", id);
    }
    enum err err = tournament_refuse_entry(t, why);
    if (err) {
        note_prefix(why, "team %.40s cannot enter", id);
    }
    return err;
}

/* The section as the file has it, without the key that is written here. */
static void write_section(FILE *out, const char *text, const char *kind, const char *id)
{
    static const char *const own[] = {"entered_after", NULL};
    roster_edit_write(out, text, kind, id, own, true);
}

/* Those of the team that the tournament does not know. */
static void write_students(FILE *out, const char *text, const struct roster *now,
                           const struct roster *then, int team)
{
    for (int i = 0; i < now->student_count; i++) {
        const struct roster_student *student = &now->students[i];
        if (student->team == team && !roster_find_student(then, student->id)) {
            write_section(out, text, "student", student->id);
        }
    }
}

/* The roster of the tournament with the team. The caller frees; NULL: no memory. */
static char *compose(const struct tournament_file *file, const struct roster *now, const char *text,
                     int team)
{
    char *composed = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&composed, &bytes);
    if (!out) {
        return NULL;
    }
    fputs(store_roster(file->store), out);
    write_section(out, text, "team", now->teams[team].id);
    fprintf(out, "entered_after = %d\n", file->tournament.rounds_paired);
    write_students(out, text, now, &file->roster, team);
    if (fclose(out) != 0) {
        free(composed);
        composed = NULL;
    }
    return composed;
}

static enum err store_team(const struct tournament_file *file, const char *id, const char *text,
                           const char *reason, enum cpu_level cpu, struct roster_problems *problems,
                           struct note *why)
{
    struct roster roster = {0};
    enum err err = roster_read(text, strlen(text), cpu, &roster, problems);
    if (err) {
        note_set(why, "team %.40s cannot enter: in the roster with it, %.200s", id,
                 problems->list[0].text);
        problems->count = 0; /* their lines are not those of a file */
    } else {
        err = store_enter(file->store, roster_find(&roster, id), &roster, text, reason, why);
    }
    roster_free(&roster);
    return err;
}

enum err late_entry_add(const struct tournament_file *file, const char *path, const char *id,
                        const char *reason, enum cpu_level cpu, struct roster_problems *problems,
                        struct note *why)
{
    char name[NAME_MAX + 1];
    char usual[PATH_MAX];
    char *text = NULL;
    char *composed = NULL;
    struct roster now = {0};
    problems->count = 0;
    roster_change_path(file->store, name, usual);
    path = path ? path : usual;
    enum err err = refuse_entry(&file->tournament, id, why);
    if (err || (err = tournament_file_read_roster(path, cpu, &text, &now, problems, why))) {
        goto out;
    }
    int team = roster_find(&now, id);
    if (team < 0 || roster_is_reference(&now, team)) {
        err =
            note_fail(why, ERR_INPUT, "%.150s has no section [team %.40s]: add it first", path, id);
        goto out;
    }
    if (file->roster.refuses_late && now.teams[team].days_late > 0) {
        err = note_fail(why, ERR_NEGATIVE,
                        "team %.40s cannot enter: it was handed in late, and late_hand_ins = "
                        "refuse; to let it play, remove days_late in %.150s",
                        id, path);
        goto out;
    }
    err = entrants_refuse_missing(&now, team, path, store_folder(file->store), problems, why);
    if (err) {
        goto out;
    }
    composed = compose(file, &now, text, team);
    if (!composed) {
        err = note_fail(why, ERR_ENVIRONMENT, "no memory for the roster");
        goto out;
    }
    err = store_team(file, id, composed, reason, cpu, problems, why);
out:
    free(composed);
    roster_free(&now);
    free(text);
    return err;
}
