/* roster: an INI file becomes teams, students and rules, and every mistake in it a sentence.
 *
 * Long because each key of the file has its own reader and its own complaints.
 */
#include "base/array.h"
#include "tournament/roster.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/utf8.h"
#include "game/registry.h"
#include "tournament/ini.h"
#include "tournament/pairing.h"

static const char *const formats[] = {"double-round-robin", "swiss", "gauntlet", "knockout", NULL};
static const char *const sandbox_modes[] = {"off", "auto", "strict", NULL};
static const char *const attempt_rules[] = {"record", "lose", NULL};
static const char *const late_rules[] = {"play", "refuse", NULL};
static const char *const void_rules[] = {"void", "keep", NULL};

static const int64_t longest_ns = 86400 * CLOCK_NS_PER_S;
static const int64_t shortest_ns = CLOCK_NS_PER_MS;

enum { MOST_KEYS = 32, SECTION_ROOM = 48 };

/* The keys of a section, each with its type and the field that it goes to. */
enum roster_key_type {
    KEY_TEXT,   /* char[high] */
    KEY_COUNT,  /* int, low … high */
    KEY_CLAIM,  /* bool: yes or no */
    KEY_CUSTOM, /* is read when the whole file is known */
};

struct roster_key {
    const char *name;
    enum roster_key_type type;
    size_t offset;
    int64_t low;
    int64_t high;
};

/* clang-format off */
#define TEXT(type, field) KEY_TEXT, offsetof(struct type, field), 0, sizeof((struct type *)0)->field
static const struct roster_key team_keys[] = {
    {"name", TEXT(roster_team, name)},
    {"player", TEXT(roster_team, player)},
    {"source", TEXT(roster_team, source)},
    {"days_late", KEY_COUNT, offsetof(struct roster_team, days_late), 0, 1000},
    {"handed_in", TEXT(roster_team, handed_in)},
    {"plagiarism", KEY_CLAIM, offsetof(struct roster_team, is_plagiarism), 0, 0},
    {"withdrawn_after", KEY_COUNT, offsetof(struct roster_team, withdrawn_after), 0,
     ROSTER_MAX_ROUNDS},
    {"entered_after", KEY_COUNT, offsetof(struct roster_team, entered_after), 0,
     ROSTER_MAX_ROUNDS},
    {"wrong_name", KEY_CLAIM, offsetof(struct roster_team, has_wrong_name), 0, 0},
    {"missing_report", KEY_CLAIM, offsetof(struct roster_team, lacks_report), 0, 0},
    {"build_log", TEXT(roster_team, build_log)},
    {"report_pages", KEY_COUNT, offsetof(struct roster_team, report_pages), 1,
     ROSTER_MAX_REPORT_PAGES},
    {"id_team", KEY_COUNT, offsetof(struct roster_team, id_team), PLAYER_MIN_TEAM,
     PLAYER_MAX_TEAM},
    {"no_program", TEXT(roster_team, no_program)},
    {"wrong_files", TEXT(roster_team, wrong_files)},
    {"files", TEXT(roster_team, files)},
    {0},
};
static const struct roster_key student_keys[] = {
    {"name", TEXT(roster_student, name)},
    {"team", TEXT(roster_student, team_id)},
    {"email", TEXT(roster_student, email)},
    {"identifier", TEXT(roster_student, identifier)},
    {0},
};
static const struct roster_key tournament_keys[] = {
    {"name", TEXT(roster, name)},
    {"python", TEXT(roster, rules.python)},
    {"deadline", TEXT(roster, deadline)},
    {"students", TEXT(roster, students_file)},
    {"concurrency", KEY_COUNT, offsetof(struct roster, concurrency), 1, 1000},
    {"ponder", KEY_CLAIM, offsetof(struct roster, rules.ponder), 0, 0},
    {"qualification", KEY_CLAIM, offsetof(struct roster, has_qualification), 0, 0},
    {"late_limit", KEY_COUNT, offsetof(struct roster, rules.judge.late_limit), 0, JUDGE_MAX_PLIES},
    {"game", KEY_CUSTOM, 0, 0, 0},
    {"format", KEY_CUSTOM, 0, 0, 0},
    {"rounds", KEY_CUSTOM, 0, 0, 0},
    {"games_per_pairing", KEY_CUSTOM, 0, 0, 0},
    {"time_limit", KEY_CUSTOM, 0, 0, 0},
    {"grace", KEY_CUSTOM, 0, 0, 0},
    {"startup_limit", KEY_CUSTOM, 0, 0, 0},
    {"hard_limit", KEY_CUSTOM, 0, 0, 0},
    {"seed", KEY_CUSTOM, 0, 0, 0},
    {"sandbox", KEY_CUSTOM, 0, 0, 0},
    {"hostile_attempts", KEY_CUSTOM, 0, 0, 0},
    {"late_hand_ins", KEY_CUSTOM, 0, 0, 0},
    {"penalties", KEY_CUSTOM, 0, 0, 0},
    {"disqualified_games", KEY_CUSTOM, 0, 0, 0},
    {"memory", KEY_CUSTOM, 0, 0, 0},
    {"points", KEY_CUSTOM, 0, 0, 0},
    {"bye_points", KEY_CUSTOM, 0, 0, 0},
    {"tiebreaks", KEY_CUSTOM, 0, 0, 0},
    {0},
};
#undef TEXT
/* clang-format on */

