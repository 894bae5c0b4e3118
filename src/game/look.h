/* look: how a game is shown: its kinds of pieces in words, letters and pictures, and its colours.
 *
 * Only data of the game's folder. The terminal (cli/board.h), the pictures (report/svg.h) and the
 * report draw with it; the pages of the arena have their own (web.js).
 */
#ifndef GAME_LOOK_H
#define GAME_LOOK_H

#include <stdint.h>

#include "game/game.h"

enum piece_role {
    ROLE_NONE, /* not a piece */
    ROLE_MAN,  /* moves or counts */
    ROLE_WALL, /* fills its square on a terminal */
    ROLE_GOAL, /* the side that loses it has lost the game */
};

/* The arrays are by cell.side. A kind that a side does not have has 0 and NULL there. */
struct piece_kind {
    const char *one; /* "man"; NULL ends a table */
    const char *many;
    enum piece_role role;
    char letters[CELL_SIDES];       /* in the text of a position */
    const char *narrow[CELL_SIDES]; /* one column, for a terminal without colours */
    const char *wide[CELL_SIDES];   /* three columns, for a terminal with colours */
    /* SVG elements, within 30 of 0|0. $fill and $edge are replaced by the colours of the side,
     * $shade by a tone between $fill and grey. */
    const char *drawing;
};

/* Colours are 0xRRGGBB. */
struct theme {
    uint32_t squares[2];         /* a chequered board's two tones */
    uint32_t frame;              /* around the board, and the holes in it */
    uint32_t mark;               /* laid over the squares of the last move */
    uint32_t pieces[CELL_SIDES]; /* by cell.side */
    uint32_t edges[CELL_SIDES];  /* a piece's outline */
};

#define THEME_BLACK_AND_WHITE \
    .pieces = {0x1d2126, 0xfbfaf6, 0xa8794a}, .edges = {0x000000, 0x8d8a80, 0x5e4226}

struct look {
    const struct piece_kind *pieces; /* cell.piece is PIECE_FIRST + the row in this table */
    const char *unit;                /* what the engine's scores count: "men" */
    struct theme theme;              /* its tones differ also on a terminal of 256 colours */
};

/* The kind of cell.piece, also of PIECE_NONE and PIECE_HOLE. The kinds of a game are those from
 * PIECE_FIRST until `one` is NULL. */
const struct piece_kind *look_piece(const struct game *game, int piece);

#endif
