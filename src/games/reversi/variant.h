/* variant: the differences between reversi and othello, for their shared rules and search. */
#ifndef GAMES_REVERSI_VARIANT_H
#define GAMES_REVERSI_VARIANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bits.h"
#include "games/reversi/board.h"
#include "games/reversi/state.h"

struct reversi_variant {
    uint64_t holes;
    uint64_t free_squares;   /* legal with or without a flip */
    uint64_t start[2];       /* discs, by side */
    bool winner_takes_empty; /* squares, at the end */
    int squares;
};

enum { REVERSI, OTHELLO };

static const struct reversi_variant reversi_variants[] = {
    [REVERSI] = {.holes = REVERSI_CORNERS, .free_squares = REVERSI_CENTRE, .squares = 60},
    [OTHELLO] = {.start = {UINT64_C(1) << 28 | UINT64_C(1) << 35, UINT64_C(1) << 27 | UINT64_C(1)
                                                                                          << 36},
                 .winner_takes_empty = true,
                 .squares = 64},
};

static inline uint64_t variant_empty(const struct reversi_variant *v, uint64_t own, uint64_t other)
{
    return ~(own | other | v->holes);
}

static inline uint64_t variant_legal(const struct reversi_variant *v, uint64_t own, uint64_t other)
{
    return variant_empty(v, own, other) & (v->free_squares | board_reach(own, other));
}

/* The final difference in discs, when neither side can move. */
static inline int variant_final(const struct reversi_variant *v, uint64_t own, uint64_t other)
{
    int lead = bits_count(own) - bits_count(other);
    int empty = v->winner_takes_empty ? v->squares - bits_count(own | other) : 0;
    return lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
}

#endif
