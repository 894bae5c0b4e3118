#include "course/class_list.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/file.h"
#include "base/utf8.h"
#include "course/hand_in_time.h"
#include "course/source_text.h"
#include "course/submission.h"

enum class_column {
    COLUMN_ID,
    COLUMN_NAME,
    COLUMN_FIRST_NAME,
    COLUMN_LAST_NAME,
    COLUMN_TEAM,
    COLUMN_TIME,
    COLUMN_IDENTIFIER,
    COLUMN_EMAIL,
    COLUMNS
};

/* Headings in lower case, the likeliest first, each between bars. */
static const char *const headings[COLUMNS] = {
    [COLUMN_ID] = "|id number|student id|student number|student no|sis user id|id|學號|username|"
                  "user name|login id|sis login id|帳號|",
    [COLUMN_NAME] = "|full name|name|student name|student|姓名|全名|學生姓名|",
    [COLUMN_FIRST_NAME] = "|first name|given name|名字|名|",
    [COLUMN_LAST_NAME] = "|last name|surname|family name|姓氏|姓|",
    [COLUMN_TEAM] = "|team|team number|team id|group|groups|group name|組別|群組|隊伍|隊號|",
    [COLUMN_TIME] = "|hand-in time|handed in|last modified (submission)|submission time|submitted|"
                    "submitted at|submission date|繳交時間|最後修改 (繳交)|最後修改(繳交)|時間|",
    [COLUMN_IDENTIFIER] = "|identifier|participant|識別碼|編號|",
    [COLUMN_EMAIL] = "|email address|email|e-mail|電子郵件|電子郵件信箱|sis login id|",
};

/* --- CSV --- */

struct csv_record {
    char *list[CLASS_LIST_MAX_COLUMNS];
    size_t count;     /* more are not kept */
    bool is_unclosed; /* the text ends inside quotes */
};

/* Cuts the next record out of the text, in place; its cells point into it. The rest of the text, or
 * NULL after the last record. */
static char *next_record(char *text, char separator, struct csv_record *cells, int *line)
{
    char *to = text;
    bool is_quoted = false;
    cells->count = 0;
    cells->list[cells->count++] = to;
    for (char *at = text;; at++) {
        if (is_quoted && at[0] == '"' && at[1] == '"') {
            *to++ = *at++;
        } else if (*at == '"') {
            is_quoted = !is_quoted;
        } else if (!*at || (!is_quoted && *at == '\n')) {
            bool is_end = !*at;
            *line += !is_end;
            *to = '\0';
            cells->is_unclosed = is_quoted;
            return is_end ? NULL : at + 1;
        } else if (!is_quoted && *at == separator) {
            *to++ = '\0';
            if (cells->count < CLASS_LIST_MAX_COLUMNS) {
                cells->list[cells->count++] = to;
            }
        } else {
            *line += *at == '\n';
            *to++ = *at;
        }
    }
}

/* Old programs end lines with a carriage return alone. */
static void make_line_ends(char *text)
{
    for (; *text; text++) {
        *text = (char)(text[0] == '\r' && text[1] != '\n' ? '\n' : text[0]);
    }
}

/* The first line may name the separator, for spreadsheets: "sep=;". Returns the text after it, or
 * `text`. */
static char *take_separator(char *text, char *out)
{
    char *at = text + (*text == '"');
    if (strncasecmp(at, "sep=", 4) != 0 || !at[4]) {
        return text;
    }
    char *end = at + 5 + strspn(at + 5, "\" \r");
    if (*end != '\n') {
        return text;
    }
    *out = at[4];
    return end + 1;
}

static char find_separator(const char *text)
{
    static const char candidates[] = ",;\t";
    char best = ',';
    size_t most = 0;
    for (const char *candidate = candidates; *candidate; candidate++) {
        size_t count = 0;
        for (const char *at = text; *at && *at != '\n'; at++) {
            count += *at == *candidate;
        }
        if (count > most) {
            most = count;
            best = *candidate;
        }
    }
    return best;
}

