#include "protocol/wire.h"

#include <stdio.h>
#include <string.h>

int32_t wire_read_number(const uint8_t bytes[4])
{
    return (int32_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24);
}

void wire_write_number(uint8_t bytes[4], int32_t number)
{
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)((uint32_t)number >> 8 * i);
    }
}

void wire_write_board(const struct game *game, const struct state *state, enum side side,
                      int32_t id, uint8_t out[WIRE_BOARD_BYTES])
{
    wire_write_number(out, 1);
    wire_write_number(out + 4, id);
    for (int square = 0; square < WIRE_CELLS; square++) {
        wire_write_number(out + 8 + 4 * square, cell_wire(game->cell(state, square)));
    }
    wire_write_number(out + 8 + 4 * WIRE_CELLS, side == SIDE_BLACK);
}

struct wire_question wire_read_board(const uint8_t bytes[WIRE_BOARD_BYTES])
{
    struct wire_question question = {.id = wire_read_number(bytes + 4)};
    for (int i = 0; i < WIRE_CELLS; i++) {
        question.cells[i] = wire_read_number(bytes + 8 + 4 * i);
    }
    question.side = wire_read_number(bytes + 8 + 4 * WIRE_CELLS) ? SIDE_BLACK : SIDE_WHITE;
    return question;
}

size_t wire_write_answer(const struct game *game, const struct move *move, int32_t id,
                         uint8_t out[WIRE_ANSWER_BYTES])
{
    int count = move->kind == MOVE_PATH ? move->count : 0;
    wire_write_number(out, count);
    wire_write_number(out + 4, id);
    for (int i = 0; i < count; i++) {
        wire_write_number(out + 8 + 8 * i, move->squares[i] / game->columns);
        wire_write_number(out + 12 + 8 * i, move->squares[i] % game->columns);
    }
    return 8 + 8 * (size_t)count;
}

/* Moves bytes until `wanted` are there; false: not yet. */
static bool collect(struct wire_reader *reader, const uint8_t **bytes, size_t *count, size_t wanted)
{
    size_t missing = wanted > reader->used ? wanted - reader->used : 0;
    size_t taken = missing < *count ? missing : *count;
    memcpy(reader->bytes + reader->used, *bytes, taken);
    reader->used += taken;
    *bytes += taken;
    *count -= taken;
    return taken == missing;
}

enum wire_event wire_feed(struct wire_reader *reader, const uint8_t **bytes, size_t *count,
                          struct wire_answer *out, struct note *why)
{
    if (!reader->has_team) {
        if (!collect(reader, bytes, count, WIRE_TEAM_BYTES)) {
            return WIRE_MORE;
        }
        reader->team = wire_read_number(reader->bytes);
        reader->has_team = true;
        reader->used = 0;
        return WIRE_TEAM;
    }
    if (!collect(reader, bytes, count, 8)) {
        return WIRE_MORE;
    }
    int32_t pairs = wire_read_number(reader->bytes);
    if (pairs < 0 || pairs > WIRE_MAX_PAIRS) {
        note_set(why, "an answer has 0 to %d squares, but its first number is %d", WIRE_MAX_PAIRS,
                 (int)pairs);
        return WIRE_MALFORMED;
    }
    if (!collect(reader, bytes, count, 8 + 8 * (size_t)pairs)) {
        return WIRE_MORE;
    }
    out->count = pairs;
    out->id = wire_read_number(reader->bytes + 4);
    for (int i = 0; i < pairs; i++) {
        out->pairs[i][0] = wire_read_number(reader->bytes + 8 + 8 * i);
        out->pairs[i][1] = wire_read_number(reader->bytes + 12 + 8 * i);
    }
    reader->used = 0;
    return WIRE_ANSWER;
}

enum err wire_move(const struct game *game, const struct wire_answer *answer, struct move *out,
                   struct note *why)
{
    if (answer->count < game->path_min || answer->count > game->path_max) {
        return note_fail(
            why, ERR_NEGATIVE,
            "the answer names %d square%s; the shortest move in %s names %d, the longest %d",
            (int)answer->count, answer->count == 1 ? "" : "s", game->name, game->path_min,
            game->path_max);
    }
    struct move move = {.kind = MOVE_PATH, .count = (uint8_t)answer->count};
    for (int i = 0; i < answer->count; i++) {
        int32_t row = answer->pairs[i][0];
        int32_t column = answer->pairs[i][1];
        if (row < 0 || row >= game->rows || column < 0 || column >= game->columns) {
            return note_fail(why, ERR_NEGATIVE,
                             "square (%d, %d), number %d of the answer, is off the board", (int)row,
                             (int)column, i + 1);
        }
        move.squares[i] = (uint8_t)(row * game->columns + column);
    }
    *out = move;
    return ERR_NONE;
}

void wire_describe(const struct wire_answer *answer, struct note *out)
{
    int shown = answer->count < WIRE_SHOWN_PAIRS ? answer->count : WIRE_SHOWN_PAIRS;
    char text[WIRE_SHOWN_PAIRS * 30];
    int used = 0;
    text[0] = '\0';
    for (int i = 0; i < shown; i++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "%s(%d, %d)", i ? ", " : "",
                         (int)answer->pairs[i][0], (int)answer->pairs[i][1]);
    }
    if (answer->count > shown) {
        note_set(out, "%s and %d more", text, (int)answer->count - shown);
    } else {
        note_set(out, "%s", *text ? text : "no square");
    }
}
