/* look: the men and the colours of hop. */
#include <stddef.h>

#include "game/look.h"
#include "games/hop/state.h"

/* A peg seen from above: a ring inside its edge tells it from a flat disc. */
static const struct piece_kind pieces[] = {
    {.one = "man",
     .many = "men",
     .role = ROLE_MAN,
     .letters = "XO",
     .narrow = {"●", "○"},
     .wide = {" ● ", " ● "},
     .drawing = "<circle cy=\"2\" r=\"20\" fill=\"#000\" opacity=\".22\"/>"
                "<circle r=\"20\" fill=\"$fill\" stroke=\"$edge\" stroke-width=\"1.5\"/>"
                "<circle r=\"12.5\" fill=\"none\" stroke=\"$shade\" stroke-width=\"2\" "
                "opacity=\".55\"/>"},
    {.one = NULL},
};

const struct look hop_look = {
    .pieces = pieces,
    .unit = "men",
    .theme = {.squares = {0xcfa678, 0xc89e6c}, /* wood */
              .frame = 0x7d5023,
              .mark = 0xffd84a,
              THEME_BLACK_AND_WHITE},
};
