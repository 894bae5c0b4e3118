/* state: a position of MeiChu 2.0, shared by rules and notation.
 *
 * Every set of squares is kept as nine 9-bit rows, and those that a slide needs
 * also as nine 9-bit columns: the squares a soldier reaches along a line are then
 * a few instructions on one 9-bit word. A position is copied, never undone.
 */
#ifndef GAMES_MEICHU_STATE_H
#define GAMES_MEICHU_STATE_H

#include <stdint.h>
#include <string.h>

#include "game/about.h"
#include "game/look.h"

enum meichu_piece { MEICHU_FLAG = PIECE_FIRST, MEICHU_SOLDIER, MEICHU_BARRIER };

enum {
    MEICHU_LINE = 9,
    MEICHU_SQUARES = 81,
    MEICHU_MAX_SOLDIERS = 5,
    MEICHU_MAX_BARRIERS = 12,
    MEICHU_BUDGET = 150,     /* before the auction's payment */
    MEICHU_MAX_BUDGET = 999, /* that a position's text may give */
    MEICHU_NO_FLAG = 255,
    MEICHU_MAX_MOVES = MEICHU_MAX_SOLDIERS * 2 * (MEICHU_LINE - 1),
};

/* The first four arrays and `budget`, `flag`, `to_move` are the whole position; the
 * rest is derived from them, for speed. */
struct meichu_state {
    uint16_t occupied_rows[MEICHU_LINE]; /* by any piece */
    uint16_t solid_rows[2][MEICHU_LINE]; /* by side: soldiers and flag, where it may not move to */
    uint16_t black_barrier_rows[MEICHU_LINE]; /* the other barriers are White's */
    uint16_t occupied_columns[MEICHU_LINE];
    uint16_t solid_columns[2][MEICHU_LINE];
    int16_t budget[2];
    uint8_t soldiers[2][MEICHU_MAX_SOLDIERS]; /* squares, in any order; unused ones are 0 */
    uint8_t soldier_count[2];
    uint8_t flag[2]; /* square, or MEICHU_NO_FLAG when it was taken */
    uint8_t to_move; /* enum side */
    uint8_t unused;
};

_Static_assert(sizeof(struct meichu_state) <= sizeof(struct state), "fits a judge's state");

static inline struct meichu_state meichu_unpack(const struct state *state)
{
    struct meichu_state s;
    memcpy(&s, state, sizeof s);
    return s;
}

/* Puts the soldiers in order, so that equal positions have equal bytes. */
struct state meichu_pack(struct meichu_state s);

/* Puts a piece on an empty square. */
void meichu_place(struct meichu_state *s, enum meichu_piece piece, enum side side, int square);

struct cell meichu_at(const struct meichu_state *s, int square);

/* notation.c */
enum err meichu_read_position(const char *text, struct state *out, struct note *why);
void meichu_write_position(const struct state *state, char out[GAME_POSITION_BYTES]);
struct cell meichu_cell(const struct state *state, int square);
void meichu_status(const struct state *state, char out[GAME_STATUS_BYTES]);

/* look.c */
extern const struct look meichu_look;

/* about.c */
extern const struct game_about meichu_about;

#endif
