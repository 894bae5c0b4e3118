#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* The length in bytes; 0: it is not a character. Forms that are longer than needed, surrogates and
 * codes beyond Unicode are decoded all the same. */
static size_t decode(const char *text, uint32_t *out)
{
    const unsigned char *at = (const unsigned char *)text;
    *out = at[0];
    if (at[0] < 0x80) {
        return 1;
    }
    size_t length = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
    if (at[0] < 0xc0 || at[0] > 0xf7) {
        return 0;
    }
    uint32_t code = at[0] & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (at[i] & 0x3f);
    }
    *out = code;
    return length;
}

size_t utf8_decode(const char *text, uint32_t *out)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code = 0;
    size_t length = decode(text, &code);
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    if (length == 0 || code < smallest[length] || code > 0x10ffff || is_surrogate) {
        return 0;
    }
    *out = code;
    return length;
}

size_t utf8_printable(const char *text)
{
    uint32_t code = 0;
    size_t length = utf8_decode(text, &code);
    bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool turns_text = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return is_control || turns_text ? 0 : length;
}

size_t utf8_columns(const char *character)
{
    /* Blocks of the Unicode standard, by East_Asian_Width (UAX #11). */
    static const struct {
        uint32_t first;
        uint32_t last;
        size_t columns;
    } blocks[] = {
        {0x0300, 0x036f, 0},   {0x1100, 0x115f, 2},   {0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},
        {0x2e80, 0x303e, 2},   {0x3041, 0x4dbf, 2},   {0x4e00, 0xa4cf, 2},   {0xa960, 0xa97f, 2},
        {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},
        {0xff01, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
        {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
    };
    uint32_t code = 0;
    (void)decode(character, &code);
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
        if (code >= blocks[i].first && code <= blocks[i].last) {
            return blocks[i].columns;
        }
    }
    return 1;
}

size_t utf8_fit(const char *text, size_t room, size_t *used)
{
    const char *at = text;
    size_t columns = 0;
    for (size_t length; (length = utf8_printable(at)); at += length) {
        if (columns + utf8_columns(at) > room) {
            break;
        }
        columns += utf8_columns(at);
    }
    if (used) {
        *used = columns;
    }
    return (size_t)(at - text);
}

size_t utf8_clean_prefix(const char *text, size_t length)
{
    size_t at = 0;
    for (size_t step = 1; step && at < length; at += step) {
        step = text[at] == '\t' ? 1 : utf8_printable(text + at);
    }
    return at;
}

void utf8_clean(const char *text, char *out, size_t room)
{
    size_t used = 0;
    while (*text) {
        size_t length = utf8_printable(text);
        size_t taken = length ? length : 1;
        if (used + taken >= room) {
            break;
        }
        memcpy(out + used, length ? text : "?", taken);
        used += taken;
        text += taken;
    }
    out[used] = '\0';
}
