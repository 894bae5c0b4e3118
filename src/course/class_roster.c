#include "course/class_roster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/atomic_file.h"
#include "base/number.h"
#include "base/utf8.h"
#include "course/hand_in_time.h"
#include "course/other_language.h"
#include "course/program.h"
#include "player/player_spec.h"
#include "tournament/team_order.h"

enum err class_roster_init(struct class_roster *class, const char *title, size_t room,
                           struct note *why)
{
    class->teams = calloc(room, sizeof *class->teams);
    class->ids = calloc(room, sizeof *class->ids);
    class->order = calloc(room, sizeof *class->order);
    if (!class->teams || !class->ids || !class->order) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    utf8_clean(title, class->title, sizeof class->title);
    return ERR_NONE;
}

void class_roster_free(struct class_roster *class)
{
    free(class->student_teams);
    free(class->senders);
    class_list_free(&class->list);
    free(class->order);
    free(class->ids);
    free(class->teams);
    *class = (struct class_roster){0};
}

const char *class_roster_state(const struct class_team *team)
{
    return team->is_ready                            ? team->build_log[0] ? "built" : "ready"
           : team->language == SUBMISSION_NO_PROGRAM ? "no program"
           : team->language == SUBMISSION_PYTHON     ? "syntax error"
                                                     : "does not compile";
}

/* --- The list of participants. --- */

/* The student that submitted it: known to the platform, or by a student's number in a name. */
static const struct class_student *find_sender(const struct class_list *list,
                                               const struct class_team *team)
{
    const struct class_student *sender = class_list_find(list, team->participant, "", team->person);
    for (size_t i = 0; !sender && i < team->claims.count; i++) {
        sender = class_list_find(list, "", team->claims.ids[i], "");
    }
    for (size_t i = 0; !sender && i < team->student_claims.count; i++) {
        sender = class_list_find(list, "", team->student_claims.ids[i], "");
    }
    return sender ? sender : class_list_find(list, "", "", team->name);
}

enum err class_roster_take_list(struct class_roster *class, struct class_list *list,
                                int64_t deadline_s, struct note *why)
{
    class->senders = calloc(class->count ? class->count : 1, sizeof *class->senders);
    class->student_teams = calloc(list->count ? list->count : 1, sizeof *class->student_teams);
    if (!class->senders || !class->student_teams) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    class->list = *list;
    *list = (struct class_list){0};
    class->deadline_s = deadline_s;
    for (size_t i = 0; i < class->count; i++) {
        class->senders[i] = find_sender(&class->list, &class->teams[i]);
    }
    return ERR_NONE;
}

static void add_claims(struct team_claims *claims, const struct team_claims *more)
{
    for (size_t i = 0; i < more->count; i++) {
        team_claims_add(claims, more->ids[i]);
    }
}

/* The list has priority over everything in the files; the number that the program uses is the
 * weakest evidence. */
static struct team_claims collect_claims(const struct class_roster *class, size_t index,
                                         bool has_number)
{
    const struct class_student *sender = class->senders ? class->senders[index] : NULL;
    const struct class_team *team = &class->teams[index];
    bool by_student = class->game->assignment.is_by_student;
    struct team_claims claims = {0};
    const char *id = !sender                    ? ""
                     : sender->entry.team_id[0] ? sender->entry.team_id
                     : by_student               ? sender->entry.id
                                                : "";
    team_claims_add(&claims, id);
    add_claims(&claims, &team->claims);
    if (has_number && !by_student && team->has_number && team->number >= 0) {
        char number[ROSTER_ID_BYTES];
        snprintf(number, sizeof number, "%d", team->number);
        team_claims_add(&claims, number);
    }
    add_claims(&claims, &team->student_claims);
    snprintf(claims.exact, sizeof claims.exact, "%s", *id ? id : team->claims.exact);
    return claims;
}

static struct team_claims claims_of(const struct class_roster *class, size_t index)
{
    return collect_claims(class, index, true);
}

/* -1: the id is not a number. */
static int number_of_id(const char *id)
{
    int64_t number = 0;
    return number_read(id, "team", 0, PLAYER_MAX_TEAM, &number, NULL) ? -1 : (int)number;
}

bool class_roster_names_other(const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    const struct team_claims claims = collect_claims(class, index, false);
    bool has_team = claims.count > team->student_claims.count;
    return has_team && number_of_id(claims.ids[0]) != team->number;
}

