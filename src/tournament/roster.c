/* roster: an INI file becomes teams, students and rules, and every mistake in it a sentence.
 *
 * Long because each key of the file has its own reader and its own complaints.
 */
#include "base/array.h"
#include "tournament/roster.h"

#include <ini.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/number.h"
#include "base/utf8.h"
#include "game/registry.h"
#include "tournament/pairing.h"

enum tournament_key {
    KEY_NAME,
    KEY_GAME,
    KEY_FORMAT,
    KEY_ROUNDS,
    KEY_GAMES,
    KEY_TIME_LIMIT,
    KEY_GRACE,
    KEY_STARTUP_LIMIT,
    KEY_HARD_LIMIT,
    KEY_SEED,
    KEY_SANDBOX,
    KEY_MEMORY,
    KEY_PYTHON,
    KEY_CONCURRENCY,
    TOURNAMENT_KEYS
};

enum team_key {
    TEAM_NAME,
    TEAM_PLAYER,
    TEAM_SOURCE,
    TEAM_DAYS_LATE,
    TEAM_PLAGIARISM,
    TEAM_WITHDRAWN_AFTER,
    TEAM_WRONG_NAME,
    TEAM_MISSING_REPORT,
    TEAM_BUILD_LOG,
    TEAM_REPORT_PAGES,
    TEAM_ID_TEAM,
    TEAM_NO_PROGRAM,
    TEAM_WRONG_FILES,
    TEAM_FILES,
    TEAM_KEYS
};

enum student_key { STUDENT_NAME, STUDENT_TEAM, STUDENT_EMAIL, STUDENT_IDENTIFIER, STUDENT_KEYS };

enum { MOST_KEYS = TOURNAMENT_KEYS, LINE_ROOM = 4096, SECTION_ROOM = 48 };

static const char *const tournament_keys[] = {
    "name",       "game",   "format",        "rounds",      "games_per_pairing",
    "time_limit", "grace",  "startup_limit", "hard_limit",  "seed",
    "sandbox",    "memory", "python",        "concurrency", NULL};
static const char *const team_keys[] = {
    "name",        "player",         "source",    "days_late",    "plagiarism", "withdrawn_after",
    "wrong_name",  "missing_report", "build_log", "report_pages", "id_team",    "no_program",
    "wrong_files", "files",          NULL};
static const char *const student_keys[] = {"name", "team", "email", "identifier", NULL};
static const char *const formats[] = {"double-round-robin", "swiss", "gauntlet", "knockout"};

static const int64_t longest_ns = 86400 * CLOCK_NS_PER_S;
static const int64_t shortest_ns = CLOCK_NS_PER_MS;

struct value {
    char text[PLAYER_TEXT_BYTES];
    int line; /* 0: not given */
};

enum section { SECTION_NONE, SECTION_TOURNAMENT, SECTION_TEAM, SECTION_STUDENT, SECTION_IGNORED };

