/* look: the discs and the colours of reversi and othello. */
#include <stddef.h>

#include "game/look.h"
#include "games/reversi/state.h"

static const struct piece_kind pieces[] = {
    {.one = "disc",
     .many = "discs",
     .role = ROLE_MAN,
     .letters = "XO",
     .narrow = {"●", "○"},
     .wide = {" ● ", " ● "},
     .drawing = "<circle cy=\"2\" r=\"24\" fill=\"#000\" opacity=\".22\"/>"
                "<circle r=\"24\" fill=\"$fill\" stroke=\"$edge\" stroke-width=\"1.5\"/>"},
    {.one = NULL},
};

const struct look reversi_look = {
    .pieces = pieces,
    .unit = "discs",
    .theme = {.squares = {0x4ba66e, 0x429c74}, /* baize */
              .frame = 0x1f5a28,
              .mark = 0xf2d24b,
              THEME_BLACK_AND_WHITE},
};