static int find_id(const struct class_roster *class, const char *id)
{
    for (size_t i = 0; i < class->count; i++) {
        if (strcmp(class->ids[i].id, id) == 0) {
            return (int)i;
        }
    }
    return -1;
}

static void join_teams(struct class_roster *class)
{
    const struct class_list *list = &class->list;
    for (size_t i = 0; i < list->count; i++) {
        const char *team = list->students[i].entry.team_id;
        class->student_teams[i] = *team ? find_id(class, team) : -1;
    }
    for (size_t i = 0; i < class->count; i++) {
        if (class->senders[i]) {
            int *own = &class->student_teams[class->senders[i] - list->students];
            *own = *own < 0 ? (int)i : *own;
        }
    }
}

/* When a team submitted: the time of the sender, or else of its last member. */
static bool find_time(const struct class_roster *class, size_t team, int64_t *out_s)
{
    const struct class_student *sender = class->senders ? class->senders[team] : NULL;
    bool has_time = sender && sender->has_time;
    *out_s = has_time ? sender->submitted_s : 0;
    for (size_t i = 0; !(sender && sender->has_time) && i < class->list.count; i++) {
        const struct class_student *student = &class->list.students[i];
        if (class->student_teams[i] == (int)team && student->has_time) {
            *out_s = !has_time || student->submitted_s > *out_s ? student->submitted_s : *out_s;
            has_time = true;
        }
    }
    return has_time;
}

static void fill_from_list(struct class_roster *class, size_t index)
{
    struct class_team *team = &class->teams[index];
    char names[4 * ROSTER_NAME_BYTES] = "";
    int64_t time_s = 0;
    for (size_t i = 0; i < class->list.count; i++) {
        if (class->student_teams[i] == (int)index) {
            note_list(names, sizeof names, "%.100s", class->list.students[i].entry.name);
        }
    }
    if (*names) {
        utf8_clean(names, team->name, sizeof team->name);
    } else {
        class_team_remark(team, "no student of the list belongs to it");
    }
    if (class->deadline_s && find_time(class, index, &time_s)) {
        team->days_late = hand_in_days_late(time_s, class->deadline_s);
    }
    if (team->days_late) {
        char times[2][HAND_IN_TIME_BYTES];
        hand_in_time_write(time_s, times[0]);
        hand_in_time_write(class->deadline_s, times[1]);
        class_team_remark(team, "%d day%s late: handed in %s, deadline %s%s", team->days_late,
                          team->days_late == 1 ? "" : "s", times[0], times[1],
                          class->game->assignment.refuses_late
                              ? "; this assignment accepts no late submissions"
                              : "");
    }
}

size_t class_roster_absent(const struct class_roster *class)
{
    size_t absent = 0;
    for (size_t i = 0; i < class->list.count; i++) {
        absent += class->student_teams[i] < 0;
    }
    return absent;
}

/* --- Ids. --- */

/* Two that claim the same may be one team's first and second try: a person must decide. */
static void remark_on_rival(struct class_roster *class, size_t index)
{
    struct class_team *team = &class->teams[index];
    const struct team_id *id = &class->ids[index];
    const struct team_claims claims = claims_of(class, index);
    const char *claim = claims.count ? claims.ids[0] : "";
    if (id->rival < 0) {
        if (id->is_free) {
            class_team_remark(team, "no team number is known: its id here is %s", id->id);
        }
        return;
    }
    struct class_team *rival = &class->teams[id->rival];
    if (id->is_free) {
        class_team_remark(team,
                          "also claims to be %s, as %s does: its id here is %s; keep one of them",
                          claim, rival->submitted_as, id->id);
        class_team_remark(rival, "%s also claims to be %s: keep one of them", team->submitted_as,
                          claim);
        class->doubles++;
    } else if (class->game->assignment.is_by_student) {
        class_team_remark(team,
                          "also claims to be %s, as %s does: its id here is %s, from its name",
                          claim, rival->submitted_as, id->id);
    }
}

/* Its own number is the one that the team has, if its code has it at all; else the first. */
static int assumed_number(const struct class_team *team, int id)
{
    return id >= 0 && team_numbers_have(&team->numbers, id) ? id : team->numbers.list[0];
}

static void ask_for_number(struct class_team *team, int id)
{
    struct note list = {""};
    for (size_t i = 0; i < team->numbers.count; i++) {
        note_list(list.text, sizeof list.text, "%d", team->numbers.list[i]);
    }
    class_team_remark(team,
                      "which number does it use, %s? Its code has all of them; the roster has %d: "
                      "look at its source and correct the player",
                      list.text, assumed_number(team, id));
}

