#include "web/json_text.h"

#include <string.h>

#include "base/utf8.h"

static void write_plain_character(FILE *out, char c)
{
    if (c == '"' || c == '\\') {
        fputc('\\', out);
        fputc(c, out);
    } else if (c == '<' || c == '>' || c == '&') {
        fprintf(out, "\\u%04x", (unsigned)(unsigned char)c);
    } else {
        fputc(c, out);
    }
}

void json_text_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text) {
        size_t length = utf8_printable(text);
        unsigned char first = (unsigned char)*text;
        if (length > 1) {
            fwrite(text, 1, length, out);
        } else if (length == 1) {
            write_plain_character(out, *text);
        } else if (first < 0x20) {
            fprintf(out, "\\u%04x", first);
        } else {
            fputc('?', out);
        }
        text += length ? length : 1;
    }
    fputc('"', out);
}

void json_text_field(FILE *out, const char *before, const char *name, const char *text)
{
    fprintf(out, "%s\"%s\":", before, name);
    if (text) {
        json_text_string(out, text);
    } else {
        fputs("null", out);
    }
}