/* A roster while it is read. */
struct reading {
    const char *text; /* what is left of the file */
    size_t bytes;
    int line;
    bool is_piece; /* inih got only a part of this line */
    enum section section;
    int tournament_line;
    struct value values[MOST_KEYS]; /* of the section that is read */
    struct value tournament[TOURNAMENT_KEYS];
    int section_line;
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

static void __attribute__((format(printf, 3, 4)))
complain(struct reading *r, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_problem(r->problems, line, format, arguments);
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

static int word_index(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* --- A team's section --- */

static bool read_count(struct reading *r, const struct value *value, const char *what, int64_t low,
                       int64_t high, int *out)
{
    int64_t number = 0;
    struct note why;
    if (!value->line) {
        return true;
    }
    if (number_read(value->text, what, low, high, &number, &why)) {
        complain(r, value->line, "%s", why.text);
        return false;
    }
    *out = (int)number;
    return true;
}

static void read_claim(struct reading *r, const struct value *value, const char *what, bool *out)
{
    if (!value->line) {
        return;
    }
    if (strcmp(value->text, "yes") != 0 && strcmp(value->text, "no") != 0) {
        complain(r, value->line, "%s must be yes or no, not '%.40s'", what, value->text);
        return;
    }
    *out = strcmp(value->text, "yes") == 0;
}

static void copy_value(struct reading *r, const struct value *value, const char *what, char *out,
                       size_t room)
{
    if (!value->line) {
        return;
    }
    if (strlen(value->text) >= room) {
        complain(r, value->line, "%s is too long: at most %zu bytes", what, room - 1);
        return;
    }
    strcpy(out, value->text);
}

/* Room for one more; NULL: there is none. */
static void *grow(struct reading *r, void *list, int count, size_t *capacity, size_t item_bytes)
{
    void *grown = array_reserve(list, capacity, (size_t)count + 1, item_bytes);
    r->is_out_of_memory |= !grown;
    return grown;
}

static struct roster_team *add_team(struct reading *r)
{
    struct roster *roster = &r->roster;
    struct roster_team *teams =
        grow(r, roster->teams, roster->team_count, &r->team_capacity, sizeof *teams);
    if (!teams) {
        return NULL;
    }
    roster->teams = teams;
    struct roster_team *team = &teams[roster->team_count++];
    *team = (struct roster_team){.line = r->section_line, .withdrawn_after = -1};
    return team;
}

static void finish_team(struct reading *r)
{
    const struct value *values = r->values;
    int same = roster_find(&r->roster, r->section_id);
    if (same >= 0) {
        complain(r, r->section_line, "team %s is there twice; the first is in line %d",
                 r->section_id, r->roster.teams[same].line);
    }
    if (r->roster.team_count == ROSTER_MAX_TEAMS) {
        complain(r, r->section_line, "more than %d teams", ROSTER_MAX_TEAMS);
        return;
    }
    struct roster_team *team = add_team(r);
    if (!team) {
        return;
    }
    strcpy(team->id, r->section_id);
    strcpy(team->name, r->section_id);
    copy_value(r, &values[TEAM_NAME], "name", team->name, sizeof team->name);
    copy_value(r, &values[TEAM_PLAYER], "player", team->player, sizeof team->player);
    copy_value(r, &values[TEAM_SOURCE], "source", team->source, sizeof team->source);
    copy_value(r, &values[TEAM_BUILD_LOG], "build_log", team->build_log, sizeof team->build_log);
    (void)read_count(r, &values[TEAM_DAYS_LATE], "days_late", 0, 1000, &team->days_late);
    (void)read_count(r, &values[TEAM_WITHDRAWN_AFTER], "withdrawn_after", 0, ROSTER_MAX_ROUNDS,
                     &team->withdrawn_after);
    copy_value(r, &values[TEAM_NO_PROGRAM], "no_program", team->no_program,
               sizeof team->no_program);
    copy_value(r, &values[TEAM_WRONG_FILES], "wrong_files", team->wrong_files,
               sizeof team->wrong_files);
    copy_value(r, &values[TEAM_FILES], "files", team->files, sizeof team->files);
    read_claim(r, &values[TEAM_PLAGIARISM], "plagiarism", &team->is_plagiarism);
    read_claim(r, &values[TEAM_WRONG_NAME], "wrong_name", &team->has_wrong_name);
    read_claim(r, &values[TEAM_MISSING_REPORT], "missing_report", &team->lacks_report);
    (void)read_count(r, &values[TEAM_REPORT_PAGES], "report_pages", 1, ROSTER_MAX_REPORT_PAGES,
                     &team->report_pages);
    team->has_id_team = values[TEAM_ID_TEAM].line;
    (void)read_count(r, &values[TEAM_ID_TEAM], "id_team", -1, PLAYER_MAX_TEAM, &team->id_team);
    bool has_player = values[TEAM_PLAYER].line;
    bool has_source = values[TEAM_SOURCE].line;
    if (has_player == has_source) {
        complain(r, r->section_line, "team %s needs %s", team->id,
                 has_player ? "either a player or a source, not both" : "a player or a source");
    }
}

/* --- A student's section --- */

static void finish_student(struct reading *r)
{
    struct roster *roster = &r->roster;
    const struct value *values = r->values;
    if (roster->student_count == ROSTER_MAX_STUDENTS) {
        complain(r, r->section_line, "more than %d students", ROSTER_MAX_STUDENTS);
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
    strcpy(student->id, r->section_id);
    strcpy(student->name, r->section_id);
    copy_value(r, &values[STUDENT_NAME], "name", student->name, sizeof student->name);
    copy_value(r, &values[STUDENT_TEAM], "team", student->team_id, sizeof student->team_id);
    copy_value(r, &values[STUDENT_EMAIL], "email", student->email, sizeof student->email);
    copy_value(r, &values[STUDENT_IDENTIFIER], "identifier", student->identifier,
               sizeof student->identifier);
}

static int compare_students(const void *a, const void *b)
{
    const struct roster_student *const *x = a;
    const struct roster_student *const *y = b;
    int order = strcmp((*x)->id, (*y)->id);
    return order ? order : (*x)->line - (*y)->line;
}

static void find_double_students(struct reading *r)
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
            complain(r, sorted[i]->line, "duplicate student %s; the first is in line %d",
                     sorted[i]->id, sorted[i - 1]->line);
        }
    }
    free(sorted);
}

/* A student may come before the team in the file. */
static void check_students(struct reading *r)
{
    for (int i = 0; i < r->roster.student_count; i++) {
        struct roster_student *student = &r->roster.students[i];
        student->team = student->team_id[0] ? roster_find(&r->roster, student->team_id) : -1;
        if (student->team_id[0] && student->team < 0) {
            complain(r, student->line, "student %s: there is no team %.40s", student->id,
                     student->team_id);
        }
    }
    find_double_students(r);
}

/* --- Sections --- */

static void finish_section(struct reading *r)
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

static void open_person(struct reading *r, const char *id, enum section section)
{
    if (!is_fit_for_id(id)) {
        complain(r, r->line,
                 "'%.40s' is no id for a %s: at most %d letters, digits, '_', '-' and '.'", id,
                 section == SECTION_TEAM ? "team" : "student", ROSTER_ID_BYTES - 1);
    }
    utf8_clean(id, r->section_id,
               sizeof r->section_id); /* cuts an unfit one, whose keys are read, too */
    r->section_line = r->line;
    r->section = section;
}

static void open_section(struct reading *r, const char *name)
{
    finish_section(r);
    r->section = SECTION_IGNORED;
    if (strncmp(name, "team ", 5) == 0) {
        open_person(r, name + 5 + strspn(name + 5, " "), SECTION_TEAM);
    } else if (strncmp(name, "student ", 8) == 0) {
        open_person(r, name + 8 + strspn(name + 8, " "), SECTION_STUDENT);
    } else if (strcmp(name, "tournament") != 0) {
        complain(r, r->line,
                 "no section is called [%.40s]: there are [tournament], [team ID] and [student ID]",
                 name);
    } else if (r->tournament_line) {
        complain(r, r->line, "[tournament] is there twice; the first is in line %d",
                 r->tournament_line);
    } else {
        r->tournament_line = r->line;
        r->section = SECTION_TOURNAMENT;
    }
}

/* --- Lines, as inih asks for them --- */

/* inih says nothing of lines that it does not understand, nor of sections without keys. */
static bool check_line(struct reading *r, const char *line, size_t length)
{
    char copy[LINE_ROOM];
    if (length >= sizeof copy) {
        complain(r, r->line, "the line is too long: at most %zu bytes", sizeof copy - 1);
        return false;
    }
    memcpy(copy, line, length);
    copy[length] = '\0';
    if (utf8_clean_prefix(copy, length) != length) {
        complain(r, r->line,
                 "this is not plain UTF-8 text: there are wrong bytes, control characters or signs "
                 "that turn the direction of text");
        return false;
    }
    if (copy[0] == '[') {
        char *end = strchr(copy, ']');
        if (!end || end - copy > SECTION_ROOM) {
            complain(r, r->line, "a section looks like this: [tournament] or [team 7]");
            finish_section(r);
            r->section = SECTION_IGNORED;
            return false;
        }
        *end = '\0';
        open_section(r, copy + 1);
        return true;
    }
    if (copy[0] && !strchr("#;", copy[0]) && !strpbrk(copy, "=:")) {
        complain(r, r->line, "'%.40s' is neither a section nor a key with its value", copy);
        return false;
    }
    return !strchr("#;", copy[0]);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Where a line that is too long for inih can be cut so that nothing is lost when the pieces are
 * joined again; 0: nowhere. */
static size_t piece_length(const char *line, size_t length, size_t room)
{
    if (length <= room) {
        return length;
    }
    size_t cut = room;
    while (cut && (is_blank(line[cut - 1]) || is_blank(line[cut]) || strchr("#;", line[cut]))) {
        cut--;
    }
    return cut;
}

static char *give_line(char *out, const char *line, size_t length, bool is_continued)
{
    char *at = out;
    if (is_continued) {
        *at++ = ' ';
    }
    memcpy(at, line, length);
    strcpy(at + length, "\n");
    return out;
}

/* An fgets for inih. Indentation is taken away: to inih it would mean that a value goes on. */
static char *read_line(char *out, int room, void *stream)
{
    struct reading *r = stream;
    bool is_continued = r->is_piece;
    if (r->bytes == 0) {
        return NULL;
    }
    const char *end = memchr(r->text, '\n', r->bytes);
    size_t length = end ? (size_t)(end - r->text) : r->bytes;
    size_t indent = 0;
    size_t kept = length;
    if (!is_continued) {
        r->line++;
        while (indent < length && is_blank(r->text[indent])) {
            indent++;
        }
    }
    while (kept > indent && is_blank(r->text[kept - 1])) {
        kept--;
    }
    const char *line = r->text + indent;
    size_t given = kept - indent;
    if (!is_continued && !check_line(r, line, given)) {
        given = 0;
    } else {
        size_t piece = piece_length(line, given, (size_t)room - 3);
        r->is_piece = piece < given && piece > 0;
        if (r->is_piece) {
            r->text += indent + piece;
            r->bytes -= indent + piece;
            return give_line(out, line, piece, is_continued);
        }
        if (piece < given) {
            complain(r, r->line, "too many blanks in one line");
            given = 0;
        }
    }
    r->is_piece = false;
    length += end != NULL;
    r->text += length;
    r->bytes -= length;
    return give_line(out, line, given, is_continued);
}

static int take_key(void *owner, const char *section, const char *name, const char *text)
{
    struct reading *r = owner;
    static const struct {
        const char *name;
        const char *const *keys;
    } sections[] = {[SECTION_TOURNAMENT] = {"tournament", tournament_keys},
                    [SECTION_TEAM] = {"team", team_keys},
                    [SECTION_STUDENT] = {"student", student_keys}};
    (void)section;
    if (r->section == SECTION_IGNORED) {
        return 1;
    }
    if (r->section == SECTION_NONE) {
        complain(r, r->line, "%s stands in no section: begin with [tournament]", name);
        return 1;
    }
    int key = word_index(sections[r->section].keys, name);
    if (key < 0) {
        complain(r, r->line, "there is no key '%.40s' in [%s]", name, sections[r->section].name);
        return 1;
    }
    struct value *value = &r->values[key];
    size_t used = value->line == r->line ? strlen(value->text) : 0;
    if (value->line && value->line != r->line) {
        complain(r, r->line, "%s is there twice; the first is in line %d", name, value->line);
    } else if (!*text) {
        complain(r, r->line, "%s has no value", name);
    } else if (used + strlen(text) >= sizeof value->text) {
        complain(r, r->line, "%s is too long: at most %zu bytes", name, sizeof value->text - 1);
    } else {
        strcpy(value->text + used, text);
        value->line = r->line;
    }
    return 1;
}

/* --- The tournament's section, when all is read --- */

static int read_word(struct reading *r, enum tournament_key key, const char *const *words,
                     int count, int usual)
{
    const struct value *value = &r->tournament[key];
    if (!value->line) {
        return usual;
    }
    char list[128] = "";
    for (int i = 0; i < count; i++) {
        if (strcmp(words[i], value->text) == 0) {
            return i;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", words[i]);
    }
    complain(r, value->line, "%s must be one of %s, not '%.40s'", tournament_keys[key], list,
             value->text);
    return usual;
}

static void read_seconds(struct reading *r, enum tournament_key key, int64_t low_ns, int64_t *out)
{
    struct note why;
    const struct value *value = &r->tournament[key];
    if (value->line &&
        number_read_seconds(value->text, tournament_keys[key], low_ns, longest_ns, out, &why)) {
        complain(r, value->line, "%s", why.text);
    }
}

static void read_limits(struct reading *r)
{
    struct judge_rules *rules = &r->roster.rules;
    const struct game *game = r->roster.game;
    rules->game = game;
    rules->has_auction = game->auction != NULL;
    rules->limit_ns = (int64_t)(game->time_limit_s * 1e9);
    rules->grace_ns = CLOCK_NS_PER_S / 4;
    rules->startup_ns = 10 * CLOCK_NS_PER_S;
    rules->game_limit_ns = 3600 * CLOCK_NS_PER_S;
    read_seconds(r, KEY_TIME_LIMIT, shortest_ns, &rules->limit_ns);
    read_seconds(r, KEY_GRACE, 0, &rules->grace_ns);
    read_seconds(r, KEY_STARTUP_LIMIT, shortest_ns, &rules->startup_ns);
    int64_t least_ns = rules->limit_ns + rules->grace_ns;
    int64_t hard_ns = (int64_t)(game->hard_limit_s * 1e9);
    int line = r->tournament[KEY_HARD_LIMIT].line;
    if (!hard_ns && line) {
        complain(r, line,
                 "hard_limit: in %s a late move does not count, so there is one limit only",
                 game->name);
    } else if (hard_ns) {
        hard_ns = hard_ns > least_ns ? hard_ns : least_ns;
        read_seconds(r, KEY_HARD_LIMIT, least_ns, &hard_ns);
    }
    rules->hard_limit_ns = hard_ns;
}

static void read_rounds(struct reading *r)
{
    struct roster *roster = &r->roster;
    const struct value *value = &r->tournament[KEY_ROUNDS];
    static int (*const usual[])(int teams) = {pairing_round_robin_rounds, pairing_swiss_rounds,
                                              NULL, pairing_knockout_rounds};
    if (roster->team_count < 2) {
        return;
    }
    roster->rounds = usual[roster->format] ? usual[roster->format](roster->team_count) : 1;
    if (value->line && roster->format != ROSTER_SWISS) {
        complain(r, value->line, "rounds: only a swiss tournament lets you choose; leave it out");
        return;
    }
    (void)read_count(r, value, "rounds", 1, ROSTER_MAX_ROUNDS, &roster->rounds);
}

static void read_games_per_pairing(struct reading *r)
{
    struct roster *roster = &r->roster;
    const struct value *value = &r->tournament[KEY_GAMES];
    roster->games_per_pairing = 2;
    if (read_count(r, value, "games_per_pairing", 1, ROSTER_MAX_GAMES_PER_PAIRING,
                   &roster->games_per_pairing) &&
        roster->format == ROSTER_DOUBLE_ROUND_ROBIN && roster->games_per_pairing % 2) {
        complain(r, value->line,
                 "games_per_pairing must be even in a double-round-robin: both are Black equally "
                 "often");
    }
}

static int usual_format(const struct game *game)
{
    return game && game->is_swiss ? ROSTER_SWISS : ROSTER_DOUBLE_ROUND_ROBIN;
}

static void read_memory(struct reading *r)
{
    const struct value *value = &r->tournament[KEY_MEMORY];
    struct note why;
    r->roster.memory_bytes = sandbox_limits_default().memory_bytes;
    if (value->line &&
        sandbox_limits_read_memory(value->text, "memory", &r->roster.memory_bytes, &why)) {
        complain(r, value->line, "%s", why.text);
    }
}

static void read_python(struct reading *r)
{
    const struct value *value = &r->tournament[KEY_PYTHON];
    struct note why;
    copy_value(r, value, "python", r->roster.python, sizeof r->roster.python);
    r->roster.python_line = value->line;
    if (value->line && player_spec_check_python(value->text, "python", &why)) {
        complain(r, value->line, "%s", why.text);
    }
}

static void read_tournament(struct reading *r)
{
    static const char *const modes[] = {"off", "auto", "strict"};
    struct roster *roster = &r->roster;
    struct note why;
    int64_t seed = 1;
    if (!r->tournament_line) {
        complain(r, 1, "there is no section [tournament]");
        return;
    }
    strcpy(roster->name, "tournament");
    copy_value(r, &r->tournament[KEY_NAME], "name", roster->name, sizeof roster->name);
    roster->format =
        (enum roster_format)read_word(r, KEY_FORMAT, formats, 4, usual_format(roster->game));
    roster->sandbox = (enum sandbox_mode)read_word(r, KEY_SANDBOX, modes, 3, SANDBOX_AUTO);
    const struct value *value = &r->tournament[KEY_SEED];
    if (value->line && number_read(value->text, "seed", 0, INT64_MAX, &seed, &why)) {
        complain(r, value->line, "%s", why.text);
    }
    roster->seed = (uint64_t)seed;
    (void)read_count(r, &r->tournament[KEY_CONCURRENCY], "concurrency", 1, 1000,
                     &roster->concurrency);
    read_memory(r);
    read_python(r);
    read_rounds(r);
    read_games_per_pairing(r);
    if (roster->game) {
        read_limits(r);
    }
}

static void find_game(struct reading *r, enum cpu_level cpu)
{
    const struct value *value = &r->tournament[KEY_GAME];
    struct note why;
    if (!value->line) {
        if (r->tournament_line) {
            complain(r, r->tournament_line, "game is missing: game = %s",
                     registry_at(cpu, 0)->name);
        }
        return;
    }
    r->roster.game = registry_find(cpu, value->text, &why);
    if (!r->roster.game) {
        complain(r, value->line, "game: %s", why.text);
    }
}

/* A source's program tells its team's number over the network, so the id must be one; and its path
 * becomes a word of a command. */
static void check_source(struct reading *r, const struct roster_team *team)
{
    int64_t number = 0;
    if (team->source[strcspn(team->source, "'\"$`\\&|;<>()*?[]{}#~!")]) {
        complain(r, team->line,
                 "team %s: source: quotes and other signs of the shell cannot stand "
                 "in a path here",
                 team->id);
    }
    if (!r->roster.game->auction && is_fit_for_id(team->id) &&
        number_read(team->id, "team", 0, PLAYER_MAX_TEAM, &number, NULL)) {
        complain(r, team->line,
                 "team %s has a source, so its id must be the number that it sends to the judge",
                 team->id);
    }
}

static void check_players(struct reading *r)
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
            complain(r, team->line, "team %s: player: %s", team->id, why.text);
        } else if (spec.kind == PLAYER_HUMAN) {
            complain(r, team->line, "team %s: a person cannot take part in a tournament", team->id);
        }
    }
}