struct roster_value {
    char text[PLAYER_TEXT_BYTES];
    int line; /* 0: not given */
};

enum roster_section {
    SECTION_NONE,
    SECTION_TOURNAMENT,
    SECTION_TEAM,
    SECTION_STUDENT,
    SECTION_IGNORED
};

static const struct {
    const char *name;
    const struct roster_key *keys;
} sections[] = {[SECTION_TOURNAMENT] = {"tournament", tournament_keys},
                [SECTION_TEAM] = {"team", team_keys},
                [SECTION_STUDENT] = {"student", student_keys}};

/* A roster while it is read. */
struct roster_reader {
    const char *text; /* the whole file */
    struct ini_reader ini;
    enum roster_section section;
    int tournament_line;
    struct roster_value values[MOST_KEYS]; /* of the section that is read */
    struct roster_value tournament[MOST_KEYS];
    struct roster_value references[ROSTER_MAX_REFERENCES]; /* the key may be repeated */
    int reference_count;
    int section_line;
    size_t section_offset;            /* of its heading, without the line end before it */
    char section_id[ROSTER_ID_BYTES]; /* of a team or student */
    size_t team_capacity;
    size_t student_capacity;
    struct roster roster;
    struct roster_problems *problems;
    bool is_out_of_memory;
};

static void add_problem(struct roster_problems *problems, int line, const char *format,
                        va_list arguments)
{
    if (problems->count < ROSTER_MAX_PROBLEMS) {
        struct note *note = &problems->list[problems->count];
        vsnprintf(note->text, sizeof note->text, format, arguments);
        note_prefix(note, "line %d", line);
        problems->lines[problems->count] = line;
    }
    problems->count++;
}

void roster_problems_add(struct roster_problems *problems, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_problem(problems, line, format, arguments);
    va_end(arguments);
}

/* The checks run key by key; a person reads line by line. */
void roster_problems_sort(struct roster_problems *problems)
{
    int count = problems->count < ROSTER_MAX_PROBLEMS ? problems->count : ROSTER_MAX_PROBLEMS;
    for (int i = 1; i < count; i++) {
        struct note note = problems->list[i];
        int line = problems->lines[i];
        int at = i;
        for (; at > 0 && problems->lines[at - 1] > line; at--) {
            problems->lines[at] = problems->lines[at - 1];
            problems->list[at] = problems->list[at - 1];
        }
        problems->lines[at] = line;
        problems->list[at] = note;
    }
}

void roster_problems_sum_up(const struct roster_problems *problems, const char *path,
                            struct note *why)
{
    if (problems->count == 1) {
        note_set(why, "%.120s: %.190s", path, problems->list[0].text);
    } else {
        note_set(why, "%d problems in %.200s", problems->count, path);
    }
}

/* The value of a key in a section's list. */
static const struct roster_value *value_of(const struct roster_key *keys,
                                           const struct roster_value *values, const char *name)
{
    const struct roster_key *key = keys;
    while (strcmp(key->name, name) != 0) {
        key++;
    }
    return &values[key - keys];
}

static const struct roster_value *tournament_value(const struct roster_reader *r, const char *name)
{
    return value_of(tournament_keys, r->tournament, name);
}

/* --- Values --- */

static bool read_count(struct roster_reader *r, const struct roster_value *value, const char *what,
                       int64_t low, int64_t high, int *out)
{
    int64_t number = 0;
    struct note why;
    if (!value->line) {
        return true;
    }
    if (number_read(value->text, what, low, high, &number, &why)) {
        roster_problems_add(r->problems, value->line, "%s", why.text);
        return false;
    }
    *out = (int)number;
    return true;
}

static void read_claim(struct roster_reader *r, const struct roster_value *value, const char *what,
                       bool *out)
{
    if (strcmp(value->text, "yes") != 0 && strcmp(value->text, "no") != 0) {
        roster_problems_add(r->problems, value->line, "%s must be yes or no, not '%.40s'", what,
                            value->text);
        return;
    }
    *out = strcmp(value->text, "yes") == 0;
}

static void copy_value(struct roster_reader *r, const struct roster_value *value, const char *what,
                       char *out, size_t room)
{
    if (strlen(value->text) >= room) {
        roster_problems_add(r->problems, value->line, "%s is too long: at most %zu bytes", what,
                            room - 1);
        return;
    }
    snprintf(out, room, "%s", value->text);
}

/* Puts the values that were given into the fields of `out`. */
static void read_values(struct roster_reader *r, const struct roster_key *keys,
                        const struct roster_value *values, void *out)
{
    for (const struct roster_key *key = keys; key->name; key++) {
        const struct roster_value *value = &values[key - keys];
        void *field = (char *)out + key->offset;
        if (!value->line) {
            continue;
        }
        if (key->type == KEY_TEXT) {
            copy_value(r, value, key->name, field, (size_t)key->high);
        } else if (key->type == KEY_COUNT) {
            (void)read_count(r, value, key->name, key->low, key->high, field);
        } else if (key->type == KEY_CLAIM) {
            read_claim(r, value, key->name, field);
        }
    }
}

