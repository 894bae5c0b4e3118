/* look: the pieces and the colours of MeiChu. */
#include <stddef.h>

#include "game/look.h"
#include "games/meichu/state.h"

#define OUTLINED \
    "<g fill=\"$fill\" stroke=\"$edge\" stroke-width=\"1.5\" stroke-linejoin=\"round\">"
#define BRICK(x, y, width) \
    "<rect x=\"" #x "\" y=\"" #y "\" width=\"" #width "\" height=\"14\" rx=\"2\"/>"

/* By enum meichu_piece. */
static const struct piece_kind pieces[] = {
    {.one = "flag",
     .many = "flags",
     .role = ROLE_GOAL,
     .letters = "Ff",
     .narrow = {"⚑", "⚐"},
     .wide = {" ⚑ ", " ⚑ "},
     .drawing = OUTLINED "<path d=\"M-15-23h5V24h-5z\"/>"
                         "<path d=\"M-10-21C-2-26 6-16 20-21V3C6 8-2-2-10 3z\"/>"
                         "<path d=\"M-20 21h15v4h-15z\"/></g>"},
    {.one = "soldier",
     .many = "soldiers",
     .role = ROLE_MAN,
     .letters = "Ss",
     .narrow = {"▲", "▽"},
     .wide = {" ▲ ", " ▼ "},
     .drawing = OUTLINED "<path d=\"M-15 22C-15 6-8 1 0 1S15 6 15 22z\"/>"
                         "<circle cy=\"-7\" r=\"9\"/>"
                         "<path d=\"M-13-9C-12-27 12-27 13-9z\"/></g>"},
    {.one = "barrier",
     .many = "barriers",
     .role = ROLE_WALL,
     .letters = "Bb",
     .narrow = {"█", "░"},
     .wide = {"┻┳┻", "┻┳┻"},
     .drawing = "<g fill=\"$fill\" stroke=\"$edge\">" BRICK(-25, -24, 24) BRICK(1, -24, 24)
         BRICK(-25, -7, 10) BRICK(-13, -7, 25) BRICK(14, -7, 11) BRICK(-25, 10, 24)
             BRICK(1, 10, 24) "</g>"},
    {.one = NULL},
};

const struct look meichu_look = {
    .pieces = pieces,
    .unit = "soldiers",
    .theme = {.squares = {0x7d8c96, 0x73828d}, /* slate */
              .frame = 0x3b464f,
              .mark = 0xffd45c,
              THEME_BLACK_AND_WHITE},
};