/* --- Public --- */

static enum err read_all(struct reading *r, enum cpu_level cpu)
{
    if (memchr(r->text, '\0', r->bytes)) {
        complain(r, 1, "this is no text file");
        return ERR_INPUT;
    }
    if (r->bytes > ROSTER_MAX_BYTES) {
        complain(r, 1, "the file is larger than %d bytes", ROSTER_MAX_BYTES);
        return ERR_INPUT;
    }
    if (r->bytes >= 3 && memcmp(r->text, "\xef\xbb\xbf", 3) == 0) {
        r->text += 3;
        r->bytes -= 3;
    }
    (void)ini_parse_stream(read_line, r, take_key, r); /* check_line complains, with every line */
    finish_section(r);
    find_game(r, cpu);
    read_tournament(r);
    check_students(r);
    if (r->roster.team_count < 2) {
        complain(r, r->line > 0 ? r->line : 1, "a tournament needs two teams, and here %s",
                 r->roster.team_count ? "is only one" : "is none");
    }
    if (r->roster.game) {
        check_players(r);
    }
    if (r->is_out_of_memory) {
        complain(r, 1, "no memory for so many teams");
        return ERR_ENVIRONMENT;
    }
    return r->problems->count ? ERR_INPUT : ERR_NONE;
}

enum err roster_read_anyway(const char *text, size_t bytes, enum cpu_level cpu, struct roster *out,
                            struct roster_problems *problems)
{
    struct reading *r = calloc(1, sizeof *r);
    problems->count = 0;
    if (!r) {
        note_set(&problems->list[problems->count++], "no memory to read the roster");
        return ERR_ENVIRONMENT;
    }
    r->text = text;
    r->bytes = bytes;
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

int roster_find(const struct roster *roster, const char *id)
{
    for (int i = 0; i < roster->team_count; i++) {
        if (strcmp(roster->teams[i].id, id) == 0) {
            return i;
        }
    }
    return -1;
}

const char *roster_format_name(enum roster_format format) { return formats[format]; }