/* --- A team's section --- */

/* Room for one more; NULL: no memory. */
static void *grow(struct roster_reader *r, void *list, int count, size_t *capacity,
                  size_t item_bytes)
{
    void *grown = array_reserve(list, capacity, (size_t)count + 1, item_bytes);
    r->is_out_of_memory |= !grown;
    return grown;
}

static struct roster_team *add_team(struct roster_reader *r)
{
    struct roster *roster = &r->roster;
    struct roster_team *teams =
        grow(r, roster->teams, roster->team_count, &r->team_capacity, sizeof *teams);
    if (!teams) {
        return NULL;
    }
    roster->teams = teams;
    struct roster_team *team = &teams[roster->team_count++];
    *team =
        (struct roster_team){.line = r->section_line, .withdrawn_after = -1, .entered_after = -1};
    return team;
}

static void finish_team(struct roster_reader *r)
{
    const struct roster_value *values = r->values;
    int same = roster_find(&r->roster, r->section_id);
    if (same >= 0) {
        roster_problems_add(r->problems, r->section_line,
                            "duplicate team %s; the first is in line %d", r->section_id,
                            r->roster.teams[same].line);
    }
    if (r->roster.team_count == ROSTER_MAX_TEAMS) {
        roster_problems_add(r->problems, r->section_line, "more than %d teams", ROSTER_MAX_TEAMS);
        return;
    }
    struct roster_team *team = add_team(r);
    if (!team) {
        return;
    }
    snprintf(team->id, sizeof team->id, "%s", r->section_id);
    snprintf(team->name, sizeof team->name, "%s", r->section_id);
    read_values(r, team_keys, values, team);
    if (team->entered_after < 0) {
        if (r->roster.starter_count + 1 < r->roster.team_count) {
            roster_problems_add(r->problems, r->section_line,
                                "team %s takes part from the start, so it must come before the "
                                "teams with entered_after",
                                team->id);
        }
        r->roster.starter_count++;
    } else if (r->roster.starter_count + 1 == r->roster.team_count) {
        r->roster.starter_bytes = r->section_offset;
    }
    team->has_id_team = value_of(team_keys, values, "id_team")->line;
    bool has_player = value_of(team_keys, values, "player")->line;
    bool has_source = value_of(team_keys, values, "source")->line;
    if (has_player ? has_source : !has_source && !team->no_program[0]) {
        roster_problems_add(r->problems, r->section_line, "team %s needs %s", team->id,
                            has_player ? "either a player or a source, not both"
                                       : "a player or a source");
    }
}

/* --- A student's section --- */

static void finish_student(struct roster_reader *r)
{
    struct roster *roster = &r->roster;
    if (roster->student_count == ROSTER_MAX_STUDENTS) {
        roster_problems_add(r->problems, r->section_line, "more than %d students",
                            ROSTER_MAX_STUDENTS);
        return;
    }
    struct roster_student *students =
        grow(r, roster->students, roster->student_count, &r->student_capacity, sizeof *students);
    if (!students) {
        return;
    }
    roster->students = students;
    struct roster_student *student = &students[roster->student_count++];
    *student = (struct roster_student){.team = -1, .line = r->section_line};
    snprintf(student->id, sizeof student->id, "%s", r->section_id);
    snprintf(student->name, sizeof student->name, "%s", r->section_id);
    read_values(r, student_keys, r->values, student);
}

static int compare_students(const void *a, const void *b)
{
    const struct roster_student *const *x = a;
    const struct roster_student *const *y = b;
    int order = strcmp((*x)->id, (*y)->id);
    return order ? order : (*x)->line - (*y)->line;
}

