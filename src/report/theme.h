/* theme: the colours in which a game's board is drawn, on the terminal and as a picture.
 *
 * A theme follows from the kinds of pieces, so that a new game needs none of its own.
 */
#ifndef REPORT_THEME_H
#define REPORT_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include "game/game.h"

/* Colours are 0xRRGGBB. */
struct theme {
    uint32_t squares[2]; /* a chequered board's two tones */
    uint32_t frame;      /* around the board, and the holes in it */
    uint32_t mark;       /* laid over the squares of the last move */
    uint32_t pieces[2];  /* by enum side */
    uint32_t edges[2];   /* a piece's outline, by enum side */
};

struct theme theme_of(const struct game *game);

/* The ground under a square: tone, tint of a target region, mark. */
uint32_t theme_ground(const struct theme *theme, const struct game *game, int square,
                      bool is_marked);

/* `percent` of b in a. */
uint32_t theme_blend(uint32_t a, uint32_t b, int percent);

#endif
