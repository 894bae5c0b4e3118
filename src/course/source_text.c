#include "course/source_text.h"

#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* UTF-16 and Big-5 spend two bytes on what UTF-8 writes with at most three, Latin-1 one on two. */
enum { GROWTH = 2 };

struct encoding {
    const char *name;
    const char *mark;
    size_t mark_size;
};

static const struct encoding marked[] = {
    {"UTF-8", "\xef\xbb\xbf", 3},
    {"UTF-16LE", "\xff\xfe", 2},
    {"UTF-16BE", "\xfe\xff", 2},
};

static const struct encoding guesses[] = {
    {"UTF-8", "", 0}, {"CP950", "", 0}, {"ISO-8859-1", "", 0}};

/* Sources begin with an ASCII letter, a sign or a space: one half of it is zero in UTF-16. */
static const struct encoding wide_little = {"UTF-16LE", "", 0}, wide_big = {"UTF-16BE", "", 0};

/* NULL when nothing gives the encoding away. */
static const struct encoding *recognise(const char *bytes, size_t size)
{
    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++) {
        if (size >= marked[i].mark_size &&
            memcmp(bytes, marked[i].mark, marked[i].mark_size) == 0) {
            return &marked[i];
        }
    }
    if (size >= 2 && !bytes[1]) {
        return &wide_little;
    }
    return size >= 2 && !bytes[0] ? &wide_big : NULL;
}

/* Writes at most GROWTH times as many bytes and a NUL. False: bytes of another encoding. */
static bool convert(const struct encoding *from, const char *bytes, size_t size, char *out,
                    size_t *out_size)
{
    iconv_t converter = iconv_open("UTF-8", from->name);
    if ((intptr_t)converter == -1) {
        return false;
    }
    char *input = (char *)bytes + from->mark_size;
    size_t input_left = size - from->mark_size;
    char *output = out;
    size_t output_left = size * GROWTH;
    bool is_whole = iconv(converter, &input, &input_left, &output, &output_left) != (size_t)-1;
    iconv_close(converter);
    *output = '\0';
    *out_size = (size_t)(output - out);
    return is_whole;
}

static void drop_carriage_returns(char *text)
{
    char *end = text;
    for (const char *at = text; *at; at++) {
        if (at[0] != '\r' || at[1] != '\n') {
            *end++ = *at;
        }
    }
    *end = '\0';
}

static bool decode(const char *bytes, size_t size, char *out, size_t *out_size)
{
    const struct encoding *known = recognise(bytes, size);
    if (known) {
        return convert(known, bytes, size, out, out_size);
    }
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        if (convert(&guesses[i], bytes, size, out, out_size)) {
            return true;
        }
    }
    return false;
}

enum err source_text_decode(const char *bytes, size_t size, char **out, struct note *why)
{
    char *text = malloc(size * GROWTH + 1);
    if (!text) {
        return note_fail(why, ERR_ENVIRONMENT, "out of memory");
    }
    size_t length = 0;
    if (!decode(bytes, size, text, &length) || strlen(text) != length) {
        free(text);
        return note_fail(why, ERR_INPUT, "this is not a text file");
    }
    drop_carriage_returns(text);
    *out = text;
    return ERR_NONE;
}