static void find_double_students(struct roster_reader *r)
{
    int count = r->roster.student_count;
    const struct roster_student **sorted = calloc((size_t)count + 1, sizeof(void *));
    if (!sorted) {
        r->is_out_of_memory = true;
        return;
    }
    for (int i = 0; i < count; i++) {
        sorted[i] = &r->roster.students[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare_students);
    for (int i = 1; i < count; i++) {
        if (strcmp(sorted[i]->id, sorted[i - 1]->id) == 0) {
            roster_problems_add(r->problems, sorted[i]->line,
                                "duplicate student %s; the first is in line %d", sorted[i]->id,
                                sorted[i - 1]->line);
        }
    }
    free(sorted);
}

/* A student may come before the team in the file. */
static void check_students(struct roster_reader *r)
{
    for (int i = 0; i < r->roster.student_count; i++) {
        struct roster_student *student = &r->roster.students[i];
        student->team = student->team_id[0] ? roster_find(&r->roster, student->team_id) : -1;
        if (student->team_id[0] && student->team < 0) {
            roster_problems_add(r->problems, student->line, "student %s: there is no team %.40s",
                                student->id, student->team_id);
        }
    }
    find_double_students(r);
}

/* --- Sections --- */

static void finish_section(struct roster_reader *r)
{
    if (r->section == SECTION_TEAM) {
        finish_team(r);
    } else if (r->section == SECTION_STUDENT) {
        finish_student(r);
    } else if (r->section == SECTION_TOURNAMENT) {
        memcpy(r->tournament, r->values, sizeof r->tournament);
    }
    memset(r->values, 0, sizeof r->values);
    r->section = SECTION_NONE;
}

static bool is_fit_for_id(const char *id)
{
    static const char letters[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    return *id && *id != '.' && strlen(id) < ROSTER_ID_BYTES && id[strspn(id, letters)] == '\0';
}

/* Of the line that was read last, without the line end before it. */
static size_t offset_of_line(const struct roster_reader *r)
{
    const char *at = r->ini.text;
    at -= at > r->text && at[-1] == '\n';
    while (at > r->text && at[-1] != '\n') {
        at--;
    }
    return (size_t)(at - r->text) - (at > r->text);
}

static void open_person(struct roster_reader *r, const char *id, enum roster_section section)
{
    if (!is_fit_for_id(id)) {
        roster_problems_add(r->problems, r->ini.number,
                            "'%.40s' is not an id for a %s: at most %d letters, digits, '_', '-' "
                            "and '.', not '.' first",
                            id, section == SECTION_TEAM ? "team" : "student", ROSTER_ID_BYTES - 1);
    }
    utf8_clean(id, r->section_id, sizeof r->section_id); /* cuts one that is not valid */
    r->section_offset = offset_of_line(r);
    r->section_line = r->ini.number;
    r->section = section;
}

static void open_section(struct roster_reader *r, const char *name)
{
    finish_section(r);
    r->section = SECTION_IGNORED;
    if (strncmp(name, "team ", 5) == 0) {
        open_person(r, name + 5 + strspn(name + 5, " "), SECTION_TEAM);
    } else if (strncmp(name, "student ", 8) == 0) {
        open_person(r, name + 8 + strspn(name + 8, " "), SECTION_STUDENT);
    } else if (strcmp(name, "tournament") != 0) {
        roster_problems_add(
            r->problems, r->ini.number,
            "no section is called [%.40s]: there are [tournament], [team ID] and [student ID]",
            name);
    } else if (r->tournament_line) {
        roster_problems_add(r->problems, r->ini.number,
                            "duplicate section [tournament]; the first is in line %d",
                            r->tournament_line);
    } else {
        r->tournament_line = r->ini.number;
        r->section = SECTION_TOURNAMENT;
    }
}

/* --- Lines --- */

static void take_reference(struct roster_reader *r, const struct ini_line *line)
{
    if (r->reference_count == ROSTER_MAX_REFERENCES) {
        roster_problems_add(r->problems, line->number, "more than %d references",
                            ROSTER_MAX_REFERENCES);
    } else if (!*line->value) {
        roster_problems_add(r->problems, line->number, "reference has no value");
    } else if (strlen(line->value) >= ROSTER_ID_BYTES) {
        roster_problems_add(r->problems, line->number,
                            "reference is too long: at most %d bytes, as it is also its name",
                            ROSTER_ID_BYTES - 1);
    } else {
        struct roster_value *value = &r->references[r->reference_count++];
        snprintf(value->text, sizeof value->text, "%s", line->value);
        value->line = line->number;
    }
}

static void take_key(struct roster_reader *r, const struct ini_line *line)
{
    if (r->section == SECTION_IGNORED) {
        return;
    }
    if (r->section == SECTION_NONE) {
        roster_problems_add(r->problems, line->number,
                            "%s is in no section: begin with [tournament]", line->key);
        return;
    }
    if (r->section == SECTION_TOURNAMENT && strcmp(line->key, "reference") == 0) {
        take_reference(r, line);
        return;
    }
    const struct roster_key *key = sections[r->section].keys;
    struct roster_value *value = r->values;
    while (key->name && strcmp(key->name, line->key) != 0) {
        key++;
        value++;
    }
    if (!key->name) {
        roster_problems_add(r->problems, line->number, "there is no key '%.40s' in [%s]", line->key,
                            sections[r->section].name);
    } else if (value->line) {
        roster_problems_add(r->problems, line->number, "duplicate key %s; the first is in line %d",
                            line->key, value->line);
    } else if (!*line->value) {
        roster_problems_add(r->problems, line->number, "%s has no value", line->key);
    } else if (strlen(line->value) >= sizeof value->text) {
        roster_problems_add(r->problems, line->number, "%s is too long: at most %zu bytes",
                            line->key, sizeof value->text - 1);
    } else {
        snprintf(value->text, sizeof value->text, "%s", line->value);
        value->line = line->number;
    }
}

static void take_line(struct roster_reader *r, const struct ini_line *line)
{
    switch (line->kind) {
    case INI_TOO_LONG:
        roster_problems_add(r->problems, line->number, "the line is too long: at most %d bytes",
                            INI_LINE_BYTES - 1);
        break;
    case INI_NOT_TEXT:
        roster_problems_add(
            r->problems, line->number,
            "not plain UTF-8 text: there are wrong bytes, control characters or signs that "
            "change the direction of text");
        break;
    case INI_UNKNOWN:
        roster_problems_add(r->problems, line->number,
                            "'%.40s' is neither a section nor a key with its value", line->key);
        break;
    case INI_KEY:
        take_key(r, line);
        break;
    default:
        if (line->kind == INI_SECTION && strlen(line->key) < SECTION_ROOM) {
            open_section(r, line->key);
        } else {
            roster_problems_add(r->problems, line->number,
                                "a section looks like this: [tournament] or [team 7]");
            finish_section(r);
            r->section = SECTION_IGNORED;
        }
    }
}

/* --- The tournament's section, when all is read --- */

static int read_word(struct roster_reader *r, const char *key, const char *const *words, int usual)
{
    const struct roster_value *value = tournament_value(r, key);
    if (!value->line) {
        return usual;
    }
    char list[128] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], value->text) == 0) {
            return i;
        }
        note_list(list, sizeof list, "%s", words[i]);
    }
    roster_problems_add(r->problems, value->line, "%s must be one of %s, not '%.40s'", key, list,
                        value->text);
    return usual;
}