/* Its code also sets the number in another way, and its first start did not show it. */
static void ask_about_number(struct class_team *team)
{
    class_team_remark(team,
                      "which number does it use? Its code has %d, but may set another one: look at "
                      "its source and correct the player",
                      team->number);
}

/* The number that a program uses need not be its team's. */
static void remark_on_number(struct class_roster *class, size_t index)
{
    struct class_team *team = &class->teams[index];
    char sent[ROSTER_ID_BYTES];
    int id = number_of_id(class->ids[index].id);
    snprintf(sent, sizeof sent, "%d", team->number);
    if (!team->has_number && team->numbers.count > 1) {
        ask_for_number(team, id);
    } else if (team->has_number && team->number >= 0 && team->numbers.is_open && team->is_ready) {
        ask_about_number(team);
    }
    if (!team->has_number || team->number == id) {
        return;
    }
    team->has_wrong_number = true;
    int owner = team->number < 0 ? -1 : find_id(class, sent);
    if (team->number < 0) {
        class_team_remark(team, "its idTeam is -1: it was never set");
    } else if (owner >= 0) {
        class_team_remark(team, "its program uses the number %s: that is another team, %s", sent,
                          class->teams[owner].submitted_as);
    } else {
        class_team_remark(team, "its program uses the number %s, not %s", sent,
                          class->ids[index].id);
    }
}

static void sort_teams(struct class_roster *class)
{
    for (size_t i = 0; i < class->count; i++) {
        size_t at = i;
        while (at > 0 &&
               team_order_compare(class->ids[i].id, class->ids[class->order[at - 1]].id) < 0) {
            class->order[at] = class->order[at - 1];
            at--;
        }
        class->order[at] = i;
    }
}

enum err class_roster_assign_ids(struct class_roster *class, struct note *why)
{
    bool by_student = class->game->assignment.is_by_student;
    struct team_claims *claims = calloc(class->count ? class->count : 1, sizeof *claims);
    if (!claims) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    for (size_t i = 0; i < class->count; i++) {
        claims[i] = claims_of(class, i);
    }
    enum err err = team_ids_assign(claims, class->count, !by_student, class->ids, why);
    free(claims);
    if (!err) {
        sort_teams(class);
    }
    if (!err && class->list.count) {
        join_teams(class);
    }
    for (size_t i = 0; !err && i < class->count; i++) {
        if (class->list.count) {
            fill_from_list(class, i);
        }
        remark_on_rival(class, i);
        if (!by_student) {
            remark_on_number(class, i);
        }
    }
    return err;
}

/* --- A place in a roster that exists. --- */

static int find_team(const struct roster *roster, const char *id)
{
    int team = roster_find(roster, id);
    return team >= 0 && roster_is_reference(roster, team) ? -1 : team;
}

/* One more than the largest number that is an id there. */
static void free_id(const struct roster *roster, char out[ROSTER_ID_BYTES])
{
    int largest = 0;
    for (int i = 0; i < roster->team_count; i++) {
        int number = number_of_id(roster->teams[i].id);
        largest = number > largest ? number : largest;
    }
    snprintf(out, ROSTER_ID_BYTES, "%d", largest + 1);
}

/* A number in the code is enough for a new team, but not to replace what another one handed in. */
static enum err refuse_number(const struct class_roster *class, const struct roster *roster,
                              struct note *why)
{
    const struct class_team *team = &class->teams[0];
    char number[ROSTER_ID_BYTES];
    snprintf(number, sizeof number, "%d", team->number);
    if (class->game->assignment.is_by_student || !team->has_number || team->number < 0 ||
        find_team(roster, number) < 0) {
        return ERR_NONE;
    }
    return note_fail(why, ERR_NEGATIVE,
                     "whose hand-in is %.60s? Its program uses the number %s, but neither a name "
                     "nor the list says that it is of team %s; use --team %s, or another id",
                     team->submitted_as, number, number, number);
}

