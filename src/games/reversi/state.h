/* state: a position of reversi or othello, shared by rules and notation. */
#ifndef GAMES_REVERSI_STATE_H
#define GAMES_REVERSI_STATE_H

#include <stdint.h>
#include <string.h>

#include "game/about.h"
#include "game/look.h"

/* Square row * 8 + column is bit row * 8 + column. */
struct reversi_state {
    uint64_t discs[2]; /* by side */
    uint64_t to_move;  /* enum side */
};

enum { REVERSI_DISC = PIECE_FIRST };

enum { REVERSI_SQUARES = 64 };

#define REVERSI_CORNERS UINT64_C(0x8100000000000081)
#define REVERSI_CENTRE UINT64_C(0x007e7e7e7e7e7e00)

static inline struct reversi_state reversi_unpack(const struct state *state)
{
    struct reversi_state s;
    memcpy(&s, state, sizeof s);
    return s;
}

static inline struct state reversi_pack(struct reversi_state s)
{
    struct state state = {{0}};
    memcpy(&state, &s, sizeof s);
    return state;
}

/* notation.c */
enum err reversi_read_position(const char *text, struct state *out, struct note *why);
enum err othello_read_position(const char *text, struct state *out, struct note *why);
void reversi_write_position(const struct state *state, char out[GAME_POSITION_BYTES]);
void othello_write_position(const struct state *state, char out[GAME_POSITION_BYTES]);
struct cell reversi_cell(const struct state *state, int square);
struct cell othello_cell(const struct state *state, int square);
void reversi_status(const struct state *state, char out[GAME_STATUS_BYTES]);

/* look.c */
extern const struct look reversi_look;

/* about.c */
extern const struct game_about reversi_about;
extern const struct game_about othello_about;

#endif
