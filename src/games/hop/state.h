/* state: a position of hop or hop-noloop, shared by rules and notation. */
#ifndef GAMES_HOP_STATE_H
#define GAMES_HOP_STATE_H

#include <stdint.h>
#include <string.h>

#include "game/about.h"
#include "game/look.h"

/* Square row * 8 + column is bit row * 8 + column. Sides alternate and every turn
 * uses a move, so one number says whose turn it is and how many each has used. */
struct hop_state {
    uint64_t men[2]; /* by side */
    uint64_t plies;  /* turns taken by both together */
};

enum { HOP_MAN = PIECE_FIRST };

enum {
    HOP_SQUARES = 64,
    HOP_MAX_MEN = 9,
    HOP_MOVE_LIMIT = 200, /* each */
    HOP_PLY_LIMIT = 2 * HOP_MOVE_LIMIT,
    HOP_MAX_HOPS = GAME_MAX_PATH - 1,
};

#define HOP_BLACK_TARGET UINT64_C(0xc0c0c0c0c0c0c0c0)
#define HOP_WHITE_TARGET UINT64_C(0x0303030303030303)

static inline struct hop_state hop_unpack(const struct state *state)
{
    struct hop_state s;
    memcpy(&s, state, sizeof s);
    return s;
}

static inline struct state hop_pack(struct hop_state s)
{
    struct state state = {{0}};
    memcpy(&state, &s, sizeof s);
    return state;
}

/* notation.c */
enum err hop_read_position(const char *text, struct state *out, struct note *why);
void hop_write_position(const struct state *state, char out[GAME_POSITION_BYTES]);
struct cell hop_cell(const struct state *state, int square);
enum zone hop_zone(int square);
void hop_status(const struct state *state, char out[GAME_STATUS_BYTES]);

/* look.c */
extern const struct look hop_look;

/* about.c */
extern const struct game_about hop_about;
extern const struct game_about hop_noloop_about;

#endif
