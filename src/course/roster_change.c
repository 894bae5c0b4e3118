#include "course/roster_change.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/tournament_file.h"
#include "tournament/ini.h"

enum { SECTION_BYTES = 64, KEY_BYTES = 40, VALUE_BYTES = 1024 };

/* A key with its value. */
struct roster_line {
    char section[SECTION_BYTES]; /* "team 7" */
    char key[KEY_BYTES];
    char value[VALUE_BYTES];
    int number;
};

/* Goes through a roster key by key. */
struct roster_cursor {
    struct ini_reader ini;
    char section[SECTION_BYTES];
};

static struct roster_cursor begin(const char *roster)
{
    return (struct roster_cursor){.ini = {.text = roster, .bytes = strlen(roster)}};
}

/* False: there is no further key. */
static bool next_line(struct roster_cursor *cursor, struct roster_line *out)
{
    struct ini_line line;
    while (ini_next(&cursor->ini, &line)) {
        if (line.kind == INI_SECTION) {
            snprintf(cursor->section, sizeof cursor->section, "%s", line.key);
        } else if (line.kind == INI_KEY) {
            snprintf(out->key, sizeof out->key, "%s", line.key);
            snprintf(out->value, sizeof out->value, "%s", line.value);
            snprintf(out->section, sizeof out->section, "%s", cursor->section);
            out->number = line.number;
            return true;
        }
    }
    return false;
}

static bool has_section(const char *roster, const char *section)
{
    struct roster_cursor cursor = begin(roster);
    struct roster_line line;
    while (next_line(&cursor, &line)) {
        if (strcmp(line.section, section) == 0) {
            return true;
        }
    }
    return false;
}

static bool find_before(struct roster_cursor *cursor, const char *end,
                        const struct roster_line *wanted, struct roster_line *out)
{
    while ((!end || cursor->ini.text < end) && next_line(cursor, out)) {
        if (strcmp(out->section, wanted->section) == 0 && strcmp(out->key, wanted->key) == 0) {
            return true;
        }
    }
    return false;
}

/* The line with that key, whatever is around it. Looks first where the last one was found: most
 * lines follow each other in both. */
static bool find(const char *roster, struct roster_cursor *place, const struct roster_line *wanted,
                 struct roster_line *out)
{
    struct roster_cursor from_here = *place;
    struct roster_cursor from_start = begin(roster);
    if (find_before(&from_here, NULL, wanted, out)) {
        *place = from_here;
        return true;
    }
    if (find_before(&from_start, place->ini.text, wanted, out)) {
        *place = from_start;
        return true;
    }
    return false;
}

static const char for_a_new_one[] =
    "it counts for a new tournament: plum tournament run ROSTER --db FILE";

/* What does have the effect, as a command. */
static void advise(const struct roster_line *line, const char *database, bool is_removed, char *out,
                   size_t room)
{
    static const char *const notes[][2] = {{"days_late", "--days-late"},
                                           {"plagiarism", "--plagiarism"},
                                           {"wrong_name", "--wrong-name"},
                                           {"missing_report", "--missing-report"}};
    const char *team = strncmp(line->section, "team ", 5) == 0 ? line->section + 5 : NULL;
    for (size_t i = 0; team && i < sizeof notes / sizeof notes[0]; i++) {
        if (strcmp(line->key, notes[i][0]) == 0) {
            snprintf(out, room, "use: plum tournament note %.80s %s %s %.20s --reason TEXT",
                     database, team, notes[i][1],
                     !is_removed ? line->value
                     : i == 0    ? "0"
                                 : "no");
            return;
        }
    }
    if (team && strcmp(line->key, "withdrawn_after") == 0) {
        snprintf(out, room, "use: plum tournament withdraw %.80s %s%s --reason TEXT", database,
                 team, is_removed ? " --undo" : "");
    } else if (strncmp(line->section, "student ", 8) == 0) {
        snprintf(out, room, "use: plum tournament grade %.80s --students FILE", database);
    } else {
        snprintf(out, room, "%s", for_a_new_one);
    }
}