static void trim(const char *cell, char *out, size_t room)
{
    char raw[512];
    cell += strspn(cell, " \t\r\n");
    snprintf(raw, sizeof raw, "%s", cell);
    for (char *at = raw; (at = strpbrk(at, "\r\n\t"));) {
        *at = ' ';
    }
    for (size_t length = strlen(raw); length && isspace((unsigned char)raw[length - 1]); length--) {
        raw[length - 1] = '\0';
    }
    utf8_clean(raw, out, room);
}

/* --- Columns --- */

/* Where a heading is in a list of them, 0: not there. */
static size_t place_in(const char *list, const char *heading)
{
    char word[300];
    char lower[256];
    trim(heading, lower, sizeof lower);
    for (char *at = lower; *at; at++) {
        *at = (char)((unsigned char)*at < 128 ? tolower((unsigned char)*at) : *at);
    }
    snprintf(word, sizeof word, "|%s|", lower);
    const char *at = *lower ? strstr(list, word) : NULL;
    return at ? (size_t)(at - list) + 1 : 0;
}

/* ERR_INPUT: two columns have one heading that is needed. */
static enum err find_columns(const struct csv_record *cells, int columns[COLUMNS], struct note *why)
{
    for (int column = 0; column < COLUMNS; column++) {
        size_t best = 0;
        columns[column] = -1;
        for (size_t i = 0; i < cells->count; i++) {
            size_t place = place_in(headings[column], cells->list[i]);
            if (place && place == best) {
                return note_fail(why, ERR_INPUT,
                                 "columns %d and %zu have the same heading '%.60s'; remove one",
                                 columns[column] + 1, i + 1, cells->list[i]);
            }
            if (place && (!best || place < best)) {
                best = place;
                columns[column] = (int)i;
            }
        }
    }
    return ERR_NONE;
}

/* Canvas numbers its users in "ID", and puts that number into the names of files. */
static void find_number_of_canvas(const struct csv_record *cells, int columns[COLUMNS])
{
    int id = columns[COLUMN_ID];
    bool is_of_canvas = id >= 0 && place_in("|sis user id|", cells->list[id]);
    for (size_t i = 0; is_of_canvas && columns[COLUMN_IDENTIFIER] < 0 && i < cells->count; i++) {
        columns[COLUMN_IDENTIFIER] = place_in("|id|", cells->list[i]) ? (int)i : -1;
    }
}

/* --- Students --- */

static void read_cell(const struct csv_record *cells, const int columns[COLUMNS],
                      enum class_column column, char *out, size_t room)
{
    int index = columns[column];
    out[0] = '\0';
    if (index >= 0 && (size_t)index < cells->count) {
        trim(cells->list[index], out, room);
    }
}

static void make_fit_for_id(char *id)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    for (char *at = id; *at; at++) {
        *at = strchr(letters, *at) && (at > id || *at != '.') ? *at : '_';
    }
}

static void read_name(const struct csv_record *cells, const int columns[COLUMNS], char *out,
                      size_t room)
{
    char first[ROSTER_NAME_BYTES];
    char last[ROSTER_NAME_BYTES];
    read_cell(cells, columns, COLUMN_NAME, out, room);
    read_cell(cells, columns, COLUMN_FIRST_NAME, first, sizeof first);
    read_cell(cells, columns, COLUMN_LAST_NAME, last, sizeof last);
    if (!*out) {
        char both[2 * ROSTER_NAME_BYTES];
        snprintf(both, sizeof both, "%s%s%s", first, *first && *last ? " " : "", last);
        utf8_clean(both, out, room);
    }
}

/* "Team 7" and "7" are team 7; any other name becomes an id as it is. */
static void read_team(const char *text, char out[ROSTER_ID_BYTES])
{
    int number = submission_team_number(text);
    if (number >= 0) {
        snprintf(out, ROSTER_ID_BYTES, "%d", number);
    } else if (strcmp(text, "-") == 0) {
        out[0] = '\0';
    } else {
        snprintf(out, ROSTER_ID_BYTES, "%.31s", text);
        make_fit_for_id(out);
    }
}