enum err class_roster_find_place(struct class_roster *class, const struct roster *roster,
                                 const char *wish, int *out, struct note *why)
{
    const struct team_claims names = collect_claims(class, 0, false);
    const struct team_claims all = claims_of(class, 0);
    struct team_id *id = &class->ids[0];
    int team = wish ? find_team(roster, wish) : -1;
    for (size_t i = 0; !wish && team < 0 && i < names.count; i++) {
        team = find_team(roster, names.ids[i]);
    }
    enum err err = wish || team >= 0 ? ERR_NONE : refuse_number(class, roster, why);
    if (err) {
        return err;
    }
    *id = (struct team_id){.rival = -1};
    if (team >= 0 || wish || all.count) {
        snprintf(id->id, sizeof id->id, "%s",
                 team >= 0 ? roster->teams[team].id
                 : wish    ? wish
                           : all.ids[0]);
    } else {
        free_id(roster, id->id);
        class_team_remark(&class->teams[0], "no team number is known: its id here is %s", id->id);
    }
    if (class->list.count) {
        join_teams(class);
        fill_from_list(class, 0);
    }
    if (!class->game->assignment.is_by_student) {
        remark_on_number(class, 0);
    }
    *out = team;
    return ERR_NONE;
}

/* --- The file. --- */

static void write_player_line(FILE *out, const struct class_roster *class, size_t index,
                              const char *command)
{
    const struct class_team *team = &class->teams[index];
    const char *id = class->ids[index].id;
    char number[ROSTER_ID_BYTES];
    char player[2 * PLAYER_TEXT_BYTES];
    snprintf(number, sizeof number, "%s", id);
    if (team->has_number || team->numbers.count > 1) {
        snprintf(number, sizeof number, "%d",
                 team->has_number ? team->number : assumed_number(team, number_of_id(id)));
    }
    program_write_player(class->game, team->protocol, number, command, player, sizeof player);
    fprintf(out, "player = %s\n", player);
}

static void write_player(FILE *out, const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    if (team->source[0]) {
        fprintf(out, "source = %s\n", team->source);
    } else if (team->command[0]) {
        write_player_line(out, class, index, team->command);
    }
}

/* How a program can play that was neither built nor started here. */
static void write_other(FILE *out, const struct class_roster *class, size_t index)
{
    const char *source = class->teams[index].other;
    const struct other_language *language = other_language_of(source);
    char command[2 * PLAYER_TEXT_BYTES];
    fprintf(out, "# %s is %s, which init does not %s. ", strrchr(source, '/') + 1, language->name,
            *language->build ? "build" : "start");
    if (*language->build) {
        other_language_write(language->build, source, command, sizeof command);
        fprintf(out, "Run this in the roster's folder:\n#     %s\n# Then ", command);
    }
    fprintf(out, "%s this in place of no_program:\n# ", *language->build ? "write" : "Write");
    other_language_write(language->start, source, command, sizeof command);
    write_player_line(out, class, index, command);
}

/* These signs would begin a comment. */
static void write_text(FILE *out, const char *key, const char *text)
{
    if (!*text) {
        return;
    }
    fprintf(out, "%s = ", key);
    for (; *text; text++) {
        fputc(*text == ';' || *text == '#' ? '_' : *text, out);
    }
    fputc('\n', out);
}

bool class_roster_has_time(const struct class_roster *class, size_t index)
{
    int64_t time_s = 0;
    return find_time(class, index, &time_s);
}

void class_roster_write_remarks(FILE *out, const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    if (!team->is_ready) {
        fprintf(out, "# %s\n", class_roster_state(team));
    }
    for (int i = 0; i < team->remark_count && i < CLASS_TEAM_MAX_REMARKS; i++) {
        fprintf(out, "# %s\n", team->remarks[i].text);
    }
    if (team->other[0]) {
        write_other(out, class, index);
    }
}

void class_roster_write_hand_in(FILE *out, const struct class_roster *class, size_t index)
{
    const struct class_team *team = &class->teams[index];
    char time[HAND_IN_TIME_BYTES];
    int64_t time_s = 0;
    write_player(out, class, index);
    if (team->build_log[0]) {
        fprintf(out, "build_log = %s\n", team->build_log);
    }
    write_text(out, "no_program", team->no_program);
    if (team->has_wrong_name) {
        fputs("wrong_name = yes\n", out);
        write_text(out, "wrong_files", team->wrong_files);
    }
    if (team->lacks_report) {
        fputs("missing_report = yes\n", out);
        write_text(out, "files", team->files);
    }
    if (team->report_pages > 0) {
        fprintf(out, "report_pages = %d\n", team->report_pages);
    }
    if (team->days_late) {
        fprintf(out, "days_late = %d\n", team->days_late);
    }
    if (find_time(class, index, &time_s)) {
        hand_in_time_write(time_s, time);
        fprintf(out, "handed_in = %s\n", time);
    }
    if (team->has_wrong_number) {
        fprintf(out, "id_team = %d\n", team->number);
    }
}

