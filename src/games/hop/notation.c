/* Text and looks of hop. */
#include "games/hop/state.h"

#include "base/bits.h"
#include "game/text.h"

static const char alphabet[] = ".XO";

enum err hop_read_position(const char *text, struct state *out, struct note *why)
{
    uint8_t cells[HOP_SQUARES];
    struct hop_state s = {{0, 0}, 0};
    enum side side = SIDE_BLACK;
    int used[2] = {0, 0};
    enum err err = text_read_board(&text, 8, 8, alphabet, cells, why);
    if (err || (err = text_read_side(&text, &side, why)) ||
        (err = text_read_number(&text, "Black's count of used moves", HOP_MOVE_LIMIT, &used[0],
                                why)) ||
        (err = text_read_number(&text, "White's count of used moves", HOP_MOVE_LIMIT, &used[1],
                                why)) ||
        (err = text_read_end(text, why))) {
        return err;
    }
    for (int square = 0; square < HOP_SQUARES; square++) {
        if (cells[square]) {
            s.men[cells[square] - 1] |= bits_one(square);
        }
    }
    for (int i = 0; i < 2; i++) {
        if (bits_count(s.men[i]) > HOP_MAX_MEN) {
            return note_fail(why, ERR_INPUT,
                             "%s has %d pieces on the board; at most %d are possible",
                             side_title((enum side)i), bits_count(s.men[i]), HOP_MAX_MEN);
        }
    }
    if (used[0] != used[1] + (side == SIDE_WHITE)) {
        return note_fail(why, ERR_INPUT,
                         "with %s to move Black must have used %s, but the counters say %d and %d",
                         side_title(side),
                         side == SIDE_WHITE ? "one move more than White" : "as many moves as White",
                         used[0], used[1]);
    }
    s.plies = (uint64_t)(used[0] + used[1]);
    *out = hop_pack(s);
    return ERR_NONE;
}

void hop_write_position(const struct state *state, char out[GAME_POSITION_BYTES])
{
    struct hop_state s = hop_unpack(state);
    uint8_t cells[HOP_SQUARES];
    for (int square = 0; square < HOP_SQUARES; square++) {
        cells[square] = (uint8_t)(s.men[0] >> square & 1 ? 1 : s.men[1] >> square & 1 ? 2 : 0);
    }
    char *end = text_write_board(out, 8, 8, alphabet, cells, (enum side)(s.plies & 1));
    end = text_write_number(end, (int)(s.plies + 1) / 2);
    text_write_number(end, (int)s.plies / 2);
}

struct cell hop_cell(const struct state *state, int square)
{
    struct hop_state s = hop_unpack(state);
    if (!((s.men[0] | s.men[1]) >> square & 1)) {
        return (struct cell){PIECE_NONE, SIDE_BLACK};
    }
    return (struct cell){HOP_MAN, s.men[0] >> square & 1 ? SIDE_BLACK : SIDE_WHITE};
}

enum zone hop_zone(int square)
{
    if (HOP_BLACK_TARGET >> square & 1) {
        return ZONE_BLACK;
    }
    return HOP_WHITE_TARGET >> square & 1 ? ZONE_WHITE : ZONE_NONE;
}

void hop_status(const struct state *state, char out[GAME_STATUS_BYTES])
{
    struct hop_state s = hop_unpack(state);
    memcpy(out, "moves used", 11);
    char *end = text_write_number(out + 10, (int)(s.plies + 1) / 2);
    memcpy(end, " :", 3);
    end = text_write_number(end + 2, (int)s.plies / 2);
    memcpy(end, " of 200", 8);
}