/* A spreadsheet has made a number of it and dropped its digits: 8.56701E+05. */
static bool is_scientific(const char *id)
{
    size_t digits = strspn(id, "0123456789");
    size_t point = id[digits] == '.' ? 1 + strspn(id + digits + 1, "0123456789") : 0;
    const char *at = id + digits + point;
    if (!digits || (*at != 'E' && *at != 'e') || (at[1] != '+' && at[1] != '-')) {
        return false;
    }
    return at[2] && !at[2 + strspn(at + 2, "0123456789")];
}

/* The number in the platform's identifier: "Participant 1234567". */
static void read_participant(struct class_student *student)
{
    const char *digits =
        student->entry.identifier + strcspn(student->entry.identifier, "0123456789");
    snprintf(student->participant, sizeof student->participant, "%.*s",
             (int)strspn(digits, "0123456789") % (int)sizeof student->participant, digits);
}

static enum err read_student(const struct csv_record *cells, const int columns[COLUMNS],
                             struct class_student *out, struct note *why)
{
    struct roster_student *entry = &out->entry;
    char team[ROSTER_NAME_BYTES];
    char when[ROSTER_NAME_BYTES];
    entry->team = -1;
    read_name(cells, columns, entry->name, sizeof entry->name);
    read_cell(cells, columns, COLUMN_EMAIL, entry->email, sizeof entry->email);
    read_cell(cells, columns, COLUMN_IDENTIFIER, entry->identifier, sizeof entry->identifier);
    read_cell(cells, columns, COLUMN_ID, entry->id, sizeof entry->id);
    if (is_scientific(entry->id)) {
        return note_fail(
            why, ERR_INPUT,
            "the id %s was changed by a spreadsheet, which takes ids for numbers: export the "
            "list again, or format the column as text and enter the ids",
            entry->id);
    }
    read_cell(cells, columns, COLUMN_TEAM, team, sizeof team);
    read_cell(cells, columns, COLUMN_TIME, when, sizeof when);
    read_participant(out);
    if (!entry->id[0]) {
        int length = (int)strcspn(entry->email, "@");
        const char *other = out->participant[0] ? out->participant : entry->email;
        snprintf(entry->id, sizeof entry->id, "%.*s",
                 out->participant[0] ? 31
                 : length < 31       ? length
                                     : 31,
                 other);
    }
    make_fit_for_id(entry->id);
    read_team(team, entry->team_id);
    out->has_time = *when && strcmp(when, "-") != 0;
    return out->has_time ? hand_in_time_read(when, &out->submitted_s, why) : ERR_NONE;
}

/* The last one read. */
static enum err check_id(const struct class_list *list, const struct class_student *student,
                         struct note *why)
{
    if (!student->entry.id[0]) {
        return note_fail(why, ERR_INPUT, "the student has no id");
    }
    for (size_t i = 0; i + 1 < list->count; i++) {
        if (strcmp(list->students[i].entry.id, student->entry.id) == 0) {
            return note_fail(why, ERR_INPUT, "duplicate student %s; the first is in line %d",
                             student->entry.id, list->students[i].entry.line);
        }
    }
    return ERR_NONE;
}

static bool is_empty(const char *cell) { return !cell[strspn(cell, " \t\r\n")]; }

/* How many cells there are without the empty ones at the end. */
static size_t filled(const struct csv_record *cells)
{
    size_t count = cells->count;
    while (count && is_empty(cells->list[count - 1])) {
        count--;
    }
    return count;
}

/* A quote that is not closed hides all students after it, and a comma too many moves the columns.
 */
static enum err check_record(const struct csv_record *cells, size_t headings_count,
                             struct note *why)
{
    if (cells->is_unclosed) {
        return note_fail(why, ERR_INPUT, "a quotation mark is opened and never closed");
    }
    if (filled(cells) > headings_count) {
        return note_fail(
            why, ERR_INPUT,
            "%zu columns, but %zu headings in line 1: put a cell with the separator in it "
            "into quotation marks",
            filled(cells), headings_count);
    }
    return ERR_NONE;
}

