#include "cli/help_fill.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "game/about.h"
#include "game/registry.h"

enum { MAX_NAME = 24 };

static const char before_example[] = "\n$ ";

static void append(char out[HELP_FILL_BYTES], const char *text, size_t length)
{
    size_t used = strlen(out);
    length = length < HELP_FILL_BYTES - 1 - used ? length : HELP_FILL_BYTES - 1 - used;
    memcpy(out + used, text, length);
    out[used + length] = '\0';
}

static void append_text(char out[HELP_FILL_BYTES], const char *text)
{
    append(out, text, strlen(text));
}

/* --- What a placeholder is replaced by. --- */

/* The examples let agents play over TCP: a game that has no such agents would make them wrong. */
static bool has_agents(const struct game *game)
{
    return game->assignment.protocols & PROTOCOL_TCP;
}
static bool has_auction(const struct game *game) { return game->auction; }
static bool is_placing(const struct game *game) { return has_agents(game) && game->path_max == 1; }
static bool has_hard_limit(const struct game *game) { return game->hard_limit_s > 0; }
static bool refuses_late(const struct game *game) { return game->assignment.refuses_late; }

static const struct property {
    const char *name;
    bool (*has)(const struct game *);
} properties[] = {
    {"game", has_agents},     {"auction", has_auction}, {"placing", is_placing},
    {"hard", has_hard_limit}, {"strict", refuses_late},
};

static const struct game *first_with(bool (*has)(const struct game *))
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)) && !has(game); i++) {
    }
    return game ? game : registry_at(CPU_BASELINE, 0);
}

static void append_names(char out[HELP_FILL_BYTES])
{
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        bool is_last = !registry_at(CPU_BASELINE, i + 1);
        append_text(out, i == 0 ? "" : is_last ? " and " : ", ");
        append_text(out, game->name);
    }
}

static void append_time_limits(char out[HELP_FILL_BYTES])
{
    const struct game *first = registry_at(CPU_BASELINE, 0);
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        char text[64];
        if (i == 0) {
            snprintf(text, sizeof text, "%g", game->time_limit_s);
        } else {
            snprintf(text, sizeof text, ", %s %g", game->name, game->time_limit_s);
        }
        if (i == 0 || game->time_limit_s != first->time_limit_s) {
            append_text(out, text);
        }
    }
}

/* Lines follow one another, sentences are separated by a space, phrases by a comma. */
static void append_topic(char out[HELP_FILL_BYTES], const char *topic)
{
    const struct game *game = NULL;
    const char *separator = "";
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        const struct game_text *row = game->about ? game->about->texts : NULL;
        for (; row && row->topic; row++) {
            if (strcmp(row->topic, topic) == 0 && row->text[0]) {
                char last = row->text[strlen(row->text) - 1];
                append_text(out, separator);
                append_text(out, row->text);
                separator = last == '\n' ? "" : last == '.' ? " " : ", ";
            }
        }
    }
}

static void append_meaning(char out[HELP_FILL_BYTES], const char *name)
{
    char number[32];
    for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
        if (strcmp(name, properties[i].name) == 0) {
            append_text(out, first_with(properties[i].has)->name);
            return;
        }
    }
    if (strcmp(name, "games") == 0) {
        append_names(out);
    } else if (strcmp(name, "time-limits") == 0) {
        append_time_limits(out);
    } else if (strcmp(name, "hard-limit") == 0) {
        snprintf(number, sizeof number, "%g", first_with(has_hard_limit)->hard_limit_s);
        append_text(out, number);
    } else {
        append_topic(out, name);
    }
}

/* The length of a placeholder with its signs; 0: there is none here. */
static size_t placeholder_length(const char *text)
{
    size_t length = text[0] == '@' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz-") : 0;
    return length && length < MAX_NAME && text[1 + length] == '@' ? length + 2 : 0;
}

static void replace(const char *text, size_t length, char out[HELP_FILL_BYTES])
{
    for (size_t at = 0; at < length;) {
        size_t taken = placeholder_length(text + at);
        if (taken) {
            char name[MAX_NAME];
            snprintf(name, sizeof name, "%.*s", (int)taken - 2, text + at + 1);
            append_meaning(out, name);
            at += taken;
        } else {
            append(out, text + at++, 1);
        }
    }
}

/* --- Lines. --- */

/* Appends the words of a paragraph in lines of that many columns. */
static void append_wrapped(char out[HELP_FILL_BYTES], const char *text, int columns)
{
    int column = 0;
    for (;;) {
        text += strspn(text, " \n");
        size_t length = strcspn(text, " \n");
        if (!length) {
            return;
        }
        bool fits = column + 1 + (int)length <= columns;
        append_text(out, column == 0 ? "" : fits ? " " : "\n");
        append(out, text, length);
        column = (column && fits ? column + 1 : 0) + (int)length;
        text += length;
    }
}

/* A paragraph ends before an empty line and before one that is indented or begins with a
 * placeholder; such a line is a paragraph by itself. */
static size_t paragraph_length(const char *text)
{
    size_t length = strcspn(text, "\n");
    bool is_line = text[0] == ' ' || text[0] == '@';
    while (!is_line && length && text[length] && text[length + 1] &&
           !strchr(" @\n", text[length + 1])) {
        length += 1 + strcspn(text + length + 1, "\n");
    }
    return length;
}

/* Lines that a game gave stay as they are, without the last line's end. */
static void fill_paragraph(const char *text, size_t length, int columns, char out[HELP_FILL_BYTES])
{
    char filled[HELP_FILL_BYTES] = "";
    replace(text, length, filled);
    size_t used = strlen(filled);
    if (used && filled[used - 1] == '\n') {
        filled[used - 1] = '\0';
    }
    if (columns && filled[0] != ' ') {
        append_wrapped(out, filled, columns);
    } else {
        append_text(out, filled);
    }
}

const char *help_text(const struct command *command)
{
    char path[64];
    snprintf(path, sizeof path, "src/cli/help/%s.txt", *command->name ? command->name : "plum");
    for (char *space; (space = strchr(path, ' '));) {
        *space = '_';
    }
    const struct embedded_file *file = embedded_find(path);
    assert(file);
    return file->bytes;
}

const char *help_fill(const char *text, int columns, char out[HELP_FILL_BYTES])
{
    out[0] = '\0';
    while (*text && strncmp(text, before_example, strlen(before_example)) != 0) {
        size_t length = paragraph_length(text);
        fill_paragraph(text, length, columns, out);
        text += length;
        if (*text == '\n') {
            append(out, text++, 1);
        }
    }
    return out;
}

static void fill_line(const char *text, char out[HELP_FILL_BYTES])
{
    char line[HELP_FILL_BYTES];
    snprintf(line, sizeof line, "%.*s", (int)strcspn(text, "\n"), text);
    help_fill(line, 0, out);
}

static bool set_example(const char *line, const char *does, struct help_example *out)
{
    fill_line(line, out->line);
    fill_line(does, out->does);
    return true;
}

bool help_example(const struct command *command, size_t index, struct help_example *out)
{
    for (const char *own = help_text(command); (own = strstr(own, before_example));) {
        own += strlen(before_example);
        if (index-- == 0) {
            return set_example(own, own + strcspn(own, "\n") + 1, out);
        }
    }
    const struct game *game = NULL;
    for (size_t i = 0; (game = registry_at(CPU_BASELINE, i)); i++) {
        const struct game_example *row = game->about ? game->about->examples : NULL;
        for (; row && row->command; row++) {
            if (strcmp(row->command, command->name) == 0 && index-- == 0) {
                return set_example(row->line, row->does, out);
            }
        }
    }
    return false;
}
