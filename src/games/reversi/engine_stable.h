/* engine_stable: discs that can never be flipped again.
 *
 * A disc is safe along a line if the line is full, or if on one side of it is the edge or a
 * disc of the same colour that is itself safe in every direction. A disc that is safe
 * along all four lines is stable. A hole counts as edge. Some stable discs are missed,
 * none is found that is not.
 */
#ifndef GAMES_REVERSI_ENGINE_STABLE_H
#define GAMES_REVERSI_ENGINE_STABLE_H

#include <stdint.h>

#define STABLE_FIRST_COLUMN UINT64_C(0x0101010101010101)
#define STABLE_LAST_COLUMN UINT64_C(0x8080808080808080)
#define STABLE_SIDES (STABLE_FIRST_COLUMN | STABLE_LAST_COLUMN)
#define STABLE_ENDS UINT64_C(0xff000000000000ff)

/* Lines without an empty square, as the set of their squares. */
static inline uint64_t stable_full_rows(uint64_t occupied)
{
    uint64_t row = occupied & occupied >> 4;
    row &= row >> 2;
    row &= row >> 1;
    return (row & STABLE_FIRST_COLUMN) * 0xff;
}

static inline uint64_t stable_full_columns(uint64_t occupied)
{
    occupied &= occupied >> 32 | occupied << 32;
    occupied &= occupied >> 16 | occupied << 48;
    return occupied & (occupied >> 8 | occupied << 56);
}

/* `shift` is 9 or 7; a square whose neighbour is off the board counts that one as full. */
static inline uint64_t stable_full_diagonals(uint64_t occupied, int shift, uint64_t up_edge,
                                             uint64_t down_edge)
{
    uint64_t up = occupied;
    uint64_t down = occupied;
    for (int i = 0; i < 7; i++) {
        up &= up >> shift | up_edge;
        down &= down << shift | down_edge;
    }
    return up & down;
}

/* The stable ones among `discs`; `occupied` are all discs and the holes. */
static inline uint64_t stable_discs(uint64_t discs, uint64_t occupied, uint64_t holes)
{
    uint64_t rows = stable_full_rows(occupied) | STABLE_SIDES | (holes << 1 | holes >> 1);
    uint64_t columns = stable_full_columns(occupied) | STABLE_ENDS | (holes << 8 | holes >> 8);
    uint64_t falling =
        stable_full_diagonals(occupied, 9, STABLE_LAST_COLUMN | UINT64_C(0xff00000000000000),
                              STABLE_FIRST_COLUMN | UINT64_C(0xff)) |
        STABLE_SIDES | STABLE_ENDS | (holes << 9 | holes >> 9);
    uint64_t rising =
        stable_full_diagonals(occupied, 7, STABLE_FIRST_COLUMN | UINT64_C(0xff00000000000000),
                              STABLE_LAST_COLUMN | UINT64_C(0xff)) |
        STABLE_SIDES | STABLE_ENDS | (holes << 7 | holes >> 7);
    uint64_t stable = discs & rows & columns & falling & rising;
    for (uint64_t before = 0; stable != before;) {
        before = stable;
        stable |= discs & (rows | stable << 1 | stable >> 1) &
                  (columns | stable << 8 | stable >> 8) & (falling | stable << 9 | stable >> 9) &
                  (rising | stable << 7 | stable >> 7);
    }
    return stable;
}

#endif