/* After the rows before it; without the line end that is at the end of the last cell. */
static bool keep_row(struct class_list *list, struct csv_record *cells, size_t *capacity)
{
    size_t columns = list->column_count;
    size_t used = list->cells ? (list->count + 1) * columns : 0;
    const char **grown = array_reserve(list->cells, capacity, used + columns, sizeof *grown);
    if (!grown) {
        return false;
    }
    list->cells = grown;
    for (size_t i = 0; i < columns; i++) {
        grown[used + i] = i < cells->count ? cells->list[i] : "";
    }
    char *last = cells->list[cells->count - 1];
    size_t length = strlen(last);
    if (length && last[length - 1] == '\r') {
        last[length - 1] = '\0';
    }
    return true;
}

/* A row of the platform between the headings and the students: the points that are possible, or a
 * remark about a column. */
static bool is_of_platform(const struct csv_record *cells, const int columns[COLUMNS])
{
    char name[ROSTER_NAME_BYTES];
    char id[ROSTER_NAME_BYTES];
    char identifier[ROSTER_NAME_BYTES];
    read_name(cells, columns, name, sizeof name);
    read_cell(cells, columns, COLUMN_ID, id, sizeof id);
    read_cell(cells, columns, COLUMN_IDENTIFIER, identifier, sizeof identifier);
    return !*id && !*identifier && strcasecmp(name, "Points Possible") == 0;
}

static enum err read_all(char *text, struct class_list *list, struct note *why)
{
    struct csv_record cells;
    int columns[COLUMNS];
    int line = 1;
    size_t capacity = 0;
    char separator = '\0';
    make_line_ends(text);
    char *start = take_separator(text, &separator);
    line += start != text;
    separator = separator ? separator : find_separator(start);
    char *rest = next_record(start, separator, &cells, &line);
    enum err found = find_columns(&cells, columns, why);
    if (found) {
        return found;
    }
    find_number_of_canvas(&cells, columns);
    bool has_id =
        columns[COLUMN_ID] >= 0 || columns[COLUMN_IDENTIFIER] >= 0 || columns[COLUMN_EMAIL] >= 0;
    bool has_name = columns[COLUMN_NAME] >= 0 || columns[COLUMN_FIRST_NAME] >= 0 ||
                    columns[COLUMN_LAST_NAME] >= 0;
    if (!has_id || !has_name) {
        return note_fail(why, ERR_INPUT,
                         "there is no column with the %s: a heading such as %s is needed in line 1",
                         has_id ? "names" : "ids of students",
                         has_id ? "'Full name' or 'Name'" : "'ID number' or 'Student ID'");
    }
    size_t headings_count = cells.count;
    size_t row_capacity = 0;
    list->column_count = headings_count;
    if (!keep_row(list, &cells, &row_capacity)) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    list->has_teams = columns[COLUMN_TEAM] >= 0;
    list->has_times = columns[COLUMN_TIME] >= 0;
    while (rest && *rest) {
        int own_line = line;
        rest = next_record(rest, separator, &cells, &line);
        if (!filled(&cells) && !cells.is_unclosed) {
            continue;
        }
        enum err err = check_record(&cells, headings_count, why);
        if (err) {
            note_prefix(why, "line %d", own_line);
            return err;
        }
        if (list->count == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            struct class_student *grown =
                realloc(list->students, capacity * sizeof *list->students);
            if (!grown || capacity > 2 * (size_t)ROSTER_MAX_STUDENTS) {
                list->students = grown ? grown : list->students;
                note_set(why, "too many students: at most %d", ROSTER_MAX_STUDENTS);
                return grown ? ERR_INPUT : ERR_ENVIRONMENT;
            }
            list->students = grown;
        }
        if (is_of_platform(&cells, columns)) {
            continue;
        }
        if (!keep_row(list, &cells, &row_capacity)) {
            return note_fail(why, ERR_ENVIRONMENT, "out of memory");
        }
        struct class_student *student = &list->students[list->count++];
        *student = (struct class_student){.entry.line = own_line};
        err = read_student(&cells, columns, student, why);
        if (err || (err = check_id(list, student, why))) {
            note_prefix(why, "line %d", own_line);
            return err;
        }
    }
    if (!list->count) {
        return note_fail(why, ERR_INPUT, "there is no student after the headings");
    }
    return ERR_NONE;
}

