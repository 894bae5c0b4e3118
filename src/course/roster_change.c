#include "course/roster_change.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    const char *rest;
    int number;
    char section[SECTION_BYTES];
};

static void copy_trimmed(char *out, size_t room, const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length && isspace((unsigned char)text[length - 1])) {
        length--;
    }
    snprintf(out, room, "%.*s", (int)length, text);
}

/* What follows a space and a semicolon is a comment. */
static size_t value_length(const char *text, size_t length)
{
    for (size_t i = 1; i < length; i++) {
        if (text[i] == ';' && isspace((unsigned char)text[i - 1])) {
            return i;
        }
    }
    return length;
}

/* False: there is no further key. */
static bool next_line(struct roster_cursor *cursor, struct roster_line *out)
{
    while (*cursor->rest) {
        const char *text = cursor->rest;
        size_t length = strcspn(text, "\n");
        cursor->rest += length + (text[length] == '\n');
        cursor->number++;
        size_t indent = strspn(text, " \t\r");
        if (indent >= length || strchr("#;", text[indent])) {
            continue;
        }
        size_t stop = strcspn(text, text[indent] == '[' ? "]\n" : "=:\n");
        const char *end = stop < length ? text + stop : NULL;
        if (text[indent] == '[' && end) {
            copy_trimmed(cursor->section, sizeof cursor->section, text + indent + 1,
                         (size_t)(end - text) - indent - 1);
        } else if (end) {
            size_t key = (size_t)(end - text);
            copy_trimmed(out->key, sizeof out->key, text, key);
            copy_trimmed(out->value, sizeof out->value, end + 1,
                         value_length(end, length - key) - 1);
            strcpy(out->section, cursor->section);
            out->number = cursor->number;
            return true;
        }
    }
    return false;
}

static bool find_before(struct roster_cursor *cursor, const char *end,
                        const struct roster_line *wanted, struct roster_line *out)
{
    while ((!end || cursor->rest < end) && next_line(cursor, out)) {
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
    struct roster_cursor from_start = {.rest = roster};
    if (find_before(&from_here, NULL, wanted, out)) {
        *place = from_here;
        return true;
    }
    if (find_before(&from_start, place->rest, wanted, out)) {
        *place = from_start;
        return true;
    }
    return false;
}

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
        snprintf(out, room, "use: plum tournament withdraw %.80s %s --reason TEXT", database, team);
    } else if (strncmp(line->section, "student ", 8) == 0) {
        snprintf(out, room, "use: plum tournament grade %.80s --students FILE", database);
    } else {
        snprintf(out, room, "it counts for a new tournament: plum tournament run ROSTER --db FILE");
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

size_t roster_change_list(const char *now, const char *then, const char *database, struct note *out,
                          size_t room)
{
    size_t count = 0;
    struct roster_line line;
    struct roster_line other;
    struct roster_cursor new_cursor = {.rest = now};
    struct roster_cursor place_then = {.rest = then};
    while (strcmp(now, then) != 0 && next_line(&new_cursor, &line)) {
        if (!find(then, &place_then, &line, &other) || strcmp(line.value, other.value) != 0) {
            add(out, room, &count, &line, database, false);
        }
    }
    struct roster_cursor old_cursor = {.rest = then};
    struct roster_cursor place_now = {.rest = now};
    while (strcmp(now, then) != 0 && next_line(&old_cursor, &line)) {
        if (!find(now, &place_now, &line, &other)) {
            add(out, room, &count, &line, database, true);
        }
    }
    return count;
}
