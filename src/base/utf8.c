#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

size_t utf8_printable(const char *text)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *at = (const unsigned char *)text;
    if (at[0] < 0x80) {
        return at[0] >= 0x20 && at[0] != 0x7f;
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
    bool is_surrogate = code >= 0xd800 && code < 0xe000;
    bool is_control = code >= 0x80 && code < 0xa0;
    bool turns_text = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    bool is_wrong = code < smallest[length] || code > 0x10ffff || is_surrogate;
    return is_wrong || is_control || turns_text ? 0 : length;
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