enum err class_list_read(const char *path, struct class_list *out, struct note *why)
{
    struct class_list list = {0};
    size_t size = 0;
    char *bytes = file_read_head(path, CLASS_LIST_MAX_BYTES, &size);
    char *text = NULL;
    if (!bytes) {
        return note_fail(why, ERR_INPUT, "cannot read %.200s: %s", path, strerror(errno));
    }
    enum err err = ERR_NONE;
    if (size == 0 || size == CLASS_LIST_MAX_BYTES) {
        err = note_fail(why, ERR_INPUT, size ? "the file is too large" : "the file is empty");
    }
    err = err ? err : source_text_decode(bytes, size, &text, why);
    free(bytes);
    list.text = text;
    err = err ? err : read_all(text, &list, why);
    if (err) {
        note_prefix(why, "%.150s", path);
        class_list_free(&list);
    } else {
        *out = list;
    }
    return err;
}

enum err class_list_of_roster(const struct roster *roster, struct class_list *out, struct note *why)
{
    size_t count = (size_t)roster->student_count;
    struct class_student *students = calloc(count + 1, sizeof *students);
    if (!students) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        students[i].entry = roster->students[i];
        read_participant(&students[i]);
    }
    *out = (struct class_list){.students = students, .count = count, .has_teams = true};
    return ERR_NONE;
}

void class_list_take_teams(struct class_list *list, const struct roster *roster)
{
    for (size_t i = 0; i < list->count; i++) {
        struct roster_student *entry = &list->students[i].entry;
        for (int k = 0; !entry->team_id[0] && k < roster->student_count; k++) {
            if (strcmp(roster->students[k].id, entry->id) == 0) {
                snprintf(entry->team_id, sizeof entry->team_id, "%s", roster->students[k].team_id);
            }
        }
    }
}

void class_list_free(struct class_list *list)
{
    free(list->cells);
    free(list->text);
    free(list->students);
    *list = (struct class_list){0};
}

int class_list_column(const struct class_list *list, const char *known)
{
    int found = -1;
    size_t best = 0;
    for (size_t i = 0; i < list->column_count; i++) {
        size_t place = place_in(known, list->cells[i]);
        if (place && (!best || place < best)) {
            best = place;
            found = (int)i;
        }
    }
    return found;
}

const char *class_list_cell(const struct class_list *list, size_t student, int column)
{
    return list->cells[(student + 1) * list->column_count + (size_t)column];
}

/* Spaces and underscores are not part of a name: platforms write them differently in file names. */
static bool is_same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " _");
        b += strspn(b, " _");
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) {
            return false;
        }
        if (!*a) {
            return true;
        }
    }
}

const struct class_student *class_list_find(const struct class_list *list, const char *participant,
                                            const char *id, const char *name)
{
    const struct class_student *found[3] = {0};
    bool is_ambiguous = false;
    for (size_t i = 0; i < list->count; i++) {
        const struct class_student *student = &list->students[i];
        if (*participant && strcmp(student->participant, participant) == 0) {
            found[0] = student;
        }
        if (*id && (strcasecmp(student->entry.id, id) == 0 ||
                    (!found[1] && strcmp(student->participant, id) == 0))) {
            found[1] = student;
        }
        if (*name && is_same_name(student->entry.name, name)) {
            is_ambiguous |= found[2] != NULL;
            found[2] = student;
        }
    }
    return found[0] ? found[0] : found[1] ? found[1] : is_ambiguous ? NULL : found[2];
}

