#include "protocol/file_text.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void file_write_state(const struct game *game, const struct state *state, enum side side, int index,
                      char out[FILE_STATE_BYTES])
{
    int used = snprintf(out, FILE_STATE_BYTES, "move %d\ncolor %d\nboard\n", index,
                        side == SIDE_BLACK ? 1 : 2);
    for (int square = 0; square < game->rows * game->columns; square++) {
        bool is_last = square % game->columns == game->columns - 1;
        used += snprintf(out + used, FILE_STATE_BYTES - (size_t)used, "%d%c",
                         cell_wire(game->cell(state, square)), is_last ? '\n' : ' ');
    }
    snprintf(out + used, FILE_STATE_BYTES - (size_t)used, "end\n");
}

/* A place in the text; lines end in \n or \r\n. */
struct file_cursor {
    const char *at;
    const char *end;
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static void skip_blanks(struct file_cursor *c)
{
    while (c->at < c->end && is_blank(*c->at)) {
        c->at++;
    }
}

static bool take_word(struct file_cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0) {
        return false;
    }
    c->at += length;
    return true;
}

/* As it is written, for a message: the value of a large one is not exact. */
struct file_number {
    const char *at;
    int length;
};

static bool take_number(struct file_cursor *c, int *out, struct file_number *written)
{
    const int most = 100000000;
    skip_blanks(c);
    bool negative = c->at < c->end && *c->at == '-';
    const char *at = c->at + negative;
    int value = 0;
    if (at == c->end || *at < '0' || *at > '9') {
        return false;
    }
    for (; at < c->end && *at >= '0' && *at <= '9'; at++) {
        value = value < most ? value * 10 + (*at - '0') : most;
    }
    *out = negative ? -value : value;
    if (written) {
        enum { MOST = 40 };
        *written = (struct file_number){c->at, at - c->at < MOST ? (int)(at - c->at) : MOST};
    }
    c->at = at;
    return true;
}

static bool take_line_end(struct file_cursor *c)
{
    skip_blanks(c);
    if (c->at < c->end && *c->at == '\n') {
        c->at++;
        return true;
    }
    return c->at == c->end;
}

bool file_is_complete(const char *text, size_t length)
{
    while (length && (is_blank(text[length - 1]) || text[length - 1] == '\n')) {
        length--;
    }
    if (length < 3 || memcmp(text + length - 3, "end", 3) != 0) {
        return false;
    }
    length -= 3;
    while (length && is_blank(text[length - 1])) {
        length--;
    }
    return length == 0 || text[length - 1] == '\n';
}

enum err file_read_state(const struct game *game, const char *text, size_t length,
                         struct file_question *out, struct note *why)
{
    struct file_cursor c = {text, text + length};
    struct file_question question = {.index = 0};
    int colour = 0;
    bool is_read =
        take_word(&c, "move") && take_number(&c, &question.index, NULL) && take_line_end(&c);
    if (is_read && question.index != 0) {
        is_read = take_word(&c, "color") && take_number(&c, &colour, NULL) && take_line_end(&c) &&
                  take_word(&c, "board");
        for (int i = 0; is_read && i < game->rows * game->columns; i++) {
            is_read = (i % game->columns != 0 || take_line_end(&c)) &&
                      take_number(&c, &question.cells[i], NULL);
        }
        is_read = is_read && (colour == 1 || colour == 2) && take_line_end(&c);
    }
    if (!is_read || !take_word(&c, "end")) {
        return note_fail(why, ERR_INPUT, "the state file is not a move, a colour and a board");
    }
    question.side = colour == 2 ? SIDE_WHITE : SIDE_BLACK;
    *out = question;
    return ERR_NONE;
}

void file_write_move(const struct game *game, const struct move *move, int index,
                     char out[FILE_ANSWER_BYTES])
{
    int used = snprintf(out, FILE_ANSWER_BYTES, "move %d\n", index);
    for (int i = 0; move->kind == MOVE_PATH && i < move->count; i++) {
        used += snprintf(out + used, FILE_ANSWER_BYTES - (size_t)used, "%d %d\n",
                         move->squares[i] / game->columns, move->squares[i] % game->columns);
    }
    snprintf(out + used, FILE_ANSWER_BYTES - (size_t)used, "end\n");
}

static bool is_at_end(struct file_cursor *c)
{
    while (c->at < c->end && take_line_end(c)) {
    }
    return c->at == c->end;
}

static enum file_answer invalid(struct note *why, const char *sentence)
{
    note_set(why, "%s", sentence);
    return FILE_INVALID;
}

enum file_answer file_read_move(const struct game *game, int index, const char *text, size_t length,
                                struct move *out, struct note *why)
{
    struct file_cursor c = {text, text + length};
    struct move move = {.kind = MOVE_PATH};
    int said = 0;
    struct file_number index_text;
    if (length >= FILE_MOVE_BYTES) {
        return invalid(why, "the move file is far too long");
    }
    if (!file_is_complete(text, length)) {
        return FILE_NOT_YET;
    }
    if (!take_word(&c, "move") || !take_number(&c, &said, &index_text) || !take_line_end(&c)) {
        return invalid(why, "the move file does not begin with a line 'move N'");
    }
    if (said < index) {
        return FILE_NOT_YET;
    }
    if (said > index) {
        note_set(why, "the move file answers question %.*s, but only %d %s been asked",
                 index_text.length, index_text.at, index, index == 1 ? "has" : "have");
        return FILE_INVALID;
    }
    while (!take_word(&c, "end")) {
        int row = 0;
        int column = 0;
        struct file_number texts[2];
        if (!take_number(&c, &row, &texts[0]) || !take_number(&c, &column, &texts[1]) ||
            !take_line_end(&c)) {
            return invalid(why, "a line of the move file is not 'ROW COLUMN'");
        }
        if (row < 0 || row >= game->rows || column < 0 || column >= game->columns) {
            note_set(why, "square (%.*s, %.*s) of the move file is off the board", texts[0].length,
                     texts[0].at, texts[1].length, texts[1].at);
            return FILE_INVALID;
        }
        if (move.count == game->path_max) {
            return invalid(why, "the move file names too many squares");
        }
        move.squares[move.count++] = (uint8_t)(row * game->columns + column);
    }
    if (!is_at_end(&c)) {
        return invalid(why, "more follows the line 'end' of the move file");
    }
    *out = move;
    return FILE_MOVE;
}

void file_describe_move(const char *text, size_t length, struct note *out)
{
    char line[NOTE_BYTES];
    size_t used = 0;
    for (size_t i = 0; i < length && used + 4 < sizeof line; i++) {
        if (text[i] == '\n') {
            memcpy(line + used, " / ", 3);
            used += 3;
        } else if (text[i] != '\r') {
            line[used++] = text[i] ? text[i] : '?';
        }
    }
    while (used && (line[used - 1] == ' ' || line[used - 1] == '/')) {
        used--;
    }
    line[used] = '\0';
    utf8_clean(line, out->text, sizeof out->text);
}
