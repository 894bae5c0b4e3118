#include "tournament/ini.h"

#include <string.h>

#include "base/utf8.h"

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Cuts the spaces at both ends off. */
static char *trim(char *text)
{
    char *end = text + strlen(text);
    while (end > text && is_space(end[-1])) {
        end--;
    }
    *end = '\0';
    while (is_space(*text)) {
        text++;
    }
    return text;
}

static void cut_comment(char *text)
{
    for (char *at = text; *at; at++) {
        if (at[0] == ';' && at > text && is_space(at[-1])) {
            *at = '\0';
            return;
        }
    }
}

static enum ini_kind split(struct ini_line *line)
{
    char *text = trim(line->text);
    line->key = text;
    line->value = "";
    if (*text == '[') {
        char *end = strchr(text, ']');
        if (!end) {
            return INI_UNCLOSED_SECTION;
        }
        *end = '\0';
        line->key = text + 1;
        return INI_SECTION;
    }
    char *separator = strpbrk(text, "=:");
    if (!separator) {
        return INI_UNKNOWN;
    }
    *separator = '\0';
    cut_comment(separator + 1);
    line->key = trim(text);
    line->value = trim(separator + 1);
    return INI_KEY;
}

static bool has_content(const char *text, size_t length)
{
    while (length && is_space(*text)) {
        text++;
        length--;
    }
    return length && *text != '#' && *text != ';';
}

bool ini_next(struct ini_reader *reader, struct ini_line *out)
{
    while (reader->bytes) {
        const char *text = reader->text;
        const char *end = memchr(text, '\n', reader->bytes);
        size_t length = end ? (size_t)(end - text) : reader->bytes;
        size_t used = length + (end != NULL);
        reader->text += used;
        reader->bytes -= used;
        reader->number++;
        if (!has_content(text, length)) {
            continue;
        }
        while (is_space(text[length - 1])) {
            length--;
        }
        out->number = reader->number;
        if (length >= sizeof out->text) {
            out->kind = INI_TOO_LONG;
            return true;
        }
        memcpy(out->text, text, length);
        out->text[length] = '\0';
        out->kind = utf8_clean_prefix(out->text, length) == length ? split(out) : INI_NOT_TEXT;
        return true;
    }
    return false;
}