static void read_seconds(struct roster_reader *r, const char *key, int64_t low_ns, int64_t *out)
{
    struct note why;
    const struct roster_value *value = tournament_value(r, key);
    if (value->line && number_read_seconds(value->text, key, low_ns, longest_ns, out, &why)) {
        roster_problems_add(r->problems, value->line, "%s", why.text);
    }
}

static void read_limits(struct roster_reader *r)
{
    struct judge_rules *rules = &r->roster.rules.judge;
    const struct game *game = r->roster.game;
    rules->game = game;
    rules->has_auction = game->auction != NULL;
    rules->limit_ns = (int64_t)(game->time_limit_s * 1e9);
    rules->grace_ns = CLOCK_NS_PER_S / 4;
    rules->startup_ns = 10 * CLOCK_NS_PER_S;
    rules->game_limit_ns = 3600 * CLOCK_NS_PER_S;
    read_seconds(r, "time_limit", shortest_ns, &rules->limit_ns);
    read_seconds(r, "grace", 0, &rules->grace_ns);
    read_seconds(r, "startup_limit", shortest_ns, &rules->startup_ns);
    int64_t least_ns = rules->limit_ns + rules->grace_ns;
    int64_t hard_ns = (int64_t)(game->hard_limit_s * 1e9);
    int line = tournament_value(r, "hard_limit")->line;
    if (!hard_ns && line) {
        roster_problems_add(
            r->problems, line,
            "hard_limit: in %s a late move does not count, so there is one limit only", game->name);
    } else if (hard_ns) {
        hard_ns = hard_ns > least_ns ? hard_ns : least_ns;
        read_seconds(r, "hard_limit", least_ns, &hard_ns);
    }
    rules->hard_limit_ns = hard_ns;
}

static void check_entries(struct roster_reader *r)
{
    const struct roster *roster = &r->roster;
    for (int i = 0; i < roster->team_count; i++) {
        const struct roster_team *team = &roster->teams[i];
        if (team->entered_after >= 0 && roster->format == ROSTER_KNOCKOUT) {
            roster_problems_add(r->problems, team->line,
                                "team %s: entered_after: no team can enter a knockout later",
                                team->id);
        } else if (team->entered_after >= roster->rounds && roster->format == ROSTER_SWISS) {
            roster_problems_add(r->problems, team->line,
                                "team %s: entered_after must be below the number of rounds, %d",
                                team->id, roster->rounds);
        }
    }
}

/* Of the teams from `from` to `to`. */
static int count_accepted(const struct roster *roster, int from, int to)
{
    int count = 0;
    for (int i = from; i < to; i++) {
        count += !roster_refuses(roster, i);
    }
    return count;
}

static void read_rounds(struct roster_reader *r)
{
    struct roster *roster = &r->roster;
    const struct roster_value *value = tournament_value(r, "rounds");
    static int (*const usual[])(int teams) = {pairing_round_robin_rounds, pairing_swiss_rounds,
                                              NULL, pairing_knockout_rounds};
    int starters = count_accepted(roster, 0, roster->starter_count);
    if (starters < 2) {
        return;
    }
    roster->rounds = usual[roster->format] ? usual[roster->format](starters) : 1;
    if (roster->format == ROSTER_DOUBLE_ROUND_ROBIN || roster->format == ROSTER_GAUNTLET) {
        roster->rounds += count_accepted(roster, roster->starter_count, roster->team_count);
    }
    if (value->line && roster->format != ROSTER_SWISS) {
        roster_problems_add(r->problems, value->line,
                            "rounds: only a swiss tournament lets you choose; leave it out");
    } else {
        (void)read_count(r, value, "rounds", 1, ROSTER_MAX_ROUNDS, &roster->rounds);
    }
    check_entries(r);
}

static void read_games_per_pairing(struct roster_reader *r)
{
    struct roster *roster = &r->roster;
    const struct roster_value *value = tournament_value(r, "games_per_pairing");
    roster->games_per_pairing = 2;
    if (read_count(r, value, "games_per_pairing", 1, ROSTER_MAX_GAMES_PER_PAIRING,
                   &roster->games_per_pairing) &&
        roster->format == ROSTER_DOUBLE_ROUND_ROBIN && roster->games_per_pairing % 2) {
        roster_problems_add(
            r->problems, value->line,
            "games_per_pairing must be even in a double-round-robin: both are Black equally "
            "often");
    }
}

/* --- Points and tie-breaks --- */

enum { POINT_NUMBERS = 3 };

