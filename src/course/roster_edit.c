#include "course/roster_edit.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tournament/ini.h"

/* A roster on its way through the edit, line by line. */
struct edit_pass {
    const struct roster_edit *edit;
    FILE *out;
    size_t held;       /* bytes of empty lines that were read last and not written yet */
    bool is_inside;    /* of the section */
    bool has_seen_key; /* in it */
    bool is_written;   /* the new lines are */
};

static bool is_section(const char *section, const char *kind, const char *id)
{
    size_t length = strlen(kind);
    return strncmp(section, kind, length) == 0 && section[length] == ' ' &&
           strcmp(section + length + strspn(section + length, " "), id) == 0;
}

static bool is_among(const char *const *keys, const char *key)
{
    while (*keys && strcmp(*keys, key) != 0) {
        keys++;
    }
    return *keys;
}

static void write_new_lines(struct edit_pass *pass)
{
    if (pass->is_inside && !pass->is_written) {
        fputs(pass->edit->lines, pass->out);
        pass->is_written = true;
    }
}

/* Empty lines are written only now: new lines may have to come before them. */
static void write_held(struct edit_pass *pass)
{
    for (; pass->held; pass->held--) {
        fputc('\n', pass->out);
    }
}

static void write_line(struct edit_pass *pass, const char *line, size_t length)
{
    write_held(pass);
    fwrite(line, 1, length, pass->out);
    fputc('\n', pass->out);
}

static void write_comment(struct edit_pass *pass, const char *line, size_t length)
{
    const char *name = pass->edit->name_of_old;
    size_t signs = strspn(line, "#; \t");
    bool is_old = name && pass->is_inside && !pass->has_seen_key && signs < length;
    if (is_old && strncmp(line + signs, name, strlen(name)) != 0) {
        write_held(pass);
        fprintf(pass->out, "# %s: %.*s\n", name, (int)(length - signs), line + signs);
    } else {
        write_line(pass, line, length);
    }
}

static void begin_section(struct edit_pass *pass, const struct ini_line *section, const char *line,
                          size_t length)
{
    write_new_lines(pass);
    write_line(pass, line, length);
    pass->is_inside = is_section(section->key, pass->edit->kind, pass->edit->id);
    pass->has_seen_key = false;
    if (pass->is_inside) {
        fputs(pass->edit->comments, pass->out);
    }
}

/* `meaning` is NULL for an empty line and for a comment. */
static void take_line(struct edit_pass *pass, const struct ini_line *meaning, const char *line,
                      size_t length)
{
    size_t spaces = strspn(line, " \t\r");
    if (!meaning && spaces >= length) {
        pass->held++;
    } else if (!meaning) {
        write_comment(pass, line, length);
    } else if (meaning->kind == INI_SECTION) {
        begin_section(pass, meaning, line, length);
    } else if (pass->is_inside && meaning->kind == INI_KEY &&
               is_among(pass->edit->replaced, meaning->key)) {
        pass->has_seen_key = true;
        write_held(pass);
        write_new_lines(pass);
    } else {
        pass->has_seen_key = true;
        write_line(pass, line, length);
    }
}

/* Goes through the text up to `end`. */
static void take_lines(struct edit_pass *pass, const char *text, const char *end)
{
    struct ini_reader reader = {.text = text, .bytes = (size_t)(end - text)};
    struct ini_line meaning = {.number = 0};
    bool has_more = ini_next(&reader, &meaning);
    for (int number = 1; text < end; number++) {
        size_t length = strcspn(text, "\n");
        bool has_meaning = has_more && meaning.number == number;
        take_line(pass, has_meaning ? &meaning : NULL, text, length);
        if (has_meaning) {
            has_more = ini_next(&reader, &meaning);
        }
        text += length + (text + length < end);
    }
}

/* Where the last section of the kind ends, after its last key; the end of the text if there is
 * none. */
static const char *end_of_kind(const char *text, const char *kind, bool *has_section,
                               const char *id)
{
    struct ini_reader reader = {.text = text, .bytes = strlen(text)};
    struct ini_line line;
    const char *end = NULL;
    bool is_kind = false;
    *has_section = false;
    while (ini_next(&reader, &line)) {
        if (line.kind == INI_SECTION) {
            is_kind = strncmp(line.key, kind, strlen(kind)) == 0 && line.key[strlen(kind)] == ' ';
            *has_section |= is_section(line.key, kind, id);
        }
        end = is_kind ? reader.text : end;
    }
    return end ? end : text + strlen(text);
}

void roster_edit_write(FILE *out, const char *text, const char *kind, const char *id,
                       const char *const *keys, bool others)
{
    struct ini_reader reader = {.text = text, .bytes = strlen(text)};
    struct ini_line line;
    bool is_inside = false;
    while (ini_next(&reader, &line)) {
        if (line.kind == INI_SECTION) {
            is_inside = is_section(line.key, kind, id);
            if (is_inside && others) {
                fprintf(out, "\n[%s]\n", line.key);
            }
        } else if (is_inside && line.kind == INI_KEY && is_among(keys, line.key) != others) {
            fprintf(out, "%s = %s\n", line.key, line.value);
        }
    }
}

char *roster_edit_apply(const char *text, const struct roster_edit *edit)
{
    char *edited = NULL;
    size_t bytes = 0;
    bool has_section = false;
    const char *end = end_of_kind(text, edit->kind, &has_section, edit->id);
    struct edit_pass pass = {.edit = edit, .out = open_memstream(&edited, &bytes)};
    if (!pass.out) {
        return NULL;
    }
    if (has_section) {
        take_lines(&pass, text, text + strlen(text));
        write_new_lines(&pass);
        write_held(&pass);
    } else {
        bool has_newline = end == text || end[-1] == '\n';
        fwrite(text, 1, (size_t)(end - text), pass.out);
        fprintf(pass.out, "%s\n[%s %s]\n%s%s%s", has_newline ? "" : "\n", edit->kind, edit->id,
                edit->comments, edit->lines, end);
    }
    if (fclose(pass.out) != 0) {
        free(edited);
        return NULL;
    }
    return edited;
}
