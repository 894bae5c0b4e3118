#include "course/class_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static int find_team(const struct roster *roster, const struct roster_student *student)
{
    int team = student->team_id[0] ? roster_find(roster, student->team_id) : -1;
    if (team < 0) {
        team = roster_find(roster, student->id);
    }
    for (int i = 0; team < 0 && i < roster->student_count; i++) {
        if (strcmp(roster->students[i].id, student->id) == 0) {
            team = roster->students[i].team;
        }
    }
    for (int i = 0; team < 0 && student->name[0] && i < roster->team_count; i++) {
        team = strcmp(roster->teams[i].name, student->name) == 0 ? i : -1;
    }
    return team;
}

/* The members' names, and the latest time at which one of them handed in. */
static void fill_team(struct book *book, const struct class_list *list,
                      const struct roster_student *students, int index, int64_t deadline_s)
{
    struct roster_team *team = &book->roster.teams[index];
    char names[4 * ROSTER_NAME_BYTES] = "";
    int days = 0;
    bool has_time = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct class_student *student = &list->students[i];
        size_t used = strlen(names);
        if (students[i].team != index) {
            continue;
        }
        snprintf(names + used, sizeof names - used, "%s%.100s", used ? ", " : "", students[i].name);
        if (deadline_s && student->has_time) {
            int own = class_list_days_late(student->handed_in_s, deadline_s);
            days = own > days ? own : days;
            has_time = true;
        }
    }
    if (*names) {
        utf8_clean(names, team->name, sizeof team->name);
    }
    if (has_time && !book->teams[index].rulings[RULING_DAYS_LATE].text[0]) {
        team->days_late = days;
    }
}

enum err class_members_fill(struct book *book, const struct class_list *list, int64_t deadline_s,
                            struct note *why)
{
    struct roster *roster = &book->roster;
    struct roster_student *students = calloc(list->count ? list->count : 1, sizeof *students);
    if (!students) {
        note_set(why, "out of memory");
        return ERR_ENVIRONMENT;
    }
    for (size_t i = 0; i < list->count; i++) {
        students[i] = list->students[i].entry;
        students[i].team = find_team(roster, &students[i]);
    }
    for (int i = 0; i < roster->team_count; i++) {
        fill_team(book, list, students, i, deadline_s);
    }
    free(roster->students);
    roster->students = students;
    roster->student_count = (int)list->count;
    return ERR_NONE;
}