/* Each is 0 … RANKING_MOST_POINTS, a win is worth most and more than a loss. */
static bool are_points_in_order(const int64_t points[POINT_NUMBERS])
{
    return points[0] >= points[1] && points[1] >= points[2] && points[0] > points[2];
}

static void read_points(struct roster_reader *r)
{
    struct ranking_rules *ranking = &r->roster.ranking;
    const struct roster_value *value = tournament_value(r, "points");
    int64_t points[POINT_NUMBERS] = {ranking->win, ranking->draw, ranking->loss};
    char text[sizeof value->text];
    char *rest = text;
    int count = 0;
    bool is_valid = true;
    if (!value->line) {
        return;
    }
    snprintf(text, sizeof text, "%s", value->text);
    for (char *word; (word = strtok_r(rest, " \t,", &rest)); count++) {
        is_valid = is_valid && count < POINT_NUMBERS &&
                   !number_read(word, "points", 0, RANKING_MOST_POINTS, &points[count], NULL);
    }
    if (!is_valid || count != POINT_NUMBERS || !are_points_in_order(points)) {
        roster_problems_add(r->problems, value->line,
                            "points must be three whole numbers from 0 to %d, for a win, a draw "
                            "and a loss, such as 3 1 0; a win gives most, and more than a loss; "
                            "not '%.40s'",
                            RANKING_MOST_POINTS, value->text);
        return;
    }
    ranking->win = ranking->bye = (int)points[0];
    ranking->draw = (int)points[1];
    ranking->loss = (int)points[2];
}

static bool has_tie_break(const struct ranking_rules *rules, enum ranking_figure figure)
{
    for (int i = 0; i < rules->tie_break_count; i++) {
        if (rules->tie_breaks[i] == figure) {
            return true;
        }
    }
    return false;
}

static void refuse_tie_break(struct roster_reader *r, const struct roster_value *value,
                             const char *word, const char *problem)
{
    struct ranking_rules usual = ranking_rules_usual();
    char list[128] = "";
    for (int i = 0; i < usual.tie_break_count; i++) {
        note_list(list, sizeof list, "%s", ranking_figure_name(usual.tie_breaks[i]));
    }
    roster_problems_add(r->problems, value->line,
                        "tiebreaks: '%.40s' %s; list each of these at most once, with commas: %s",
                        word, problem, list);
}

static void read_tie_breaks(struct roster_reader *r)
{
    const struct roster_value *value = tournament_value(r, "tiebreaks");
    struct ranking_rules rules = {0};
    char text[sizeof value->text];
    char *rest = text;
    if (!value->line) {
        return;
    }
    snprintf(text, sizeof text, "%s", value->text);
    for (char *word; (word = strtok_r(rest, " \t,", &rest));) {
        enum ranking_figure figure = ranking_figure_find(word);
        const char *problem = figure == RANKING_FIGURES       ? "is not a tie-break"
                              : figure == RANKING_POINTS      ? "always decides first"
                              : figure == RANKING_LOT         ? "always decides last"
                              : has_tie_break(&rules, figure) ? "is listed twice"
                                                              : NULL;
        if (problem) {
            refuse_tie_break(r, value, word, problem);
            return;
        }
        rules.tie_breaks[rules.tie_break_count++] = figure;
    }
    if (rules.tie_break_count == 0) {
        refuse_tie_break(r, value, value->text, "names no tie-break");
        return;
    }
    memcpy(r->roster.ranking.tie_breaks, rules.tie_breaks, sizeof rules.tie_breaks);
    r->roster.ranking.tie_break_count = rules.tie_break_count;
}

static void read_ranking(struct roster_reader *r)
{
    r->roster.ranking = ranking_rules_usual();
    r->roster.ranking.late_teams = r->roster.team_count - r->roster.starter_count;
    read_points(r);
    (void)read_count(r, tournament_value(r, "bye_points"), "bye_points", 0, r->roster.ranking.win,
                     &r->roster.ranking.bye);
    read_tie_breaks(r);
}

static int usual_format(const struct game *game)
{
    return game && game->is_swiss ? ROSTER_SWISS : ROSTER_DOUBLE_ROUND_ROBIN;
}

static void read_penalties(struct roster_reader *r)
{
    const struct roster_value *value = tournament_value(r, "penalties");
    struct note why;
    r->roster.has_penalties = value->line;
    if (value->line && deduction_list_read(value->text, r->roster.penalties, &why)) {
        roster_problems_add(r->problems, value->line, "%s", why.text);
    }
}

static void read_memory(struct roster_reader *r)
{
    const struct roster_value *value = tournament_value(r, "memory");
    struct note why;
    r->roster.rules.memory_bytes = sandbox_limits_default().memory_bytes;
    if (value->line &&
        sandbox_limits_read_memory(value->text, "memory", &r->roster.rules.memory_bytes, &why)) {
        roster_problems_add(r->problems, value->line, "%s", why.text);
    }
}

static void read_python(struct roster_reader *r)
{
    const struct roster_value *value = tournament_value(r, "python");
    struct note why;
    r->roster.python_line = value->line;
    if (value->line && player_spec_check_python(value->text, "python", &why)) {
        roster_problems_add(r->problems, value->line, "%s", why.text);
    }
}