static void add(struct note *out, size_t room, size_t *count, const struct roster_line *line,
                const char *database, bool is_removed)
{
    char advice[200];
    size_t number = (*count)++;
    if (number >= room) {
        return;
    }
    advise(line, database, is_removed, advice, sizeof advice);
    if (is_removed) {
        note_set(&out[number], "'%s = %.50s' was taken out of [%.40s] without effect; %s",
                 line->key, line->value, line->section, advice);
    } else {
        note_set(&out[number], "line %d: '%s = %.50s' in [%.40s] has no effect; %s", line->number,
                 line->key, line->value, line->section, advice);
    }
}

/* One sentence for all its lines. */
static void add_new_team(struct note *out, size_t room, size_t *count,
                         const struct roster_line *line, const char *database, bool is_closed)
{
    size_t number = (*count)++;
    if (number < room && is_closed) {
        note_set(&out[number], "line %d: [%.40s] does not take part; %s", line->number,
                 line->section, for_a_new_one);
    } else if (number < room) {
        note_set(&out[number],
                 "line %d: [%.40s] does not take part; use: plum tournament enter %.80s %s "
                 "--reason TEXT",
                 line->number, line->section, database, line->section + 5);
    }
}

/* `now` and `then` are whole rosters; `database` is named in the advice. `is_closed`: no team can
 * enter. */
static size_t list_edits(const char *now, const char *then, const char *database, bool is_closed,
                         struct note *out, size_t room)
{
    size_t count = 0;
    struct roster_line line;
    struct roster_line other;
    struct roster_cursor new_cursor = begin(now);
    struct roster_cursor place_then = begin(then);
    char new_team[SECTION_BYTES] = "";
    while (strcmp(now, then) != 0 && next_line(&new_cursor, &line)) {
        if (strncmp(line.section, "team ", 5) == 0 && !has_section(then, line.section)) {
            if (strcmp(line.section, new_team) != 0) {
                add_new_team(out, room, &count, &line, database, is_closed);
                snprintf(new_team, sizeof new_team, "%s", line.section);
            }
        } else if (!find(then, &place_then, &line, &other) ||
                   strcmp(line.value, other.value) != 0) {
            add(out, room, &count, &line, database, false);
        }
    }
    struct roster_cursor old_cursor = begin(then);
    struct roster_cursor place_now = begin(now);
    while (strcmp(now, then) != 0 && next_line(&old_cursor, &line)) {
        if (!find(now, &place_now, &line, &other) && strcmp(line.key, "entered_after") != 0) {
            add(out, room, &count, &line, database, true);
        }
    }
    return count;
}

static bool find_name(void *owner, const struct store_audit_entry *entry)
{
    if (strcmp(entry->what, "created") != 0) {
        return true;
    }
    snprintf(owner, NAME_MAX + 1, "%s", entry->reason);
    return false;
}

/* The databases of older versions do not contain the roster's name, but most have the same stem. */
static void name_roster(struct store *store, char out[NAME_MAX + 1])
{
    struct note ignored;
    *out = '\0';
    if (store_each_audit_entry(store, find_name, out, &ignored) || !*out) {
        const char *path = store_path(store);
        const char *slash = strrchr(path, '/');
        const char *base = slash ? slash + 1 : path;
        const char *dot = strrchr(base, '.');
        snprintf(out, NAME_MAX + 1, "%.*s.ini", dot ? (int)(dot - base) : (int)strlen(base), base);
    }
}

void roster_change_path(struct store *store, char name[NAME_MAX + 1], char path[PATH_MAX])
{
    name_roster(store, name);
    snprintf(path, PATH_MAX, "%s/%s", store_folder(store), name);
}

size_t roster_change_find(struct store *store, const struct tournament *t, char name[NAME_MAX + 1],
                          struct note *out, size_t room)
{
    char path[PATH_MAX];
    char *now = NULL;
    size_t bytes = 0;
    struct note ignored;
    roster_change_path(store, name, path);
    if (access(path, R_OK) != 0 || tournament_file_read_text(path, &now, &bytes, &ignored)) {
        return 0;
    }
    bool is_closed = tournament_refuse_entry(t, &ignored);
    size_t count = list_edits(now, store_roster(store), store_path(store), is_closed, out, room);
    free(now);
    return count;
}

bool roster_change_is_none(const struct store *store, const char *roster)
{
    return list_edits(roster, store_roster(store), "", true, NULL, 0) == 0;
}
