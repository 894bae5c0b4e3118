/* Text and looks of reversi and othello. */
#include "games/reversi/state.h"

#include "base/bits.h"
#include "game/text.h"

static const char alphabet[] = ".XO#";

enum letter { LETTER_EMPTY, LETTER_BLACK, LETTER_WHITE, LETTER_HOLE };

static enum letter letter_at(const struct reversi_state *s, uint64_t holes, int square)
{
    uint64_t bit = bits_one(square);
    if (holes & bit) {
        return LETTER_HOLE;
    }
    if (s->discs[SIDE_BLACK] & bit) {
        return LETTER_BLACK;
    }
    return s->discs[SIDE_WHITE] & bit ? LETTER_WHITE : LETTER_EMPTY;
}

static enum err read_position(const char *text, uint64_t holes, struct state *out, struct note *why)
{
    uint8_t cells[REVERSI_SQUARES];
    struct reversi_state s = {{0, 0}, 0};
    enum side side = SIDE_BLACK;
    enum err err = text_read_board(&text, 8, 8, alphabet, cells, why);
    if (err || (err = text_read_side(&text, &side, why)) || (err = text_read_end(text, why))) {
        return err;
    }
    for (int square = 0; square < REVERSI_SQUARES; square++) {
        bool is_hole = holes & bits_one(square);
        if (is_hole && cells[square] != LETTER_HOLE) {
            return note_fail(why, ERR_INPUT, "square %d%d is a corner: it must be '#', not '%c'",
                             square / 8, square % 8, alphabet[cells[square]]);
        }
        if (!is_hole && cells[square] == LETTER_HOLE) {
            return note_fail(why, ERR_INPUT, "square %d%d cannot be '#': %s", square / 8,
                             square % 8,
                             holes ? "only the four corners are holes" : "othello has no holes");
        }
        s.discs[SIDE_BLACK] |= cells[square] == LETTER_BLACK ? bits_one(square) : 0;
        s.discs[SIDE_WHITE] |= cells[square] == LETTER_WHITE ? bits_one(square) : 0;
    }
    s.to_move = side;
    *out = reversi_pack(s);
    return ERR_NONE;
}

static void write_position(const struct state *state, uint64_t holes, char out[GAME_POSITION_BYTES])
{
    struct reversi_state s = reversi_unpack(state);
    uint8_t cells[REVERSI_SQUARES];
    for (int square = 0; square < REVERSI_SQUARES; square++) {
        cells[square] = (uint8_t)letter_at(&s, holes, square);
    }
    text_write_board(out, 8, 8, alphabet, cells, (enum side)s.to_move);
}

static struct cell cell_at(const struct state *state, uint64_t holes, int square)
{
    static const struct cell cells[] = {
        [LETTER_EMPTY] = {PIECE_NONE, SIDE_BLACK},
        [LETTER_BLACK] = {REVERSI_DISC, SIDE_BLACK},
        [LETTER_WHITE] = {REVERSI_DISC, SIDE_WHITE},
        [LETTER_HOLE] = {PIECE_HOLE, SIDE_BLACK},
    };
    struct reversi_state s = reversi_unpack(state);
    return cells[letter_at(&s, holes, square)];
}

enum err reversi_read_position(const char *text, struct state *out, struct note *why)
{
    return read_position(text, REVERSI_CORNERS, out, why);
}

enum err othello_read_position(const char *text, struct state *out, struct note *why)
{
    return read_position(text, 0, out, why);
}

void reversi_write_position(const struct state *state, char out[GAME_POSITION_BYTES])
{
    write_position(state, REVERSI_CORNERS, out);
}

void othello_write_position(const struct state *state, char out[GAME_POSITION_BYTES])
{
    write_position(state, 0, out);
}

struct cell reversi_cell(const struct state *state, int square)
{
    return cell_at(state, REVERSI_CORNERS, square);
}

struct cell othello_cell(const struct state *state, int square)
{
    return cell_at(state, 0, square);
}

void reversi_status(const struct state *state, char out[GAME_STATUS_BYTES])
{
    struct reversi_state s = reversi_unpack(state);
    memcpy(out, "discs", 6);
    char *end = text_write_number(out + 5, bits_count(s.discs[SIDE_BLACK]));
    memcpy(end, " :", 3);
    text_write_number(end + 2, bits_count(s.discs[SIDE_WHITE]));
}
