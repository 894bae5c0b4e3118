#include "base/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"

struct json json_make(FILE *out, enum json_style style)
{
    return (struct json){.out = out, .style = style};
}

struct json json_make_members(FILE *out, enum json_style style)
{
    return (struct json){.out = out, .style = style, .depth = 1};
}

static void break_line(const struct json *json, int depth)
{
    if (json->style == JSON_INDENTED) {
        fprintf(json->out, "\n%*s", depth, "");
    }
}

/* One of "<", ">", "&", '"' and '\', or another ASCII character. */
static void write_plain(FILE *out, char letter)
{
    if (letter == '"' || letter == '\\') {
        fputc('\\', out);
        fputc(letter, out);
    } else if (letter == '<' || letter == '>' || letter == '&') {
        fprintf(out, "\\u%04x", (unsigned)letter);
    } else {
        fputc(letter, out);
    }
}

static void write_control(FILE *out, uint32_t code)
{
    if (code == '\n' || code == '\t') {
        fputs(code == '\n' ? "\\n" : "\\t", out);
    } else {
        fprintf(out, "\\u%04x", (unsigned)code);
    }
}

static void write_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        uint32_t code = 0;
        size_t length = utf8_decode(text, &code);
        if (length == 0) {
            fputc('?', out);
        } else if (!utf8_printable(text)) {
            write_control(out, code);
        } else if (length == 1) {
            write_plain(out, *text);
        } else {
            fwrite(text, 1, length, out);
        }
        text += length ? length : 1;
    }
    fputc('"', out);
}

static void separate(struct json *json)
{
    if (json->has_members[json->depth]) {
        fputs(json->style == JSON_LINE ? ", " : ",", json->out);
    }
    if (json->depth > 0) {
        break_line(json, json->depth);
        json->has_members[json->depth] = true;
    }
}

static void begin_value(struct json *json, const char *name)
{
    assert(json->depth == 0 || json->is_array[json->depth] == !name);
    separate(json);
    if (name) {
        write_quoted(json->out, name);
        fputs(json->style == JSON_COMPACT ? ":" : ": ", json->out);
    }
}

static void begin(struct json *json, const char *name, bool is_array)
{
    begin_value(json, name);
    fputc(is_array ? '[' : '{', json->out);
    json->depth++;
    assert(json->depth < JSON_MAX_DEPTH);
    json->is_array[json->depth] = is_array;
    json->has_members[json->depth] = false;
}

void json_begin_object(struct json *json, const char *name) { begin(json, name, false); }

void json_begin_array(struct json *json, const char *name) { begin(json, name, true); }

void json_end(struct json *json)
{
    assert(json->depth > 0);
    bool is_array = json->is_array[json->depth];
    if (json->has_members[json->depth]) {
        break_line(json, json->depth - 1);
    }
    json->depth--;
    fputc(is_array ? ']' : '}', json->out);
}

void json_string(struct json *json, const char *name, const char *text)
{
    if (!text) {
        json_null(json, name);
        return;
    }
    begin_value(json, name);
    write_quoted(json->out, text);
}

void json_integer(struct json *json, const char *name, int64_t value)
{
    begin_value(json, name);
    fprintf(json->out, "%" PRId64, value);
}

void json_bool(struct json *json, const char *name, bool value)
{
    begin_value(json, name);
    fputs(value ? "true" : "false", json->out);
}

void json_null(struct json *json, const char *name)
{
    begin_value(json, name);
    fputs("null", json->out);
}

void json_fixed(struct json *json, const char *name, double value, int decimals)
{
    enum { DOUBLE_BYTES = 340 }; /* the digits of the greatest double, sign, point, decimals */
    char text[DOUBLE_BYTES];
    assert(decimals > 0 && decimals <= JSON_MAX_DECIMALS);
    if (!isfinite(value)) {
        json_null(json, name);
        return;
    }
    int length = snprintf(text, sizeof text, "%.*f", decimals, value);
    while (text[length - 1] == '0' && text[length - 2] != '.') {
        text[--length] = '\0';
    }
    begin_value(json, name);
    fputs(strcmp(text, "-0.0") == 0 ? "0.0" : text, json->out);
}

void json_integer_or_null(struct json *json, const char *name, bool is_known, int64_t value)
{
    if (is_known) {
        json_integer(json, name, value);
    } else {
        json_null(json, name);
    }
}

void json_pair(struct json *json, const char *name, int64_t first, int64_t second)
{
    json_begin_array(json, name);
    json_integer(json, NULL, first);
    json_integer(json, NULL, second);
    json_end(json);
}

void json_copy(struct json *json, const char *name, const char *text, size_t bytes)
{
    begin_value(json, name);
    fwrite(text, 1, bytes, json->out);
}

void json_copy_members(struct json *json, const char *text, size_t bytes)
{
    if (bytes > 0) {
        separate(json);
        fwrite(text, 1, bytes, json->out);
    }
}
