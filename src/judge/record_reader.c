#include "judge/record_reader.h"

#include <errno.h>
#include <string.h>

#include "base/utf8.h"

static const char spaces[] = " \t";

struct record_reader record_reader_make(FILE *file) { return (struct record_reader){.file = file}; }

static enum err check_line(const char *text, size_t length, struct note *why)
{
    size_t clean = utf8_clean_prefix(text, length);
    if (clean < length) {
        return note_fail(why, ERR_INPUT, "byte %zu, 0x%02x, is not valid UTF-8", clean + 1,
                         (unsigned)(unsigned char)text[clean]);
    }
    return ERR_NONE;
}

/* Brings the next line into reader->text, without its end and the spaces around it. */
static enum err read_line(struct record_reader *reader, bool *is_end, struct note *why)
{
    static const char byte_order_mark[] = "\xef\xbb\xbf";
    if (reader->is_held) {
        reader->is_held = false;
        return ERR_NONE;
    }
    char *text = reader->text;
    size_t length = 0;
    int c = 0;
    errno = 0;
    reader->line++;
    while ((c = getc_unlocked(reader->file)) != EOF && c != '\n') {
        if (length == RECORD_LINE_BYTES - 1) {
            return note_fail(why, ERR_INPUT, "the line is longer than %d bytes",
                             RECORD_LINE_BYTES - 1);
        }
        text[length++] = (char)c;
    }
    if (c == EOF && ferror(reader->file)) {
        return note_fail(why, ERR_ENVIRONMENT, "%s", strerror(errno));
    }
    *is_end = c == EOF && length == 0;
    while (length > 0 && strchr(" \t\r", text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    size_t mark = reader->line == 1 && strncmp(text, byte_order_mark, 3) == 0 ? 3 : 0;
    size_t front = mark + strspn(text + mark, spaces);
    memmove(text, text + front, length - front + 1);
    return check_line(text, length - front, why);
}

static void skip_blanks(const char **at) { *at += strspn(*at, spaces); }

/* Reads the characters up to the closing quote; *at is after the opening one. */
static enum err read_value(const char **at, char out[RECORD_VALUE_BYTES], struct note *why)
{
    size_t length = 0;
    for (; **at != '"'; ++*at) {
        if (**at == '\\') {
            ++*at;
            if (**at != '"' && **at != '\\') {
                return note_fail(why, ERR_INPUT,
                                 "a backslash in a tag must be followed by a quote or a backslash");
            }
        }
        if (!**at) {
            return note_fail(why, ERR_INPUT, "the value of a tag has no closing quote");
        }
        if (length == RECORD_VALUE_BYTES - 1) {
            return note_fail(why, ERR_INPUT, "the value of a tag is longer than %d bytes",
                             RECORD_VALUE_BYTES - 1);
        }
        out[length++] = **at;
    }
    ++*at;
    out[length] = '\0';
    return ERR_NONE;
}

static enum err refuse_tag(const char *at, struct note *why)
{
    return note_fail(why, ERR_INPUT,
                     "a tag has the form [Name \"value\"], but this one continues with '%.40s'",
                     at);
}

/* Reads one tag; *at is at its opening bracket and moves after its end. */
static enum err read_tag(const char **at, struct record *out, struct note *why)
{
    char name[RECORD_NAME_BYTES];
    char value[RECORD_VALUE_BYTES];
    ++*at;
    skip_blanks(at);
    size_t length = strcspn(*at, " \t\"]");
    if (length >= RECORD_NAME_BYTES) {
        return note_fail(why, ERR_INPUT, "the name of a tag is longer than %d bytes",
                         RECORD_NAME_BYTES - 1);
    }
    memcpy(name, *at, length);
    name[length] = '\0';
    *at += length;
    skip_blanks(at);
    if (**at != '"') {
        return refuse_tag(*at, why);
    }
    ++*at;
    enum err err = read_value(at, value, why);
    if (err) {
        return err;
    }
    skip_blanks(at);
    if (**at != ']') {
        return refuse_tag(*at, why);
    }
    ++*at;
    skip_blanks(at);
    return record_add_tag(out, name, value, why);
}

static enum err read_tags(const char *at, struct record *out, struct note *why)
{
    while (*at == '[') {
        enum err err = read_tag(&at, out, why);
        if (err) {
            return err;
        }
    }
    return *at ? refuse_tag(at, why) : ERR_NONE;
}

/* Reads `b` or `w` and the spaces after it. */
static enum err read_side(const char **at, enum side *out, struct note *why)
{
    char side = **at;
    if (side != 'b' && side != 'w') {
        return note_fail(why, ERR_INPUT, "the side must be b or w, but '%.20s' is there", *at);
    }
    ++*at;
    *out = side == 'b' ? SIDE_BLACK : SIDE_WHITE;
    return ERR_NONE;
}

/* Ends the text before its closing brace. `at` is after the opening one. */
static enum err cut_closing_brace(char *at, struct note *why)
{
    size_t length = strlen(at);
    if (length == 0 || at[length - 1] != '}') {
        return note_fail(why, ERR_INPUT, "the closing brace is missing at the end of the line");
    }
    at[length - 1] = '\0';
    return ERR_NONE;
}

/* {w t=0.431 fault=invalid} */
static enum err read_closing(char *text, struct record *out, struct note *why)
{
    enum side side = SIDE_BLACK;
    const char *at = text + 1;
    enum err err = cut_closing_brace(text + 1, why);
    if (err || (err = read_side(&at, &side, why))) {
        return err;
    }
    if (*at && *at != ' ' && *at != '\t') {
        return note_fail(why, ERR_INPUT, "a space is expected after the side in braces");
    }
    skip_blanks(&at);
    return record_close(out, side, *at ? at : NULL, why);
}

/* Reads "12." and the spaces after it. */
static enum err read_number(const char **at, int *out, struct note *why)
{
    int number = 0;
    const char *digit = *at;
    for (; *digit >= '0' && *digit <= '9' && number <= RECORD_MAX_NUMBER; digit++) {
        number = number * 10 + (*digit - '0');
    }
    if (**at == '0' || number > RECORD_MAX_NUMBER || *digit != '.') {
        return note_fail(why, ERR_INPUT,
                         "a ply begins with its number and a point, 1. to %d., not '%.20s'",
                         RECORD_MAX_NUMBER, *at);
    }
    *at = digit + 1;
    skip_blanks(at);
    *out = number;
    return ERR_NONE;
}

/* 12. b 10-12-32 {t=0.431} */
static enum err read_ply(char *text, struct record *out, struct note *why)
{
    int number = 0;
    enum side side = SIDE_BLACK;
    const char *at = text;
    enum err err = read_number(&at, &number, why);
    if (err || (err = read_side(&at, &side, why))) {
        return err;
    }
    if (*at != ' ' && *at != '\t') {
        return note_fail(why, ERR_INPUT, "a space and a move are expected after '%.*s'",
                         (int)(at - text), text);
    }
    skip_blanks(&at);
    char *move = text + (at - text);
    char *after_move = move + strcspn(move, " \t{");
    char *comment = after_move + strspn(after_move, spaces);
    if (*comment == '{') {
        comment++;
        err = cut_closing_brace(comment, why);
    } else if (*comment) {
        err = note_fail(why, ERR_INPUT, "only braces can follow the move, but '%.20s' is there",
                        comment);
    } else {
        comment = NULL;
    }
    *after_move = '\0';
    return err ? err : record_add_ply(out, number, side, move, comment, why);
}

/* Where in a game the reader is. */
enum record_section { BEFORE_GAME, IN_TAGS, AFTER_TAGS };

/* Takes one line. *is_held: it begins the next game. */
static enum err take_line(char *text, enum record_section *section, bool *is_held,
                          struct record *out, struct note *why)
{
    if (!*text) {
        *section = *section == BEFORE_GAME ? BEFORE_GAME : AFTER_TAGS;
        return ERR_NONE;
    }
    if (*text == '[') {
        *is_held = *section == AFTER_TAGS;
        *section = *is_held ? AFTER_TAGS : IN_TAGS;
        return *is_held ? ERR_NONE : read_tags(text, out, why);
    }
    bool is_ply = *text >= '0' && *text <= '9';
    if (!is_ply && *text != '{') {
        return note_fail(why, ERR_INPUT,
                         "a line is a tag, a ply such as '1. b MOVE', or empty, not '%.40s'", text);
    }
    if (*section == BEFORE_GAME) {
        return note_fail(why, ERR_INPUT, "a game begins with its tags, not with '%.40s'", text);
    }
    *section = AFTER_TAGS;
    return is_ply ? read_ply(text, out, why) : read_closing(text, out, why);
}

enum err record_reader_next(struct record_reader *reader, struct record *out, bool *is_found,
                            struct note *why)
{
    enum record_section section = BEFORE_GAME;
    enum err err = ERR_NONE;
    bool is_end = false;
    record_clear(out);
    do {
        err = read_line(reader, &is_end, why);
        if (!err && !is_end) {
            out->line = reader->line;
            err = take_line(reader->text, &section, &reader->is_held, out, why);
        }
    } while (!err && !is_end && !reader->is_held);
    if (err) {
        note_prefix(why, "line %d", reader->line);
        record_clear(out);
        return err;
    }
    out->line = 0;
    *is_found = section != BEFORE_GAME;
    return ERR_NONE;
}