static void read_tournament(struct roster_reader *r)
{
    struct roster *roster = &r->roster;
    struct note why;
    int64_t seed = 1;
    if (!r->tournament_line) {
        roster_problems_add(r->problems, 1, "there is no section [tournament]");
        return;
    }
    snprintf(roster->name, sizeof roster->name, "%s", "tournament");
    read_values(r, tournament_keys, r->tournament, roster);
    roster->format =
        (enum roster_format)read_word(r, "format", formats, usual_format(roster->game));
    if (!tournament_value(r, "qualification")->line) {
        roster->has_qualification = roster->format == ROSTER_SWISS;
    }
    roster->rules.violations_lose = read_word(r, "hostile_attempts", attempt_rules, 0) == 1;
    roster->refuses_late = read_word(r, "late_hand_ins", late_rules, 0) == 1;
    roster->accepts_late = tournament_value(r, "late_hand_ins")->line && !roster->refuses_late;
    roster->keeps_disqualified_games = read_word(r, "disqualified_games", void_rules, 0) == 1;
    roster->rules.sandbox = (enum sandbox_mode)read_word(r, "sandbox", sandbox_modes, SANDBOX_AUTO);
    const struct roster_value *value = tournament_value(r, "seed");
    if (value->line && number_read(value->text, "seed", 0, INT64_MAX, &seed, &why)) {
        roster_problems_add(r->problems, value->line, "%s", why.text);
    }
    roster->seed = (uint64_t)seed;
    read_penalties(r);
    read_memory(r);
    read_python(r);
    read_rounds(r);
    read_games_per_pairing(r);
    read_ranking(r);
    if (roster->game) {
        read_limits(r);
    }
}

static void find_game(struct roster_reader *r, enum cpu_level cpu)
{
    const struct roster_value *value = tournament_value(r, "game");
    struct note why;
    if (!value->line) {
        if (r->tournament_line) {
            roster_problems_add(r->problems, r->tournament_line, "game is missing: game = %s",
                                registry_at(cpu, 0)->name);
        }
        return;
    }
    r->roster.game = registry_find(cpu, value->text, &why);
    if (!r->roster.game) {
        roster_problems_add(r->problems, value->line, "game: %s", why.text);
    }
}

/* The program of a source sends its team's number over the network, so there must be one: id_team
 * or the id; and its path becomes a word of a command. */
static void check_source(struct roster_reader *r, const struct roster_team *team)
{
    int64_t number = 0;
    if (team->source[strcspn(team->source, "'\"$`\\&|;<>()*?[]{}#~!")]) {
        roster_problems_add(r->problems, team->line,
                            "team %s: source: quotes and other signs of the shell cannot stand "
                            "in a path here",
                            team->id);
    }
    if (!r->roster.game->auction && is_fit_for_id(team->id) && !team->has_id_team &&
        number_read(team->id, "team", 0, PLAYER_MAX_TEAM, &number, NULL)) {
        roster_problems_add(
            r->problems, team->line,
            "team %s has a source, so its id must be the number that it sends to the judge, or "
            "id_team that number",
            team->id);
    }
}

static void check_players(struct roster_reader *r)
{
    struct player_spec spec;
    struct note why;
    for (int i = 0; i < r->roster.team_count; i++) {
        const struct roster_team *team = &r->roster.teams[i];
        if (team->source[0]) {
            check_source(r, team);
        }
        if (!team->player[0]) {
            continue;
        }
        if (player_spec_read(team->player, r->roster.game, &spec, &why)) {
            roster_problems_add(r->problems, team->line, "team %s: player: %s", team->id, why.text);
        } else if (spec.kind == PLAYER_HUMAN) {
            roster_problems_add(r->problems, team->line,
                                "team %s: a person cannot take part in a tournament", team->id);
        }
    }
}

/* --- References --- */

static void check_reference(struct roster_reader *r, const struct roster_value *value)
{
    struct player_spec spec;
    struct note why;
    if (roster_find(&r->roster, value->text) >= 0) {
        roster_problems_add(r->problems, value->line,
                            "reference %s: a team or another reference has that id", value->text);
    } else if (r->roster.game && player_spec_read(value->text, r->roster.game, &spec, &why)) {
        roster_problems_add(r->problems, value->line, "reference: %s", why.text);
    } else if (r->roster.game && spec.kind == PLAYER_HUMAN) {
        roster_problems_add(r->problems, value->line,
                            "reference: a person cannot take part in a tournament");
    }
}

/* After the teams: their number is known then. */
static void add_references(struct roster_reader *r)
{
    struct roster *roster = &r->roster;
    roster->slot_count = roster->team_count;
    if (roster->team_count + r->reference_count > ROSTER_MAX_TEAMS) {
        roster_problems_add(r->problems, r->references[0].line, "more than %d teams and references",
                            ROSTER_MAX_TEAMS);
        return;
    }
    if (!r->reference_count) {
        return;
    }
    struct roster_team *teams = calloc(ROSTER_MAX_TEAMS, sizeof *teams);
    if (!teams) {
        r->is_out_of_memory = true;
        return;
    }
    if (roster->team_count) {
        memcpy(teams, roster->teams, (size_t)roster->team_count * sizeof *teams);
    }
    free(roster->teams);
    roster->teams = teams;
    roster->slot_count = ROSTER_MAX_TEAMS;
    for (int i = 0; i < r->reference_count; i++) {
        const struct roster_value *value = &r->references[i];
        check_reference(r, value);
        struct roster_team *reference =
            &teams[roster_entrant(roster, roster->team_count + roster->reference_count++)];
        *reference =
            (struct roster_team){.line = value->line, .withdrawn_after = -1, .entered_after = -1};
        snprintf(reference->id, sizeof reference->id, "%s", value->text);
        snprintf(reference->name, sizeof reference->name, "%s", value->text);
        snprintf(reference->player, sizeof reference->player, "%s", value->text);
    }
}

