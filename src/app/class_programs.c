#include "app/class_programs.h"

#include <stdio.h>
#include <stdlib.h>

#include "app/first_start.h"
#include "app/python_source.h"
#include "base/cores.h"
#include "base/number.h"
#include "player/player_spec.h"

/* Programs that are started, and whose they are. */
struct class_starts {
    struct first_start *list;
    struct class_team **teams;
    size_t count;
    int *numbers; /* of all of the class: any of them may be used */
    size_t number_count;
};

/* Also where the code is certain, but the names or the list have another number. */
static bool is_unclear(const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    return team->is_ready &&
           (team->protocol == SUBMISSION_UNCLEAR || !team_numbers_are_certain(&team->numbers) ||
            class_roster_names_other(class, index));
}

/* --- The numbers that a program may have --- */

static void add_number(struct class_starts *starts, int64_t number)
{
    if (number >= FIRST_START_NUMBERS && number <= PLAYER_MAX_TEAM) {
        starts->numbers[starts->number_count++] = (int)number;
    }
}

static void add_text(struct class_starts *starts, const char *text)
{
    int64_t number = -1;
    if (!number_read(text, "team", 0, PLAYER_MAX_TEAM, &number, NULL)) {
        add_number(starts, number);
    }
}

static void add_claims(struct class_starts *starts, const struct team_claims *claims)
{
    for (size_t i = 0; i < claims->count; i++) {
        add_text(starts, claims->ids[i]);
    }
}

static void add_numbers(struct class_starts *starts, const struct class_roster *class)
{
    for (size_t i = 0; i < class->count; i++) {
        const struct class_team *team = &class->teams[i];
        add_claims(starts, &team->claims);
        add_claims(starts, &team->student_claims);
        for (size_t k = 0; k < team->numbers.count; k++) {
            add_number(starts, team->numbers.list[k]);
        }
    }
    for (size_t i = 0; i < class->list.count; i++) {
        add_text(starts, class->list.students[i].entry.team_id);
    }
}

/* --- What a start shows --- */

static void take_start(const struct class_roster *class, const struct first_start *start,
                       struct class_team *team)
{
    bool was_unclear = team->protocol == SUBMISSION_UNCLEAR;
    bool has_answered = start->protocol != SUBMISSION_UNCLEAR;
    if (has_answered) {
        team->protocol = start->protocol;
        class_team_take_number(team, start->number);
        team->numbers.is_open = false; /* what it does is more than what its code says */
    }
    if (was_unclear && has_answered) {
        class_team_remark(team, "files or TCP? The source does not say; tried: it uses %s",
                          start->protocol == SUBMISSION_FILES ? "files" : "TCP");
    } else if (was_unclear) {
        team->protocol = class->game->assignment.speaks_files ? SUBMISSION_FILES : SUBMISSION_TCP;
        class_team_remark(team, "files or TCP? The source does not say; tried: it uses neither: %s",
                          start->ending.text);
    }
}

static enum err make_starts(struct class_starts *starts, const struct class_roster *class,
                            struct note *why)
{
    enum { NUMBERS_OF_TEAM = 2 * TEAM_IDS_MAX_CLAIMS + TEAM_NUMBERS_MAX };
    starts->list = calloc(class->count + 1, sizeof *starts->list);
    starts->teams = calloc(class->count + 1, sizeof *starts->teams);
    starts->numbers =
        calloc(class->count * NUMBERS_OF_TEAM + class->list.count + 1, sizeof *starts->numbers);
    if (!starts->list || !starts->teams || !starts->numbers) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    add_numbers(starts, class);
    for (size_t i = 0; i < class->count; i++) {
        struct class_team *team = &class->teams[i];
        if (is_unclear(class, i)) {
            starts->teams[starts->count] = team;
            starts->list[starts->count++] =
                (struct first_start){.command = team->command,
                                     .numbers = starts->numbers,
                                     .number_count = starts->number_count};
        }
    }
    return ERR_NONE;
}

/* --- What is called from outside --- */

void class_programs_parse(const struct class_team_place *place, const struct class_roster *class,
                          struct class_team *team)
{
    const char *python = class->python ? class->python : "python3";
    struct python_source source = {.missing_count = 0};
    char path[PLAYER_TEXT_BYTES];
    if (!team->is_ready || team->language != SUBMISSION_PYTHON) {
        return;
    }
    snprintf(path, sizeof path, "%s/%s/%s", place->copies, team->folder, team->program);
    python_source_examine(path, python, place->compiler->sandbox, &source);
    team->is_ready = !*source.error.text;
    if (!team->is_ready) {
        class_team_remark(team, "it cannot be parsed: %s", source.error.text);
    }
    for (int i = 0; i < source.missing_count && i < PYTHON_SOURCE_MAX_NAMES; i++) {
        class_team_remark(team, "it imports the module %s, which %.60s does not have",
                          source.missing[i], python);
    }
}

enum err class_programs_start(const struct class_team_place *place, struct class_roster *class,
                              struct note *why)
{
    struct class_starts starts = {.count = 0};
    const struct first_start_setup start = {.game = class->game,
                                            .sandbox = place->compiler->sandbox,
                                            .python = class->python,
                                            .at_once = cores_count(),
                                            .stop = place->compiler->stop};
    if (class->game->assignment.is_by_student) {
        return ERR_NONE;
    }
    enum err err = make_starts(&starts, class, why);
    err = err ? err : first_start_run(&start, starts.list, starts.count, why);
    for (size_t i = 0; !err && i < starts.count; i++) {
        take_start(class, &starts.list[i], starts.teams[i]);
    }
    free(starts.numbers);
    free(starts.teams);
    free(starts.list);
    return err;
}
