#include "game/text.h"

#include <stddef.h>
#include <string.h>

#include "base/number.h"

/* A printable name of the character at the reader's place. */
static void name_character(char c, char out[16])
{
    if (c == '\0') {
        memcpy(out, "the end", sizeof "the end");
    } else if (c == ' ') {
        memcpy(out, "a space", sizeof "a space");
    } else if (c > ' ' && c <= '~') {
        memcpy(out, "'?'", 4);
        out[1] = c;
    } else {
        static const char hex[] = "0123456789abcdef";
        memcpy(out, "byte 0x??", 10);
        out[7] = hex[((unsigned char)c >> 4) & 15];
        out[8] = hex[(unsigned char)c & 15];
    }
}

enum err text_read_board(const char **text, int rows, int columns, const char *alphabet,
                         uint8_t *cells, struct note *why)
{
    const char *at = *text;
    char found[16];
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++, at++) {
            const char *letter = *at ? strchr(alphabet, *at) : NULL;
            name_character(*at, found);
            if (!letter && (*at == '/' || *at == ' ' || *at == '\0')) {
                return note_fail(
                    why, ERR_INPUT,
                    "row %d of the board has %d squares instead of %d: %s came too early", row,
                    column, columns, found);
            }
            if (!letter) {
                return note_fail(why, ERR_INPUT,
                                 "row %d, column %d of the board: %s is none of '%s'", row, column,
                                 found, alphabet);
            }
            cells[row * columns + column] = (uint8_t)(letter - alphabet);
        }
        char expected = row + 1 < rows ? '/' : ' ';
        name_character(*at, found);
        if (*at == expected) {
            at += row + 1 < rows;
        } else if (row + 1 < rows && (*at == ' ' || *at == '\0')) {
            return note_fail(why, ERR_INPUT, "the board has %d rows instead of %d", row + 1, rows);
        } else if (row + 1 == rows && *at == '/') {
            return note_fail(why, ERR_INPUT, "the board has more than %d rows", rows);
        } else if (*at) {
            return note_fail(why, ERR_INPUT,
                             "row %d of the board has more than %d squares: %s follows", row,
                             columns, found);
        }
    }
    *text = at;
    return ERR_NONE;
}

static enum err read_space(const char **text, const char *what, struct note *why)
{
    if (**text == '\0') {
        return note_fail(why, ERR_INPUT, "%s is missing at the end of the position", what);
    }
    if (**text != ' ') {
        return note_fail(why, ERR_INPUT, "one space is expected before %s", what);
    }
    ++*text;
    return ERR_NONE;
}

enum err text_read_side(const char **text, enum side *out, struct note *why)
{
    enum err err = read_space(text, "the side to move", why);
    if (err) {
        return err;
    }
    char side = **text;
    char after = side ? (*text)[1] : '\0';
    if ((side != 'b' && side != 'w') || (after != '\0' && after != ' ')) {
        return note_fail(why, ERR_INPUT, "the side to move must be b or w, not '%.20s'", *text);
    }
    ++*text;
    *out = side == 'b' ? SIDE_BLACK : SIDE_WHITE;
    return ERR_NONE;
}

enum err text_read_number(const char **text, const char *what, int high, int *out, struct note *why)
{
    enum { FIELD_BYTES = 24 };
    enum err err = read_space(text, what, why);
    if (err) {
        return err;
    }
    size_t length = strcspn(*text, " ");
    char field[FIELD_BYTES];
    size_t kept = length < FIELD_BYTES - 1 ? length : FIELD_BYTES - 1;
    memcpy(field, *text, kept);
    field[kept] = '\0';
    int64_t value = 0;
    err = number_read(field, what, 0, high, &value, why);
    if (err) {
        return err;
    }
    if (field[0] == '-' || (field[0] == '0' && length > 1)) {
        return note_fail(why, ERR_INPUT,
                         "%s must be written without a sign or leading zeros, not '%s'", what,
                         field);
    }
    *text += length;
    *out = (int)value;
    return ERR_NONE;
}

enum err text_read_end(const char *text, struct note *why)
{
    if (*text) {
        return note_fail(
            why, ERR_INPUT,
            "nothing is expected after the last field of the position, but '%.20s' follows", text);
    }
    return ERR_NONE;
}

char *text_write_board(char *out, int rows, int columns, const char *alphabet, const uint8_t *cells,
                       enum side to_move)
{
    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
            *out++ = alphabet[cells[row * columns + column]];
        }
        *out++ = row + 1 < rows ? '/' : ' ';
    }
    *out++ = to_move == SIDE_BLACK ? 'b' : 'w';
    *out = '\0';
    return out;
}

char *text_write_number(char *out, int number)
{
    char digits[12];
    int count = 0;
    do {
        digits[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    *out++ = ' ';
    while (count) {
        *out++ = digits[--count];
    }
    *out = '\0';
    return out;
}
