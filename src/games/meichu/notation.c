/* Text and looks of MeiChu, and the slow ways into and out of its state. */
#include "games/meichu/state.h"

#include "game/text.h"

static const char alphabet[] = ".FSBfsb";

/* By index into the alphabet. */
static const struct cell letters[] = {
    {PIECE_NONE, SIDE_BLACK},     {MEICHU_FLAG, SIDE_BLACK}, {MEICHU_SOLDIER, SIDE_BLACK},
    {MEICHU_BARRIER, SIDE_BLACK}, {MEICHU_FLAG, SIDE_WHITE}, {MEICHU_SOLDIER, SIDE_WHITE},
    {MEICHU_BARRIER, SIDE_WHITE},
};

static const int piece_limits[] = {[MEICHU_FLAG] = 1,
                                   [MEICHU_SOLDIER] = MEICHU_MAX_SOLDIERS,
                                   [MEICHU_BARRIER] = MEICHU_MAX_BARRIERS};

struct state meichu_pack(struct meichu_state s)
{
    for (int side = 0; side < 2; side++) {
        uint8_t *squares = s.soldiers[side];
        int count = s.soldier_count[side];
        memset(squares + count, 0, (size_t)(MEICHU_MAX_SOLDIERS - count));
        for (int i = 1; i < count; i++) {
            for (int k = i; k > 0 && squares[k] < squares[k - 1]; k--) {
                uint8_t larger = squares[k - 1];
                squares[k - 1] = squares[k];
                squares[k] = larger;
            }
        }
    }
    struct state state = {{0}};
    memcpy(&state, &s, sizeof s);
    return state;
}

void meichu_place(struct meichu_state *s, enum meichu_piece piece, enum side side, int square)
{
    int row = square / MEICHU_LINE;
    int column = square % MEICHU_LINE;
    uint16_t row_bit = (uint16_t)(1u << column);
    uint16_t column_bit = (uint16_t)(1u << row);
    s->occupied_rows[row] |= row_bit;
    s->occupied_columns[column] |= column_bit;
    if (piece == MEICHU_BARRIER) {
        s->black_barrier_rows[row] |= side == SIDE_BLACK ? row_bit : 0;
        return;
    }
    s->solid_rows[side][row] |= row_bit;
    s->solid_columns[side][column] |= column_bit;
    if (piece == MEICHU_FLAG) {
        s->flag[side] = (uint8_t)square;
    } else {
        s->soldiers[side][s->soldier_count[side]++] = (uint8_t)square;
    }
}

struct cell meichu_at(const struct meichu_state *s, int square)
{
    int row = square / MEICHU_LINE;
    unsigned bit = 1u << square % MEICHU_LINE;
    if (!(s->occupied_rows[row] & bit)) {
        return (struct cell){PIECE_NONE, SIDE_BLACK};
    }
    for (int side = 0; side < 2; side++) {
        if (s->solid_rows[side][row] & bit) {
            return (struct cell){square == s->flag[side] ? MEICHU_FLAG : MEICHU_SOLDIER,
                                 (uint8_t)side};
        }
    }
    return (struct cell){MEICHU_BARRIER,
                         s->black_barrier_rows[row] & bit ? SIDE_BLACK : SIDE_WHITE};
}

/* Places the letters on the board, none too often. */
static enum err fill_board(struct meichu_state *s, const uint8_t *cells, struct note *why)
{
    int counts[2][MEICHU_BARRIER + 1] = {{0}};
    for (int square = 0; square < MEICHU_SQUARES; square++) {
        struct cell cell = letters[cells[square]];
        if (cell.piece == PIECE_NONE) {
            continue;
        }
        const struct piece_kind *kind = &meichu_look.pieces[cell.piece - PIECE_FIRST];
        int limit = piece_limits[cell.piece];
        if (counts[cell.side][cell.piece]++ == limit) {
            return note_fail(
                why, ERR_INPUT, "%s has more than %d %s: the one on square %d%d is too many",
                side_title((enum side)cell.side), limit, limit == 1 ? kind->one : kind->many,
                square / MEICHU_LINE, square % MEICHU_LINE);
        }
        meichu_place(s, (enum meichu_piece)cell.piece, (enum side)cell.side, square);
    }
    return ERR_NONE;
}

enum err meichu_read_position(const char *text, struct state *out, struct note *why)
{
    uint8_t cells[MEICHU_SQUARES];
    struct meichu_state s = {.flag = {MEICHU_NO_FLAG, MEICHU_NO_FLAG}};
    enum side side = SIDE_BLACK;
    int budget[2] = {0, 0};
    enum err err = text_read_board(&text, MEICHU_LINE, MEICHU_LINE, alphabet, cells, why);
    if (err || (err = text_read_side(&text, &side, why)) ||
        (err = text_read_number(&text, "Black's budget", MEICHU_MAX_BUDGET, &budget[0], why)) ||
        (err = text_read_number(&text, "White's budget", MEICHU_MAX_BUDGET, &budget[1], why)) ||
        (err = text_read_end(text, why)) || (err = fill_board(&s, cells, why))) {
        return err;
    }
    s.to_move = (uint8_t)side;
    s.budget[0] = (int16_t)budget[0];
    s.budget[1] = (int16_t)budget[1];
    *out = meichu_pack(s);
    return ERR_NONE;
}

static uint8_t letter_of(struct cell cell)
{
    uint8_t letter = 0;
    while (letters[letter].piece != cell.piece || letters[letter].side != cell.side) {
        letter++;
    }
    return letter;
}

void meichu_write_position(const struct state *state, char out[GAME_POSITION_BYTES])
{
    struct meichu_state s = meichu_unpack(state);
    uint8_t cells[MEICHU_SQUARES];
    for (int square = 0; square < MEICHU_SQUARES; square++) {
        cells[square] = letter_of(meichu_at(&s, square));
    }
    char *end =
        text_write_board(out, MEICHU_LINE, MEICHU_LINE, alphabet, cells, (enum side)s.to_move);
    end = text_write_number(end, s.budget[0]);
    text_write_number(end, s.budget[1]);
}

struct cell meichu_cell(const struct state *state, int square)
{
    struct meichu_state s = meichu_unpack(state);
    return meichu_at(&s, square);
}

void meichu_status(const struct state *state, char out[GAME_STATUS_BYTES])
{
    struct meichu_state s = meichu_unpack(state);
    memcpy(out, "budgets", 8);
    char *end = text_write_number(out + 7, s.budget[0]);
    memcpy(end, " :", 3);
    text_write_number(end + 2, s.budget[1]);
}