/* --- A tournament that was played without the list. --- */

static bool is_same_word(const char *a, const char *b) { return *a && strcasecmp(a, b) == 0; }

/* By what platforms give out once. One list may have as an id what another has as the platform's
 * number. */
static bool is_same_person(const struct roster_student *a, const struct roster_student *b)
{
    return is_same_word(a->id, b->id) || is_same_word(a->identifier, b->identifier) ||
           is_same_word(a->id, b->identifier) || is_same_word(a->identifier, b->id) ||
           is_same_word(a->email, b->email);
}

/* Two students may have one name: then it says nothing. */
static bool has_own_name(const struct class_list *list, const char *name)
{
    int count = 0;
    for (size_t i = 0; i < list->count; i++) {
        count += is_same_name(list->students[i].entry.name, name);
    }
    return *name && count == 1;
}

/* Of the only student that has it, or else the only team. -1: there is none, or several. */
static int find_team_by_name(const struct roster *roster, const char *name)
{
    int students = 0;
    int teams = 0;
    int of_student = -1;
    int of_team = -1;
    for (int i = 0; i < roster->student_count; i++) {
        if (is_same_name(roster->students[i].name, name)) {
            of_student = roster->students[i].team;
            students++;
        }
    }
    for (int i = 0; i < roster->team_count; i++) {
        if (is_same_name(roster->teams[i].name, name)) {
            of_team = i;
            teams++;
        }
    }
    if (students) {
        return students == 1 ? of_student : -1;
    }
    return teams == 1 ? of_team : -1;
}

static int find_team(const struct roster *roster, const struct class_list *list,
                     const struct roster_student *student)
{
    int team = student->team_id[0] ? roster_find(roster, student->team_id) : -1;
    if (team < 0) {
        team = roster_find(roster, student->id);
    }
    bool is_known = team >= 0;
    for (int i = 0; !is_known && i < roster->student_count; i++) {
        is_known = is_same_person(&roster->students[i], student);
        team = is_known ? roster->students[i].team : team;
    }
    return !is_known && has_own_name(list, student->name) ? find_team_by_name(roster, student->name)
                                                          : team;
}

/* The members' names, and the latest time at which one of them submitted. */
static void fill_team(struct report_data *data, const struct class_list *list,
                      const struct roster_student *students, int index, int64_t deadline_s)
{
    struct roster_team *team = &data->roster.teams[index];
    char names[4 * ROSTER_NAME_BYTES] = "";
    int64_t latest_s = INT64_MIN;
    for (size_t i = 0; i < list->count; i++) {
        const struct class_student *student = &list->students[i];
        if (students[i].team != index) {
            continue;
        }
        note_list(names, sizeof names, "%.100s", students[i].name);
        if (student->has_time && student->submitted_s > latest_s) {
            latest_s = student->submitted_s;
        }
    }
    if (*names) {
        utf8_clean(names, team->name, sizeof team->name);
    }
    if (deadline_s && latest_s != INT64_MIN) {
        hand_in_time_write(latest_s, team->handed_in);
        if (!data->teams[index].rulings[RULING_DAYS_LATE].text[0]) {
            team->days_late = hand_in_days_late(latest_s, deadline_s);
        }
    }
}

enum err class_list_fill(struct report_data *data, const struct class_list *list,
                         int64_t deadline_s, struct note *why)
{
    struct roster *roster = &data->roster;
    struct roster_student *students = calloc(list->count ? list->count : 1, sizeof *students);
    if (!students) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    for (size_t i = 0; i < list->count; i++) {
        students[i] = list->students[i].entry;
        students[i].team = find_team(roster, list, &students[i]);
    }
    if (deadline_s) {
        hand_in_time_write(deadline_s, roster->deadline);
    }
    for (int i = 0; i < roster->team_count; i++) {
        fill_team(data, list, students, i, deadline_s);
    }
    free(roster->students);
    roster->students = students;
    roster->student_count = (int)list->count;
    return ERR_NONE;
}
