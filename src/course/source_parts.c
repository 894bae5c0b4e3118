#include "course/source_parts.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/embedded.h"
#include "base/number.h"

enum { MAX_TEAM = 999999999, MAX_TEAM_DIGITS = 12, TEAM_BYTES = 32 };

static const char include_line[] = "@include ";
static const char docstring[] = "\"\"\"";

static const struct source_word *word_at(const struct source_parts *parts, const char *text)
{
    for (size_t i = 0; i < parts->word_count; i++) {
        const char *name = parts->words[i].name;
        if (*name == *text && strncmp(text, name, strlen(name)) == 0) {
            return &parts->words[i];
        }
    }
    return NULL;
}

void source_parts_write_text(const struct source_parts *parts, const char *pattern, char *text,
                             size_t room)
{
    *text = '\0';
    FILE *out = fmemopen(text, room, "w");
    if (out) {
        source_parts_write(parts, pattern, out);
        fclose(out);
    }
}

static const char *without_docstring(const char *part)
{
    size_t mark = strlen(docstring);
    const char *end = strncmp(part, docstring, mark) == 0 ? strstr(part + mark, docstring) : NULL;
    return end ? end + mark + strspn(end + mark, "\n") : part;
}

/* Writes the part that the line names. Returns where the next line begins. */
static const char *include(const struct source_parts *parts, const char *line, FILE *out)
{
    char path[SOURCE_PARTS_WORD_BYTES];
    char pattern[SOURCE_PARTS_WORD_BYTES];
    const char *end = strchrnul(line, '\n');
    line += strlen(include_line);
    snprintf(pattern, sizeof pattern, "%.*s", (int)(end - line), line);
    source_parts_write_text(parts, pattern, path, sizeof path);
    const struct embedded_file *part = embedded_find(path);
    assert(part);
    source_parts_write(parts, without_docstring(part->bytes), out);
    return *end ? end + 1 : end;
}

void source_parts_write(const struct source_parts *parts, const char *pattern, FILE *out)
{
    bool begins_line = true;
    while (*pattern) {
        if (begins_line && strncmp(pattern, include_line, strlen(include_line)) == 0) {
            pattern = include(parts, pattern, out);
            continue;
        }
        const struct source_word *word = word_at(parts, pattern);
        begins_line = !word && *pattern == '\n';
        if (word) {
            fputs(word->text, out);
            pattern += strlen(word->name);
        } else {
            fputc(*pattern++, out);
        }
    }
}

void source_parts_define(struct source_parts *parts, const char *name, const char *pattern)
{
    assert(parts->word_count < SOURCE_PARTS_MAX_WORDS);
    struct source_word word = {.name = name};
    source_parts_write_text(parts, pattern, word.text, sizeof word.text);
    parts->words[parts->word_count++] = word;
}

const char *source_parts_word(const struct source_parts *parts, const char *name)
{
    const struct source_word *word = word_at(parts, name);
    assert(word);
    return word->text;
}

enum err source_parts_define_game(struct source_parts *parts, const struct game *game,
                                  const char *team, struct note *why)
{
    int64_t number = 0;
    enum err err = number_read(team, "the team", 1, MAX_TEAM, &number, why);
    if (!err && strlen(team) > MAX_TEAM_DIGITS) {
        err = note_fail(why, ERR_INPUT, "the team has more than %d digits", MAX_TEAM_DIGITS);
    }
    if (err) {
        return err;
    }
    char text[TEAM_BYTES];
    snprintf(text, sizeof text, "%lld", (long long)number);
    source_parts_define(parts, "@STUDENT@", team);
    source_parts_define(parts, "@TEAM@", text);
    source_parts_define(parts, "@GAME@", game->name);
    source_parts_define(parts, "@KIT@", game->assignment.kit);
    return ERR_NONE;
}

unsigned source_parts_protocol(const struct game *game)
{
    static const unsigned by_preference[] = {PROTOCOL_TEMPLATE, PROTOCOL_FILE, PROTOCOL_TCP};
    const struct assignment *assignment = &game->assignment;
    unsigned expected = assignment->kit ? assignment->protocols : 0;
    if (!assignment->speaks_files && expected & PROTOCOL_TCP) {
        expected &= ~(unsigned)PROTOCOL_FILE;
    }
    for (size_t i = 0; i < sizeof by_preference / sizeof by_preference[0]; i++) {
        if (expected & by_preference[i]) {
            return by_preference[i];
        }
    }
    return 0;
}