void class_roster_hand_in_keys(bool has_time, const char *out[CLASS_ROSTER_HAND_IN_KEYS])
{
    static const char *const keys[] = {
        "player",         "source", "build_log",    "no_program", "wrong_name", "wrong_files",
        "missing_report", "files",  "report_pages", "id_team",    "days_late",  "handed_in",
    };
    enum { KEYS = sizeof keys / sizeof keys[0], OF_TIME = 2 };
    _Static_assert(KEYS + 1 == CLASS_ROSTER_HAND_IN_KEYS, "the last one is NULL");
    size_t count = has_time ? KEYS : KEYS - OF_TIME;
    for (size_t i = 0; i < count; i++) {
        out[i] = keys[i];
    }
    out[count] = NULL;
}

void class_roster_write_team(FILE *out, const struct class_roster *class, size_t index)
{
    const char *name = class->teams[index].name;
    write_text(out, "name", *name ? name : class->ids[index].id);
    class_roster_write_hand_in(out, class, index);
}

void class_roster_write_student(FILE *out, const struct class_roster *class, size_t index)
{
    const struct roster_student *student = &class->list.students[index].entry;
    int team = class->student_teams[index];
    write_text(out, "name", *student->name ? student->name : student->id);
    write_text(out, "team", team < 0 ? "" : class->ids[team].id);
    write_text(out, "email", student->email);
    write_text(out, "identifier", student->identifier);
}

/* The rules for the marks are those of the day on which the roster was written. */
static void write_penalties(FILE *out, const struct game *game)
{
    double percent[DEDUCTIONS];
    char list[DEDUCTION_LIST_BYTES];
    deduction_list_of(game, percent);
    deduction_list_write(percent, list);
    fputs("# Percent off the marks. What is not listed costs nothing:\n# ", out);
    for (int i = 0; i < DEDUCTIONS; i++) {
        fprintf(out, "%s%s", i ? ", " : "", deduction_name((enum deduction)i));
    }
    fprintf(out, ".\npenalties = %s\n", list);
    fprintf(out,
            "# A team with days_late: play, or refuse: it does not play and gets nothing.\n"
            "late_hand_ins = %s\n",
            game->assignment.refuses_late ? "refuse" : "play");
}

enum err class_roster_write(const struct class_roster *class, const char *path, struct note *why)
{
    struct atomic_file file;
    enum err err = atomic_file_open(&file, path, why);
    if (err) {
        return err;
    }
    fprintf(file.stream,
            "# Made by plum tournament init. Edit it freely; days_late, plagiarism and\n"
            "# withdrawn_after are yours to add to a team.\n"
            "[tournament]\n");
    write_text(file.stream, "name", class->title);
    fprintf(file.stream, "game = %s\nformat = %s\nseed = 1\n", class->game->name,
            class->game->is_swiss ? "swiss" : "double-round-robin");
    fputs(
        "# A program loses a game after this many late moves in a row; 0: there is no such limit.\n"
        "# late_limit = 3\n",
        file.stream);
    write_text(file.stream, "students", class->students_file);
    if (class->deadline_s) {
        char deadline[HAND_IN_TIME_BYTES];
        hand_in_time_write(class->deadline_s, deadline);
        fprintf(file.stream, "deadline = %s\n", deadline);
    }
    fprintf(file.stream,
            "# A program tries what no ordinary program does: record, or lose the game.\n"
            "hostile_attempts = %s\n",
            class->game->hostile_attempts_lose ? "lose" : "record");
    write_penalties(file.stream, class->game);
    write_text(file.stream, "python", class->python ? class->python : "");
    write_text(file.stream, "memory", class->memory ? class->memory : "");
    write_text(file.stream, "sandbox", class->sandbox ? class->sandbox : "");
    for (size_t at = 0; at < class->count; at++) {
        size_t i = class->order[at];
        fprintf(file.stream, "\n[team %s]\n", class->ids[i].id);
        class_roster_write_remarks(file.stream, class, i);
        class_roster_write_team(file.stream, class, i);
    }
    for (size_t i = 0; i < class->list.count; i++) {
        fprintf(file.stream, "\n[student %s]\n", class->list.students[i].entry.id);
        class_roster_write_student(file.stream, class, i);
    }
    return atomic_file_commit(&file, why);
}