/* --- Public --- */

static void check_team_count(struct roster_reader *r)
{
    int line = r->ini.number > 0 ? r->ini.number : 1;
    if (r->roster.starter_count < 2) {
        roster_problems_add(r->problems, line, "a tournament needs two teams, and here %s",
                            r->roster.starter_count ? "is only one" : "is none");
    } else if (count_accepted(&r->roster, 0, r->roster.starter_count) < 2) {
        roster_problems_add(r->problems, line,
                            "a tournament needs two teams that were handed in in time: with "
                            "late_hand_ins = play late ones also play");
    }
}

static enum err read_all(struct roster_reader *r, enum cpu_level cpu)
{
    struct ini_line line;
    if (memchr(r->ini.text, '\0', r->ini.bytes)) {
        roster_problems_add(r->problems, 1, "this is not a text file");
        return ERR_INPUT;
    }
    if (r->ini.bytes > ROSTER_MAX_BYTES) {
        roster_problems_add(r->problems, 1, "the file is larger than %d bytes", ROSTER_MAX_BYTES);
        return ERR_INPUT;
    }
    if (r->ini.bytes >= 3 && memcmp(r->ini.text, "\xef\xbb\xbf", 3) == 0) {
        r->ini.text += 3;
        r->ini.bytes -= 3;
    }
    while (ini_next(&r->ini, &line)) {
        take_line(r, &line);
    }
    finish_section(r);
    find_game(r, cpu);
    read_tournament(r);
    check_students(r);
    check_team_count(r);
    if (r->roster.game) {
        check_players(r);
    }
    add_references(r);
    if (r->is_out_of_memory) {
        roster_problems_add(r->problems, 1, "no memory for the teams");
        return ERR_ENVIRONMENT;
    }
    return r->problems->count ? ERR_INPUT : ERR_NONE;
}

enum err roster_read_anyway(const char *text, size_t bytes, enum cpu_level cpu, struct roster *out,
                            struct roster_problems *problems)
{
    struct roster_reader *r = calloc(1, sizeof *r);
    problems->count = 0;
    if (!r) {
        return note_fail(&problems->list[problems->count++], ERR_ENVIRONMENT,
                         "no memory to read the roster");
    }
    r->text = text;
    r->roster.starter_bytes = bytes;
    r->ini = (struct ini_reader){.text = text, .bytes = bytes};
    r->problems = problems;
    enum err err = read_all(r, cpu);
    roster_problems_sort(problems);
    *out = r->roster;
    free(r);
    return err;
}

enum err roster_read(const char *text, size_t bytes, enum cpu_level cpu, struct roster *out,
                     struct roster_problems *problems)
{
    struct roster roster = {0};
    enum err err = roster_read_anyway(text, bytes, cpu, &roster, problems);
    if (err) {
        roster_free(&roster);
    } else {
        *out = roster;
    }
    return err;
}

void roster_free(struct roster *roster)
{
    free(roster->teams);
    free(roster->students);
    *roster = (struct roster){0};
}

int roster_entrant_count(const struct roster *roster)
{
    return roster->team_count + roster->reference_count;
}

int roster_entrant(const struct roster *roster, int index)
{
    return index < roster->team_count ? index : ROSTER_MAX_TEAMS - 1 - (index - roster->team_count);
}

bool roster_is_reference(const struct roster *roster, int team)
{
    return team >= roster->team_count;
}

int roster_find(const struct roster *roster, const char *id)
{
    for (int i = 0; i < roster_entrant_count(roster); i++) {
        int team = roster_entrant(roster, i);
        if (strcmp(roster->teams[team].id, id) == 0) {
            return team;
        }
    }
    return -1;
}

const struct roster_student *roster_find_student(const struct roster *roster, const char *id)
{
    for (int i = 0; i < roster->student_count; i++) {
        if (strcmp(roster->students[i].id, id) == 0) {
            return &roster->students[i];
        }
    }
    return NULL;
}

bool roster_refuses(const struct roster *roster, int team)
{
    return roster->refuses_late && !roster_is_reference(roster, team) &&
           roster->teams[team].days_late > 0;
}

int roster_playing_count(const struct roster *roster)
{
    return count_accepted(roster, 0, roster->team_count);
}

void roster_check_ids(const struct roster *roster, struct roster_problems *problems)
{
    for (int i = 0; i < roster->team_count; i++) {
        if (strcmp(roster->teams[i].id, "random") == 0) {
            roster_problems_add(problems, roster->teams[i].line,
                                "team random: this id is that of the opponent in the "
                                "qualification; choose another one");
        }
    }
}

const char *roster_format_name(enum roster_format format) { return formats[format]; }
